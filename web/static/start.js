// A new game: names typed once and remembered on this phone, rules, target.

import { $, all, button, make } from "./element.js";
import { live } from "./live.js";
import { ask, say, seat } from "./moves.js";
import { reach } from "./reach.js";
import { words } from "./words.js";

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
export function wanted(yes = asked) {
  asked = yes;
  return asked;
}

/** Who plays unless somebody changes it. */
export const firstNames = { players: () => (seat.id ? [{ name: seat.name, seat: seat.id }] : []) };

const remembered = () => JSON.parse(localStorage.getItem("names") || "[]");
const kept = (key) => JSON.parse(sessionStorage.getItem(key) || "null");

export function drawStart(state) {
  // The MODE button of the tray may have chosen other rules.
  if (list && offered !== state.offered) pick(state.offered);
  offered = state.offered;
  if (list) return;
  list = kept("players") || firstNames.players();
  sessionStorage.setItem("home", location.pathname);
  drawCards();
  pick(brought() || state.offered);
  findSeats();
}

/** Rules that the page of options has sent here: changed ones, or the name of known ones. */
function brought() {
  const card = kept("rules");
  if (!card || !card.rules) return card && card.name;
  presets = [card, ...presets.filter((one) => one.name)];
  drawCards();
  return card;
}

/** `what`: a card, or the name of one. */
function pick(what) {
  const card = presets.find((one) => one === what || one.name === what);
  if (!card) return findRules(what);
  chosen = card;
  $("chosen").textContent = card.title;
  $("preset-says").textContent = card.description;
  $("preset-notes").replaceChildren(...card.notes.map((note) => make("li", "", note)));
  for (const [id, page] of [["chosen-sheet", ""], ["chosen-change", "/change"]]) {
    $(id).hidden = !card.name;
    $(id).href = `/rules/${card.name}${page}`;
  }
  for (const box of all("input", $("cards"))) box.checked = presets[box.value] === card;
  const goals = GOALS.filter((goal) => goal !== card.target);
  $("goal").replaceChildren(...goals.map((goal) => new Option(words.start.goal(goal, card.target), goal)));
  drawNames();
}

function drawCards() {
  $("cards").replaceChildren(...presets.map((card, at) => {
    const checked = Boolean(chosen) && card.title === chosen.title;
    return make("label", "card", [
      make("input", "", [], { type: "radio", name: "preset", value: at, checked }),
      make("b", "", card.title), " ",
      make("span", "tag", words.start.own, { hidden: !card.own }),
      make("span", "hint", card.description),
    ]);
  }));
}

/** House rules may have been saved on another phone meanwhile. Unheard, the rules known so far can still be chosen. */
async function findRules(name) {
  const { status, body } = await reach("rules");
  if (status !== 200) return;
  const { rules } = body;
  // Drawn again only when there are others: the keyboard may be among them.
  if (JSON.stringify(rules) !== JSON.stringify(presets.filter((one) => one.name))) {
    presets = [...presets.filter((one) => !one.name), ...rules];
    drawCards();
  }
  if (name) pick(rules.find((one) => one.name === name) || rules[0]);
}

$("choose").ontoggle = () => $("choose").open && findRules();
$("cards").onchange = ({ target }) => {
  sessionStorage.removeItem("rules");
  pick(presets[target.value]);
};
// Arrow keys go through the cards one by one: only a tap, Enter or Space has chosen.
$("cards").onclick = ({ detail, target }) => detail && target.closest("label") && fold();
$("cards").onkeydown = (event) => onEnter(event, fold);

function onEnter(event, act) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  act();
}

function fold() {
  $("choose").open = false;
  $("choose").firstElementChild.focus();
}

/** Unheard, names can still be typed. */
async function findSeats() {
  const { status, body } = await reach("seats");
  if (status !== 200) return;
  seats = body.seats.filter((one) => one.name !== words.sim.seat);
  // Whose phone has left still plays, by name.
  if (list) list = list.map((one) => (body.seats.some((seated) => seated.id === one.seat) ? one : { ...one, seat: null }));
  drawNames();
}

setInterval(() => { if (!$("start").hidden && document.visibilityState === "visible") findSeats(); }, 5000);

const alike = (a, b) => a.toLowerCase() === b.toLowerCase();
const taken = (name) => list.some((player) => alike(player.name, name));
const free = () => seats.filter((one) => !list.some((player) => player.seat === one.id)).map(({ name, id }) => ({ name, seat: id }));

function add(player) {
  if (taken(player.name)) return say(words.start.taken(player.name));
  if (list.length < MOST) list.push(player);
  drawNames();
}

function typed() {
  const name = $("new-name").value.trim().replace(/\s+/g, " ");
  if (!name) return;
  $("new-name").value = "";
  add(free().find((one) => alike(one.name, name)) || { name, seat: null });
  $("new-name").focus();
}

function drawNames() {
  $("names").replaceChildren(...list.map((player, at) => {
    const change = (act) => () => { act(); drawNames(); };
    const up = change(() => list.splice(at - 1, 0, ...list.splice(at, 1)));
    const away = change(() => list.splice(at, 1));
    return make("li", "", [
      make("span", "name", player.name),
      ...(player.seat ? [make("span", "tag", words.start.phone)] : []),
      button("small", "↑", up, { "aria-label": words.start.up(player.name), disabled: at === 0 }),
      button("small", "✕", away, { "aria-label": words.start.remove(player.name) }),
    ]);
  }));
  const chips = [...free(), ...remembered().map((name) => ({ name, seat: null }))]
    .filter((one, at, found) => !taken(one.name) && found.findIndex((other) => other.name === one.name) === at);
  $("known").replaceChildren(...chips.slice(0, 8).map((one) =>
    button("chip", `+ ${one.name}`, () => add(one), { "aria-label": words.start.add(one.name), disabled: list.length >= MOST })));
  drawTeams();
  if (list.length) sessionStorage.setItem("players", JSON.stringify(list));
}

/** Team-mates never sit side by side: the teams throw in turn. */
function drawTeams() {
  const teams = chosen ? chosen.teams : 0;
  const sides = Array.from({ length: teams }, (_, team) => list.filter((_, at) => at % teams === team).map((one) => one.name));
  const said = sides.filter((names) => names.length).map((names, team) => words.start.team(team, names));
  const uneven = teams && (list.length % teams || list.length < teams) ? teams - (list.length % teams) : 0;
  if (uneven) said.push(words.start.uneven(teams, uneven));
  $("team-list").hidden = !teams;
  $("team-list").textContent = said.join(" ");
  const short = uneven || Math.max(0, LEAST - list.length);
  $("go").disabled = short > 0;
  $("go").textContent = short ? words.start.need(short) : words.start.go(list.length);
}

$("add").onclick = typed;
$("new-name").onkeydown = (event) => onEnter(event, typed);
$("start-form").onsubmit = async (event) => {
  event.preventDefault();
  if ($("new-name").value.trim()) typed();
  const goal = Number($("goal").value);
  const known = chosen.rules || chosen.name;
  const rules = goal ? { ...(chosen.rules || { base: known }), "win.target": goal } : known;
  const state = await ask("games", { rules, players: list.map((player) => player.seat || player.name), rev: live.state.rev });
  if (!state) return;
  const names = new Set([...list.filter((player) => !player.seat).map((player) => player.name), ...remembered()]);
  localStorage.setItem("names", JSON.stringify([...names].slice(0, 16)));
  list = null;
  for (const key of ["rules", "players"]) sessionStorage.removeItem(key);
  wanted(false);
  live.take(state);
};
