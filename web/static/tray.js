// What lies in the tray, drawn large: the dice of the throw from left to right as they lie, and the dice kept before.

import { die, place, without } from "./dice.js";
import { $, button, make } from "./element.js";
import { words } from "./words.js";

const byPlace = (a, b) => a.x - b.x;
/** All dice that an option sets aside, the coloured one included. */
export const facesOf = (option, turn) => (option.with_coloured ? [...option.dice, turn.coloured].sort() : option.dice);
let drawn = "";
let key = "";
let order = []; // the throw's dice in the order they came to lie, for as long as it is open

/** The seen die of this value that fits best, taken out of `pool`. */
function match(pool, value, zone) {
  let at = pool.findIndex((seen) => seen.value === value && seen.zone === zone);
  if (at < 0) at = pool.findIndex((seen) => seen.value === value);
  return at < 0 ? { value, colour: "", angle: 0 } : pool.splice(at, 1)[0];
}

function openThrow({ id, turn }, eye) {
  const now = `${id}/${turn.throw_id}/${turn.throw}`;
  if (now !== key) {
    key = now;
    const pool = [...eye.dice].sort(byPlace);
    order = turn.throw.map((value) => match(pool, value, "tray"));
    if (order.every((one) => one.x !== undefined)) order.sort(byPlace);
    markColoured(order, turn.coloured);
  }
  return order;
}

/** The die that is coloured, of those that show what it shows: the one whose colour no other has, else any. */
function markColoured(dice, value) {
  const may = dice.filter((one) => one.value === value);
  const odd = may.find((one) => dice.filter((other) => other.colour === one.colour).length === 1) || may[0];
  if (odd) odd.wild = true;
}

/** Which of `dice` are chosen: as many of each value as `aside` holds, the coloured die first when it is among them. */
function chosen(dice, { aside, with_coloured: joins }) {
  const rest = [...aside];
  const marks = [];
  const wild = (at) => (dice[at].wild ? (joins ? 1 : -1) : 0);
  for (const at of [...dice.keys()].sort((a, b) => wild(b) - wild(a))) {
    const found = rest.indexOf(dice[at].value);
    if (found >= 0) rest.splice(found, 1);
    marks[at] = found >= 0;
  }
  return marks;
}

function near(seen, doubts, eye) {
  const tall = eye.height / eye.width;
  return seen.state !== "flat" || seen.value === null ||
    doubts.some((doubt) => Math.hypot(doubt.x - seen.x, (doubt.y - seen.y) * tall) < seen.size);
}

/** What to draw: dice with marks, in the order they lie. `picked`: places tapped on this phone. */
export function lying({ eye, game }, picked) {
  const turn = game && game.turn;
  const due = turn ? turn.dice_left : game ? game.dice : 6;
  if (eye.state === "rolling" || eye.state === "settling") return { kind: "moving", dice: Array(due).fill(null) };
  const inTray = eye.dice.filter((one) => one.zone !== "rail").sort(byPlace);
  if (turn && turn.doubts.length && eye.state === "unsure") {
    return { kind: "unsure", dice: inTray.map((one) => ({ ...one, asked: near(one, turn.doubts, eye) })) };
  }
  if (turn && turn.throw) {
    const dice = openThrow(game, eye);
    const marks = picked.size ? dice.map((_, at) => picked.has(at)) : chosen(dice, turn);
    const scoring = new Set(turn.options.flatMap((option) => facesOf(option, turn)));
    return { kind: "open", dice: dice.map((one, at) => ({ ...one, chosen: marks[at], dead: !scoring.has(one.value) })) };
  }
  if (inTray.length) return { kind: turn ? "past" : "seen", dice: inTray.map((one) => ({ ...one, asked: one.value === null })) };
  return { kind: "none", dice: Array(turn ? due : 0).fill(null) };
}

/** `tap(place)`: called for a die of the open throw when this phone may choose; null when it may not. */
export function drawTray(state, picked, tap) {
  const shown = lying(state, picked);
  const kept = keptBefore(state);
  const now = JSON.stringify([shown, kept, Boolean(tap)]);
  if (now === drawn) return;
  const fresh = shown.kind === "open" && !drawn.includes(`"throw":"${key}"`);
  drawn = `${now}"throw":"${key}"`;
  const row = $("throw");
  const focus = [...row.children].indexOf(document.activeElement);
  document.querySelector(".felt").hidden = !state.game && !shown.dice.length;
  document.querySelector(".rail").hidden = !state.game;
  row.className = `throw ${shown.kind}${fresh ? " fresh" : ""}`;
  row.replaceChildren(...shown.dice.map((one, at) => spot(one, shown.kind === "open" && tap && (() => tap(at)))));
  if (focus >= 0 && row.children[focus]) row.children[focus].focus();
  $("rail").replaceChildren(...kept.map((one) => die(one.value, { ...one, label: `${one.value}` })));
  $("rail-word").hidden = !kept.length;
}

function spot(one, tap) {
  if (!one) return make("span", "spot", place());
  const { value, colour, angle } = one;
  const marks = ["spot", ...["chosen", "dead", "asked"].filter((mark) => one[mark])].join(" ");
  const label = value ? words.die(value, one.chosen) : words.unread;
  if (!tap) return make("span", marks, die(value, { colour, angle, label }));
  return button(marks, die(value, { colour, angle }), tap, { "aria-label": label, "aria-pressed": Boolean(one.chosen) });
}

/** Dice set aside from earlier throws of this turn, in their colours where the tray sees them. */
function keptBefore({ eye, game }) {
  const turn = game && game.turn;
  if (!turn) return [];
  const pool = eye.dice.filter((one) => one.zone === "rail").sort(byPlace);
  const before = turn.throw ? without(turn.kept, turn.aside) : turn.kept;
  return before.map((value) => {
    const { colour, angle } = match(pool, value, "rail");
    return { value, colour, angle };
  });
}
