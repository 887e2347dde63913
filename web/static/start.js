// A new game: names typed once and remembered on this phone, rules, target.

import { live } from "/static/live.js";
import { ask, say, seat } from "/static/moves.js";
import { words } from "/static/words.js";

const $ = (id) => document.getElementById(id);
let presets = JSON.parse($("presets").textContent);
const GOALS = [0, 1000, 2500, 5000, 10000, 20000];
const LEAST = 2;
const MOST = 8;

let list = null; // [{name, seat}]
let chosen = null; // a card: known rules by name, or changed ones in full
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
  // The MODE button of the tray may have chosen other rules.
  if (list && offered !== state.offered) pick(state.offered);
  offered = state.offered;
  if (list) return;
  list = JSON.parse(sessionStorage.getItem("players") || "null") || firstNames.players();
  sessionStorage.setItem("home", location.pathname);
  drawCards();
  pick(brought() || state.offered);
  findSeats();
}

/** Rules that the page of options has sent here: changed ones, or the name of known ones. */
function brought() {
  const card = JSON.parse(sessionStorage.getItem("rules") || "null");
  if (!card) return null;
  if (card.rules) {
    presets = [card, ...presets.filter((one) => one.name)];
    drawCards();
  }
  return card.rules ? card : card.name;
}

/** `what`: a card, or the name of one. */
function pick(what) {
  const card = presets.find((one) => one === what || one.name === what);
  if (!card) return findRules(what);
  chosen = card;
  $("chosen").textContent = card.title;
  $("preset-says").textContent = card.description;
  $("preset-notes").replaceChildren(...card.notes.map((note) => Object.assign(document.createElement("li"), { textContent: note })));
  for (const [id, page] of [["chosen-sheet", ""], ["chosen-change", "/change"]]) {
    $(id).hidden = !card.name;
    $(id).href = `/rules/${card.name}${page}`;
  }
  for (const box of $("cards").querySelectorAll("input")) box.checked = presets[box.value] === card;
  const { target } = card;
  $("goal").replaceChildren(...GOALS.filter((goal) => goal !== target).map((goal) => new Option(words.start.goal(goal, target), goal)));
  drawNames();
}

function drawCards() {
  $("cards").replaceChildren(...presets.map((card, at) => {
    const label = Object.assign(document.createElement("label"), { className: "card" });
    const box = Object.assign(document.createElement("input"), { type: "radio", name: "preset", value: at });
    box.checked = Boolean(chosen) && card.title === chosen.title;
    const title = Object.assign(document.createElement("b"), { textContent: card.title });
    const tag = Object.assign(document.createElement("span"), { className: "tag", textContent: words.start.own, hidden: !card.own });
    const line = Object.assign(document.createElement("span"), { className: "hint", textContent: card.description });
    label.append(box, title, " ", tag, line);
    return label;
  }));
}

/** House rules may have been saved on another phone meanwhile. */
async function findRules(name) {
  try {
    const answer = await fetch("/api/v1/rules", { cache: "no-store" });
    if (!answer.ok) return;
    const { rules } = await answer.json();
    // Drawn again only when there are others: the keyboard may be among them.
    if (JSON.stringify(rules) !== JSON.stringify(presets.filter((one) => one.name))) {
      presets = [...presets.filter((one) => !one.name), ...rules];
      drawCards();
    }
    if (name) pick(rules.find((one) => one.name === name) || rules[0]);
  } catch {
    // The rules known so far can still be chosen.
  }
}

$("choose").addEventListener("toggle", () => { if ($("choose").open) findRules(); });
$("cards").addEventListener("change", (event) => {
  sessionStorage.removeItem("rules");
  pick(presets[event.target.value]);
});
// Arrow keys go through the cards one by one: only a tap, Enter or Space has chosen.
$("cards").addEventListener("click", (event) => { if (event.detail && event.target.closest("label")) fold(); });
$("cards").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  fold();
});

function fold() {
  $("choose").open = false;
  $("choose").firstElementChild.focus();
}

async function findSeats() {
  try {
    const answer = await fetch("/api/v1/seats", { cache: "no-store" });
    if (!answer.ok) return;
    const here = (await answer.json()).seats;
    seats = here.filter((one) => one.name !== words.sim.seat);
    // Whose phone has left still plays, by name.
    if (list) list = list.map((one) => (here.some((seated) => seated.id === one.seat) ? one : { ...one, seat: null }));
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
  const short = Math.max(0, LEAST - list.length);
  $("go").disabled = short > 0;
  $("go").textContent = short ? words.start.need(short) : words.start.go(list.length);
  drawTeams();
  if (list.length) sessionStorage.setItem("players", JSON.stringify(list));
}

/** Team-mates never sit side by side: the teams throw in turn. */
function drawTeams() {
  const teams = chosen ? chosen.teams : 0;
  $("team-list").hidden = !teams;
  if (!teams) return;
  const over = list.length % teams;
  const sides = Array.from({ length: teams }, (_, team) => list.filter((_, at) => at % teams === team).map((one) => one.name));
  const said = sides.filter((names) => names.length).map((names, team) => words.start.team(team, names));
  const missing = over || list.length < teams ? [words.start.uneven(teams, teams - over)] : [];
  $("team-list").textContent = [...said, ...missing].join(" ");
  if (!missing.length) return;
  $("go").disabled = true;
  $("go").textContent = words.start.need(teams - over);
}

function small(said, label, off, act) {
  const one = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: said, disabled: off });
  one.setAttribute("aria-label", label);
  one.addEventListener("click", act);
  return one;
}

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
  const known = chosen.rules || chosen.name;
  const rules = goal ? { ...(chosen.rules || { base: known }), "win.target": goal } : known;
  const state = await ask("games", { rules, players: list.map((player) => player.seat || player.name), rev: live.state.rev });
  if (!state) return;
  remember(list.filter((player) => !player.seat).map((player) => player.name));
  list = null;
  for (const kept of ["rules", "players"]) sessionStorage.removeItem(kept);
  wanted(false);
  live.take(state);
});
