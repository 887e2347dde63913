// A new game: the form is drawn by the tray, again after each change, and kept on this phone until the game begins.

import { $ } from "./element.js";
import { live } from "./live.js";
import { move, say } from "./moves.js";
import { parse, patch } from "./patch.js";

const LOOK_MS = 5000;
const remembered = () => JSON.parse(localStorage.getItem("names") || "[]");
const { classList } = document.body;
const shows = () => $("start") && getComputedStyle($("start")).display !== "none";
let queue = Promise.resolve();
let kept = sessionStorage.getItem("start"); // as it was when this tab went to another page

/** Asks for the form as it is once `act` is done with it, one after the other; what is typed meanwhile stays. */
export function form(act = "") {
  queue = queue.then(() => fetchForm(act));
  return queue;
}

async function fetchForm(act) {
  const now = $("start-form");
  const filled = new URLSearchParams(kept || (now ? new FormData(now) : ""));
  const changed = sessionStorage.getItem("rules"); // by the page of options
  if (changed) filled.set("changed", changed);
  if (changed) filled.set("rules", "changed");
  filled.set("act", act);
  for (const name of remembered()) filled.append("known", name);
  const answer = await fetch("/start", { method: "POST", body: filled }).catch(() => null);
  // Unheard, the form stays as it is.
  if (!answer || !answer.ok) return;
  const made = parse(await answer.text());
  kept = "";
  if (now) patch(now, made);
  else $("start").append(made);
  const { said } = $("start-form").dataset;
  if (said) say(said);
  sessionStorage.removeItem("rules");
  sessionStorage.setItem("start", new URLSearchParams(new FormData($("start-form"))));
  sessionStorage.setItem("home", location.pathname);
}

function add() {
  const name = $("new-name");
  const typed = name.value;
  name.value = "";
  name.focus();
  return typed.trim() ? form(`add:${typed}`) : null;
}

async function begin(event) {
  event.preventDefault();
  await add();
  if ($("go").disabled) return;
  const { rules, players } = JSON.parse($("start-form").dataset.game);
  const goal = Number($("goal").value);
  const known = typeof rules === "string" ? { base: rules } : rules;
  const state = await move("games", { rules: goal ? { ...known, "win.target": goal } : rules, players });
  if (!state) return;
  const names = state.game.players.filter((player) => !player.seat).map((player) => player.name);
  localStorage.setItem("names", JSON.stringify([...new Set([...names, ...remembered()])].slice(0, 16)));
  for (const key of ["rules", "start"]) sessionStorage.removeItem(key);
  $("start-form").remove();
  classList.remove("another");
}

/** Only a tap, Enter or Space has chosen: arrow keys go through the cards one by one. */
function fold() {
  $("choose").open = false;
  $("choose").firstElementChild.focus();
}

const start = $("start");
if (start) {
  start.onsubmit = begin;
  start.onclick = ({ target, detail }) => {
    const { act } = (target.closest("button") || {}).dataset || {};
    if (target.id === "add") add();
    else if (act) form(act);
    else if (detail && target.closest("label.card")) fold();
  };
  start.onchange = ({ target }) => target.name === "rules" && form();
  start.onkeydown = (event) => {
    const { key, target } = event;
    const act = target.id === "new-name" ? add : target.name === "rules" ? fold : null;
    if (key !== "Enter" || !act) return;
    event.preventDefault();
    act();
  };
  live.changed(({ offered }) => shows() && offered !== ($("start-form") || start).dataset.offered && form());
  setInterval(() => shows() && document.visibilityState === "visible" && form(), LOOK_MS);
  document.addEventListener("click", ({ target }) => {
    if (target.id !== "other") return;
    classList.add("another");
    classList.remove("won");
    form();
  });
  if (shows() && (!$("start-form") || sessionStorage.getItem("start") || sessionStorage.getItem("rules") || remembered().length)) form();
}
