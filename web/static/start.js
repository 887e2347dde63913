// A new game: names typed once and remembered on this phone, rules, target.

import { live } from "/static/live.js";
import { ask, say, seat } from "/static/moves.js";
import { words } from "/static/words.js";

const $ = (id) => document.getElementById(id);
const presets = JSON.parse($("presets").textContent);
const GOALS = [0, 1000, 2500, 5000, 10000, 20000];
const LEAST = 2;
const MOST = 8;

let list = null; // [{name, seat}]
let seats = [];
let asked = false;
let offered = "";

/** Was another game asked for, on the page of a game that is over? */
export function wanted(yes) {
  if (yes !== undefined) asked = yes;
  return asked;
}

/** Who plays unless somebody changes it. */
export const firstNames = { players: () => (seat.id ? [{ name: seat.name, seat: seat.id }] : []) };

const remembered = () => JSON.parse(localStorage.getItem("names") || "[]");

function remember(names) {
  const all = [...names, ...remembered().filter((name) => !names.includes(name))];
  localStorage.setItem("names", JSON.stringify(all.slice(0, 16)));
}

export function drawStart(state) {
  if (list && offered !== state.offered) {
    // The MODE button of the tray has chosen other rules.
    $("preset").value = state.offered;
    drawGoals();
  }
  offered = state.offered;
  if (list) return;
  list = firstNames.players();
  $("preset").replaceChildren(...presets.map((preset) => new Option(preset.title, preset.name, false, preset.name === state.offered)));
  drawGoals();
  drawNames();
  findSeats();
}

function drawGoals() {
  const { target, description } = presets.find((one) => one.name === $("preset").value) || {};
  $("goal").replaceChildren(...GOALS.filter((goal) => goal !== target).map((goal) => new Option(words.start.goal(goal, target), goal)));
  $("preset-says").textContent = description || "";
}

async function findSeats() {
  try {
    const answer = await fetch("/api/v1/seats", { cache: "no-store" });
    if (answer.ok) seats = (await answer.json()).seats.filter((one) => one.name !== words.sim.seat);
    drawNames();
  } catch {
    // Without it names can still be typed.
  }
}

setInterval(() => { if (!$("start").hidden && document.visibilityState === "visible") findSeats(); }, 5000);

const taken = (name) => list.some((player) => player.name.toLowerCase() === name.toLowerCase());

function add(player) {
  if (taken(player.name)) return say(words.start.taken(player.name));
  if (list.length < MOST) list.push(player);
  drawNames();
}

function typed() {
  const name = $("new-name").value.trim().replace(/\s+/g, " ");
  if (!name) return;
  $("new-name").value = "";
  add(seats.find((one) => one.name.toLowerCase() === name.toLowerCase() && !list.some((p) => p.seat === one.id)) ? playerOf(name) : { name, seat: null });
  $("new-name").focus();
}

function playerOf(name) {
  const found = seats.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return { name: found.name, seat: found.id };
}

function drawNames() {
  $("names").replaceChildren(...list.map((player, at) => {
    const row = document.createElement("li");
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = player.name;
    row.append(name);
    if (player.seat) row.append(Object.assign(document.createElement("span"), { className: "tag", textContent: words.start.phone }));
    row.append(small("↑", words.start.up(player.name), at === 0, () => {
      list.splice(at - 1, 0, ...list.splice(at, 1));
      drawNames();
    }), small("✕", words.start.remove(player.name), false, () => {
      list.splice(at, 1);
      drawNames();
    }));
    return row;
  }));
  const chips = [
    ...seats.filter((one) => !list.some((player) => player.seat === one.id)).map((one) => ({ name: one.name, seat: one.id })),
    ...remembered().map((name) => ({ name, seat: null })),
  ].filter((one, at, all) => !taken(one.name) && all.findIndex((other) => other.name === one.name) === at);
  $("known").replaceChildren(...chips.slice(0, 8).map((one) => {
    const chip = small(`+ ${one.name}`, `Add ${one.name}`, list.length >= MOST, () => add(one));
    chip.className = "chip";
    return chip;
  }));
  $("go").disabled = list.length < LEAST;
  $("go").textContent = list.length < LEAST ? words.start.need(LEAST - list.length) : words.start.go(list.length);
}

function small(said, label, off, act) {
  const one = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: said, disabled: off });
  one.setAttribute("aria-label", label);
  one.addEventListener("click", act);
  return one;
}

$("preset").addEventListener("change", drawGoals);
$("add").addEventListener("click", typed);
$("new-name").addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
    typed();
  }
});
$("start-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if ($("new-name").value.trim()) typed();
  const goal = Number($("goal").value);
  const preset = $("preset").value;
  const rules = goal ? { base: preset, win: { target: goal } } : preset;
  const state = await ask("games", { rules, players: list.map((player) => player.seat || player.name), rev: live.state.rev });
  if (!state) return;
  remember(list.filter((player) => !player.seat).map((player) => player.name));
  list = null;
  wanted(false);
  live.take(state);
});
