// Telling a throw by tapping dice: places that fill from left to right, and the six faces as keys.

import { die, place } from "./dice.js";
import { button, make } from "./element.js";
import { words } from "./words.js";

/** `known`: values told already, null where one is asked for. `done` gets the sorted values, and what the coloured die
    among them shows (null: it is not there). `said(told, count)` names the button. `some`: fewer dice than places will
    do. `wild`: ask for the coloured die too. The element's `told()` gives the values so far. */
export function picker(count, known, done, { some = false, wild = false, said = some ? words.picker.some : words.picker.ok } = {}) {
  let coloured = wild ? undefined : null;
  const values = Array.from({ length: count }, (_, at) => known[at] ?? null);
  const told = () => values.filter(Boolean);
  const slots = make("div", "slots");
  const faces = make("div", "faces", [1, 2, 3, 4, 5, 6].map((value) =>
    button("face", die(value), () => fill(values.indexOf(null), value), { "aria-label": words.picker.face(value) })));
  const which = make("div", "faces which", [], { hidden: !wild });
  const ok = button("big brass", "", () => done(told().sort(), coloured));

  function fill(at, value) {
    if (at >= 0) values[at] = value;
    draw();
  }

  function slot(value, at) {
    const empty = () => { fill(at, null); slots.children[at].focus(); };
    return button(value ? "slot" : "slot open", value ? die(value) : place(), empty, { "aria-label": words.picker.slot(at + 1, value) });
  }

  function ask(shown) {
    const faces = shown.map((value) =>
      button("face", value ? die(value, { colour: "red" }) : words.picker.none, () => { coloured = value; draw(); },
        { "aria-label": words.picker.coloured(value), "aria-pressed": coloured === value }));
    which.replaceChildren(make("span", "", words.picker.which), ...faces);
  }

  function draw() {
    const now = told();
    slots.replaceChildren(...values.map(slot));
    ok.textContent = said(now.length, count);
    if (coloured && !now.includes(coloured)) coloured = undefined;
    ok.disabled = (some ? !now.length : now.length < count) || coloured === undefined;
    if (wild) ask(now.length ? [...new Set(now.sort()), null] : []);
    for (const face of faces.children) face.disabled = told().length === count;
  }

  draw();
  return Object.assign(make("div", "picker", [slots, faces, which, ok]), { told });
}
