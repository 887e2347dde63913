// The simulated tray: hands that throw and set aside, the panel with its lamps and buttons, and faults.

import { begin, belong, choice } from "./board.js";
import { $, all } from "./element.js";
import { film } from "./film.js";
import { live } from "./live.js";
import { ask, held, move, seat } from "./moves.js";
import { picker } from "./picker.js";
import { reach } from "./reach.js";
import { form } from "./start.js";
import { fill, words } from "./words.js";

const LONG_MS = 800;
const UNSEEN_MS = 4000; // a hand needs half of that
let cocked = 0;
let choices = 0; // made so far: a later one makes the wait for an earlier one pointless

/** `many` without `few`, as multisets. */
function without(many, few) {
  const rest = [...many];
  for (const value of few) if (rest.includes(value)) rest.splice(rest.indexOf(value), 1);
  return rest;
}

const same = (a, b) => a.length === b.length && !without(a, b).length;
const keep = (body) => move("games/current/keep", body);

/** Moves the chosen dice to the rail, as a hand would; a choice that takes dice back is made by phone. */
choice.set = async (body, faces) => {
  choices += 1;
  const number = choices;
  const { body: state } = await reach("state");
  if (!state || !state.game || !state.game.turn) return keep(body);
  const { turn } = state.game;
  const dice = faces.split(" ").map(Number);
  const [onRail, lying] = ["rail", "tray"].map((zone) => state.eye.dice.filter((one) => one.zone === zone).map((one) => one.value));
  const mine = without(onRail, without(turn.kept, turn.aside));
  const missing = without(dice, mine);
  const grows = same(without(dice, missing), mine);
  if (!grows || !missing.length || without(missing, lying).length) return keep(body);
  const moved = await ask("sim/aside", { dice: missing, coloured: Boolean(body.with_coloured) });
  // Where the tray does not see its rail, the choice is told as from a phone.
  if (moved) setTimeout(() => choices === number && keepUnseen(turn.throw_id, body, dice), UNSEEN_MS);
  return moved;
};

async function keepUnseen(thrown, body, dice) {
  const { turn } = (await reach("state")).body?.game || {};
  if (turn && turn.throw_id === thrown && turn.throw && !same(turn.aside, dice)) keep(body);
}

const due = () => Number($("panel").dataset.due);
let drawnFor = 0; // dice that the pickers were last drawn for
let fall = null;
const told = () => (fall ? fall.told() : []);

async function throwDice(values) {
  const thrown = await ask("sim/throw", { ...(values ? { values } : {}), ...(cocked ? { cocked } : {}) });
  if (!thrown) return;
  fall = null;
  drawPickers();
}

/** Values that were told stay told when another number of dice is due. */
function drawPickers() {
  drawnFor = due();
  cocked = 0;
  const count = drawnFor;
  $("sim-throw").textContent = fill(words.throw, { n: count });
  fall = picker(count, told().slice(0, count), throwDice, { name: fill(words.fall, { n: count }) });
  $("sim-values").replaceChildren(fall);
  $("sim-cocked").replaceChildren(...Array.from({ length: count + 1 }, (_, n) => new Option(n || words.none, n)));
}

function press(knob) {
  let since = 0;
  let timer = 0;
  const send = (long) => ask("sim/press", { button: knob.dataset.button, long });
  const down = () => {
    if (since) return;
    since = performance.now();
    knob.classList.add("down");
    timer = setTimeout(() => { since = -1; knob.classList.add("held"); send(true); }, LONG_MS);
  };
  const leave = () => {
    clearTimeout(timer);
    since = 0;
    knob.classList.remove("down", "held");
  };
  const up = () => {
    if (since > 0) send(false);
    leave();
  };
  const byKey = (act) => (event) => {
    if (event.repeat || ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    act();
  };
  Object.assign(knob, { onpointerdown: down, onpointerup: up, onpointerleave: leave, onkeydown: byKey(down), onkeyup: byKey(up) });
}

async function sit() {
  if (held.length) return;
  const found = await ask("join", { code: document.body.dataset.code, name: words.seat, plays: false });
  if (!found) return;
  held.push(found.seat);
  belong();
  form();
}

$("sim-throw").onclick = () => throwDice();
$("sim-cocked").onchange = ({ target }) => { cocked = Number(target.value); };
$("sim-dice").onchange = ({ target }) => ask("sim/dice", { set: target.value });
all(".knob").forEach(press);
for (const fault of all("[data-fault]")) fault.onclick = () => ask("sim/fault", { kind: fault.dataset.fault, seconds: 10 });
begin();
live.changed(() => due() !== drawnFor && drawPickers());
drawPickers();
film($("sim-film"), (n) => `/api/v1/sim/picture?${n}`);
seat.taken = sit();
