// The simulated tray: hands that throw and set aside, the panel with its lamps and buttons, and faults.

import { begin, choice, draw } from "./board.js";
import { same, without } from "./dice.js";
import { $, all, make } from "./element.js";
import { film } from "./film.js";
import { live } from "./live.js";
import { ask, move, seat } from "./moves.js";
import { picker } from "./picker.js";
import { firstNames } from "./start.js";
import { facesOf } from "./tray.js";
import { words } from "./words.js";

const LONG_MS = 800;
const UNSEEN_MS = 4000; // a hand needs half of that
let cocked = 0;
let choices = 0; // made so far: a later one makes the wait for an earlier one pointless

/** Moves the chosen dice to the rail, as a hand would; a choice that takes dice back is made by phone. */
choice.set = async (option) => {
  choices += 1;
  const number = choices;
  const { game, eye } = live.state;
  const { turn } = game;
  const dice = facesOf(option, turn);
  const onRail = eye.dice.filter((one) => one.zone === "rail").map((one) => one.value);
  const mine = without(onRail, without(turn.kept, turn.aside));
  const missing = without(dice, mine);
  const grows = same(without(dice, missing), mine);
  const lying = eye.dice.filter((one) => one.zone === "tray").map((one) => one.value);
  if (!grows || !missing.length || without(missing, lying).length) return move("keep", option);
  const moved = await ask("sim/aside", { dice: missing, coloured: Boolean(option.with_coloured) });
  // Where the tray does not see its rail, the choice is told as from a phone.
  if (moved) setTimeout(() => choices === number && keepUnseen(turn.throw_id, option, dice), UNSEEN_MS);
  return moved;
};

function keepUnseen(thrown, { dice: plain, with_coloured }, dice) {
  const { turn } = live.state.game || {};
  if (turn && turn.throw_id === thrown && turn.throw && !same(turn.aside, dice)) move("keep", { dice: plain, with_coloured });
}

firstNames.players = () => ["Ann", "Bo"].map((name) => ({ name, seat: null }));

function due() {
  const { game } = live.state;
  return game && game.turn ? game.turn.dice_left : game ? game.dice : 6;
}

let drawnFor = 0; // dice that the pickers were last drawn for
let fall = null;
const told = () => (fall ? fall.told() : []);

async function throwDice(values) {
  const thrown = await ask("sim/throw", { ...(values ? { values } : {}), ...(cocked ? { cocked } : {}) });
  if (!thrown) return;
  fall = null;
  drawPickers();
}

function drawPanel(state) {
  const { panel } = state;
  $("lamp-status").style.setProperty("--light", panel.status);
  $("lamp-status").classList.toggle("pulse", panel.pulse);
  $("lamp-word").textContent = panel.word;
  $("knob-bank").classList.toggle("lit", panel.bank);
  const bar = $("lamp-left");
  bar.setAttribute("aria-label", words.sim.left(panel.dice_left));
  bar.replaceChildren(...[0, 1, 2, 3, 4, 5].map((at) => make("span", at < panel.dice_left ? "lit" : "")));
  if (due() !== drawnFor) drawPickers();
}

/** Values that were told stay told when another number of dice is due. */
function drawPickers() {
  drawnFor = due();
  cocked = 0;
  const count = drawnFor;
  $("sim-throw").textContent = words.sim.throw(count);
  fall = picker(count, told().slice(0, count), throwDice, { said: () => words.sim.fall(count) });
  $("sim-values").replaceChildren(fall);
  $("sim-cocked").replaceChildren(...Array.from({ length: count + 1 }, (_, n) => new Option(n || words.sim.any, n)));
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
  if (seat.id) return;
  const found = await ask("join", { code: document.body.dataset.code, name: words.sim.seat });
  if (!found) return;
  Object.assign(seat, { id: found.seat, name: found.name });
  draw(live.state);
}

$("sim-throw").onclick = () => throwDice();
$("sim-cocked").onchange = ({ target }) => { cocked = Number(target.value); };
$("sim-dice").onchange = ({ target }) => ask("sim/dice", { set: target.value });
all(".knob").forEach(press);
for (const fault of all("[data-fault]")) fault.onclick = () => ask("sim/fault", { kind: fault.dataset.fault, seconds: 10 });
live.changed(drawPanel);
begin();
film($("sim-film"), (n) => `/api/v1/sim/picture?${n}`);
sit();
