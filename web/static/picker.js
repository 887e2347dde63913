// Telling a throw by tapping dice: places that fill from left to right, and the six faces as keys.

import { die, place } from "/static/dice.js";
import { words } from "/static/words.js";

/** `known`: values told already, null where one is asked for. `done` gets the sorted values. `said(told, count)` names
    the button. `some`: fewer dice than places will do. The element's `told()` gives the values so far. */
export function picker(count, known, done, { some = false, said = some ? words.picker.some : words.picker.ok } = {}) {
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
    ok.disabled = some ? told.length === 0 : told.length < count;
    for (const face of faces.children) face.disabled = told.length === count;
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
  ok.addEventListener("click", () => done(values.filter(Boolean).sort()));
  draw();
  all.append(slots, faces, ok);
  all.told = () => values.filter(Boolean);
  return all;
}
