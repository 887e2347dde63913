// Telling a throw by tapping dice: places that fill from left to right, and the six faces as keys.

import { die, place } from "/static/dice.js";
import { words } from "/static/words.js";

/** `known`: values told already, null where one is asked for. `done` gets the sorted values, and what the coloured die
    among them shows (null: it is not there). `said(told, count)` names the button. `some`: fewer dice than places will
    do. `wild`: ask for the coloured die too. The element's `told()` gives the values so far. */
export function picker(count, known, done, { some = false, wild = false, said = some ? words.picker.some : words.picker.ok } = {}) {
  let coloured = wild ? undefined : null;
  const which = document.createElement("div");
  which.className = "faces which";
  which.hidden = !wild;
  const values = Array.from({ length: count }, (_, at) => known[at] ?? null);
  const all = document.createElement("div");
  all.className = "picker";
  const slots = document.createElement("div");
  slots.className = "slots";
  const faces = document.createElement("div");
  faces.className = "faces";
  const ok = document.createElement("button");
  ok.type = "button";
  ok.className = "big brass";

  function draw() {
    slots.replaceChildren(...values.map((value, at) => {
      const slot = document.createElement("button");
      slot.type = "button";
      slot.className = value ? "slot" : "slot open";
      slot.setAttribute("aria-label", words.picker.slot(at + 1, value));
      slot.append(value ? die(value) : place());
      slot.addEventListener("click", () => { values[at] = null; draw(); slots.children[at].focus(); });
      return slot;
    }));
    const told = values.filter(Boolean);
    ok.textContent = said(told.length, count);
    if (coloured && !told.includes(coloured)) coloured = undefined;
    ok.disabled = (some ? told.length === 0 : told.length < count) || coloured === undefined;
    if (wild) ask([...new Set(told)].sort());
    for (const face of faces.children) face.disabled = told.length === count;
  }

  function ask(told) {
    const shown = [...told, null].map((value) => {
      const one = document.createElement("button");
      one.type = "button";
      one.className = "face";
      one.setAttribute("aria-label", words.picker.coloured(value));
      one.setAttribute("aria-pressed", String(coloured === value));
      one.append(value ? die(value, { colour: "red" }) : words.picker.none);
      one.addEventListener("click", () => { coloured = value; draw(); });
      return one;
    });
    const title = document.createElement("span");
    title.textContent = words.picker.which;
    which.replaceChildren(title, ...(told.length ? shown : []));
  }

  for (let value = 1; value <= 6; value += 1) {
    const face = document.createElement("button");
    face.type = "button";
    face.className = "face";
    face.setAttribute("aria-label", words.picker.face(value));
    face.append(die(value));
    face.addEventListener("click", () => {
      const at = values.indexOf(null);
      if (at >= 0) values[at] = value;
      draw();
    });
    faces.append(face);
  }
  ok.addEventListener("click", () => done(values.filter(Boolean).sort(), coloured));
  draw();
  all.append(slots, faces, which, ok);
  all.told = () => values.filter(Boolean);
  return all;
}
