// The quiet moves: a throw by hand, a correction, the end of a game, giving up a seat.

import { live } from "/static/live.js";
import { ask, mayAct, move, seat } from "/static/moves.js";
import { picker } from "/static/picker.js";
import { words } from "/static/words.js";

const $ = (id) => document.getElementById(id);
let lastThrow = null; // {id, values}: the last throw that this page has seen
let opener = null;

/** Keeps in mind what the sheet would offer, so that a correction is possible after the turn has passed. */
export function offerSheet({ game }) {
  if (!game) lastThrow = null;
  else if (game.turn && game.turn.throw) lastThrow = { id: game.turn.throw_id, values: game.turn.throw };
  else if (game.last && game.last.throw.length) lastThrow = { id: game.throws, values: game.last.throw };
  if (lastThrow && game && lastThrow.id > game.throws) lastThrow = null;
}

export function openSheet() {
  opener = document.activeElement;
  $("sheet").hidden = false;
  $("more").setAttribute("aria-expanded", "true");
  menu();
}

export function closeSheet() {
  $("sheet").hidden = true;
  $("more").setAttribute("aria-expanded", "false");
  if (opener) opener.focus();
}

$("sheet-close").addEventListener("click", closeSheet);
$("sheet").addEventListener("keydown", (event) => { if (event.key === "Escape") closeSheet(); });

function page(title, ...content) {
  $("sheet-title").textContent = title;
  $("sheet-body").replaceChildren(...content);
  $("sheet-title").focus();
}

function button(said, act) {
  const one = document.createElement("button");
  one.type = "button";
  one.className = "wide";
  one.textContent = said;
  one.addEventListener("click", () => act(one));
  return one;
}

function menu() {
  const { game } = live.state;
  const turn = game && game.turn;
  const moves = [];
  if (turn && mayAct(game, turn.player)) moves.push(button(words.sheet.enter, enter));
  const corrects = game && ((turn && mayAct(game, turn.player)) || (game.last && mayAct(game, game.last.player)));
  if (lastThrow && corrects) moves.push(button(words.sheet.correct(lastThrow.values), correct));
  if (turn) moves.push(button(words.sheet.end, end));
  if (seat.id) moves.push(button(words.sheet.leave, leave));
  page(words.sheet.title, ...moves);
}

function enter() {
  const { turn } = live.state.game;
  const count = Math.max(turn.dice_left, turn.proposed.length);
  page(words.sheet.enterTitle, picker(count, turn.proposed, sendThen("throws", thrown), { some: true, wild: asksColour(turn) }));
}

function correct() {
  const { id, values } = lastThrow;
  const send = sendThen("correct", (told, coloured) => ({ throw: id, ...thrown(told, coloured) }));
  page(words.sheet.correctTitle, picker(values.length, values, send, { wild: asksColour() }));
}

export const thrown = (values, coloured) => (coloured ? { values, coloured } : { values });
/** Whether the coloured die may be among the dice told. `turn`: of which they are the next throw. */
export const asksColour = (turn) => live.state.game.wild_colour !== null && (!turn || turn.coloured_due || turn.coloured !== null);

const sendThen = (kind, body) => async (values, coloured) => {
  if (await move(kind, body(values, coloured))) closeSheet();
};

function end(one) {
  if (one.dataset.sure) {
    move("end").then((state) => state && closeSheet());
    return;
  }
  one.dataset.sure = "yes";
  one.textContent = words.sheet.endSure;
}

async function leave() {
  await ask("leave");
  location.assign("/");
}
