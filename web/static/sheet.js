// The quiet moves: a throw by hand, a correction, the end of a game, giving up a seat.

import { $, button } from "./element.js";
import { live } from "./live.js";
import { ask, mayAct, move, seat } from "./moves.js";
import { picker } from "./picker.js";
import { words } from "./words.js";

let lastThrow = null; // {id, values}: the last throw that this page has seen
let opener = null;

/** Keeps in mind what the sheet would offer, so that a correction is possible after the turn has passed. */
export function offerSheet({ game }) {
  const { turn, last, throws } = game || {};
  if (!game) lastThrow = null;
  else if (turn && turn.throw) lastThrow = { id: turn.throw_id, values: turn.throw };
  else if (last && last.throw.length) lastThrow = { id: throws, values: last.throw };
  if (lastThrow && lastThrow.id > throws) lastThrow = null;
}

function show(open) {
  $("sheet").hidden = !open;
  $("more").setAttribute("aria-expanded", open);
}

export function openSheet() {
  opener = document.activeElement;
  show(true);
  menu();
}

function closeSheet() {
  show(false);
  opener.focus();
}

$("sheet-close").onclick = closeSheet;
$("sheet").onkeydown = (event) => { if (event.key === "Escape") closeSheet(); };

function page(title, ...content) {
  $("sheet-title").textContent = title;
  $("sheet-body").replaceChildren(...content);
  $("sheet-title").focus();
}

function menu() {
  const { turn, last, may_redo, throws } = live.state.game || {};
  const may = (one) => one && mayAct(live.state.game, one.player);
  const offers = [
    [may(turn), words.sheet.enter, enter],
    [lastThrow && (may(turn) || may(last)), lastThrow && words.sheet.correct(lastThrow.values), correct],
    [may_redo && (!turn || may(turn) || may(last)), words.sheet.redo, redo],
    [throws, words.sheet.all, () => location.assign("/history/current")],
    [turn, words.sheet.end, end],
    [seat.id, words.sheet.leave, leave],
  ];
  page(words.sheet.title, ...offers.filter(([is]) => is).map(([, said, act]) => button("wide", said, act)));
}

function enter() {
  const { turn } = live.state.game;
  const count = Math.max(turn.dice_left, turn.proposed.length);
  page(words.sheet.enterTitle, picker(count, turn.proposed, sendThen("throws"), { some: true, wild: asksColour(turn) }));
}

function correct() {
  const { id, values } = lastThrow;
  page(words.sheet.correctTitle, picker(values.length, values, sendThen("correct", { throw: id }), { wild: asksColour() }));
}

export const thrown = (values, coloured) => (coloured ? { values, coloured } : { values });
/** Whether the coloured die may be among the dice told. `turn`: of which they are the next throw. */
export const asksColour = (turn) => live.state.game.wild_colour !== null && (!turn || turn.coloured_due || turn.coloured !== null);

const sendThen = (kind, more) => async (values, coloured) => {
  if (await move(kind, { ...more, ...thrown(values, coloured) })) closeSheet();
};

async function redo() {
  if (await move("redo")) menu();
}

async function end({ target }) {
  if (!target.dataset.sure) {
    target.dataset.sure = "yes";
    target.textContent = words.sheet.endSure;
  } else if (await move("end")) closeSheet();
}

async function leave() {
  await ask("leave");
  location.assign("/");
}
