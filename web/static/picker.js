// Telling a throw by tapping dice: places that fill from left to right, and the six faces as keys.

import { called, die, place } from "./dice.js";
import { button, make } from "./element.js";
import { fill as said, words } from "./words.js";

/** `known`: values told already, null where one is asked for. `done` gets the sorted values, and what the coloured die
    among them shows (null: it is not there). `some`: fewer dice than places will do. `wild`: ask for the coloured die
    too. `name`: of the button, instead of the usual. The element's `told()` gives the values so far. */
export function picker(count, known, done, { some = false, wild = false, name = "" } = {}) {
  let coloured = wild ? undefined : null;
  const values = Array.from({ length: count }, (_, at) => known[at] ?? null);
  const told = () => values.filter(Boolean);
  const slots = make("div", "slots");
  const faces = make("div", "faces", [1, 2, 3, 4, 5, 6].map((value) =>
    button("face", die(value), () => fill(values.indexOf(null), value), { "aria-label": said(words.face, { value: called(value) }) })));
  const which = make("div", "faces which", [], { hidden: !wild });
  const ok = button("big brass", "", () => done(told().sort(), coloured));

  function fill(at, value) {
    if (at >= 0) values[at] = value;
    draw();
  }

  function slot(value, at) {
    const empty = () => { fill(at, null); slots.children[at].focus(); };
    const label = said(value ? words.slot : words.slotOpen, { n: at + 1, value: value && called(value) });
    return button(value ? "slot" : "slot open", value ? die(value) : place(), empty, { "aria-label": label });
  }

  function ask(shown) {
    const faces = shown.map((value) =>
      button("face", value ? die(value, "red") : words.notThrown, () => { coloured = value; draw(); },
        { "aria-label": said(value ? words.coloured : words.noColoured, { value }), "aria-pressed": coloured === value }));
    which.replaceChildren(make("span", "", words.which), ...faces);
  }

  function draw() {
    const now = told();
    slots.replaceChildren(...values.map(slot));
    ok.textContent = name || (some ? (now.length ? said(words.some, { n: now.length }) : words.tapThrown)
      : now.length === count ? words.thatIsIt : said(words.toGo, { n: count - now.length }));
    if (coloured && !now.includes(coloured)) coloured = undefined;
    ok.disabled = (some ? !now.length : now.length < count) || coloured === undefined;
    if (wild) ask(now.length ? [...new Set(now.sort()), null] : []);
    for (const face of faces.children) face.disabled = now.length === count;
  }

  draw();
  return Object.assign(make("div", "picker", [slots, faces, which, ok]), { told });
}
