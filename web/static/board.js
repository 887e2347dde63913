// The scoreboard: puts in place what the tray has drawn, and makes the moves that belong to this phone.

import { called } from "./dice.js";
import { $, all, make } from "./element.js";
import { live } from "./live.js";
import { ask, mine, move, say } from "./moves.js";
import { parse, patch } from "./patch.js";
import { picker } from "./picker.js";
import { fill, words } from "./words.js";

const { classList } = document.body;
let felt = ""; // as it came last

/** How dice are set aside. The simulated tray moves them instead. */
export const choice = { set: (body) => move("games/current/keep", body) };

function draw({ sections, mood, title, call }) {
  for (const html of Object.values(sections)) put(html);
  if (!mood.includes("won")) classList.remove("another");
  for (const word of ["playing", "asking", "won"]) classList.toggle(word, mood.includes(word) && !classList.contains("another"));
  document.title = title;
  $("odds").classList.toggle("old", $("odds").dataset.rev !== String(live.rev));
  if (sections.sheet) turnTo($("sheet").dataset.shows);
  else belong();
  if (call) callOut(call);
}

function put(html) {
  const now = parse(html);
  const old = $(now.id);
  const thrown = now.dataset.throw;
  const fresh = thrown && thrown !== old.dataset.throw;
  if (now.id === "felt") felt = html;
  patch(old, now);
  if (fresh) $("throw").classList.add("fresh");
}

/** Shows and enables what belongs to this phone. */
export function belong() {
  for (const one of all("[data-for]")) {
    if ("disabled" in one) one.disabled = !mine(one.dataset.for);
    else one.hidden = !mine(one.dataset.for);
  }
  for (const one of all("[data-not-for]")) one.hidden = mine(one.dataset.notFor);
  for (const one of all("[data-switch]")) one.setAttribute("aria-pressed", classList.contains(one.dataset.switch));
  advise();
  // Pictures are asked for by those only who are shown them, and so are graphs.
  for (const one of all("[data-src]")) if (!one.closest("[hidden]") && one.getAttribute("src") !== one.dataset.src) one.src = one.dataset.src;
  for (const one of all("[data-html]")) {
    if (one.closest("[hidden]") || one.made === one.dataset.html) continue;
    one.made = one.dataset.html;
    fetch(one.made).then(async (answer) => { if (answer.ok) one.innerHTML = await answer.text(); }, () => { one.made = ""; });
  }
  for (const one of all("[data-picker]")) {
    if (one.closest("[hidden]") || one.made === one.dataset.picker) continue;
    one.made = one.dataset.picker;
    const { count, known, some, wild, ask: path, body } = JSON.parse(one.made);
    const send = (values, coloured) => act(one, path, { ...body, values, ...(coloured ? { coloured } : {}) });
    one.replaceChildren(picker(count, known, send, { some, wild }));
  }
}

// Nobody is advised against their will: each player chooses on their own phone, and it is off until they do.

const advice = () => JSON.parse(localStorage.getItem("advice") || "{}");

function advise() {
  const { mover, player } = $("odds").dataset;
  document.body.dataset.advice = (mover && mine(mover) && advice()[player]) || "off";
  for (const one of all("[data-adviser]")) one.value = advice()[one.dataset.adviser] || "off";
}

document.onchange = ({ target }) => {
  const { adviser } = target.dataset;
  if (!adviser) return;
  localStorage.setItem("advice", JSON.stringify({ ...advice(), [adviser]: target.value }));
  advise();
};

/** One sentence for those who listen, when something happened. */
function callOut(said) {
  $("call").textContent = said;
  const ticker = $("ticker");
  if (ticker) ticker.replaceChildren(...[make("li", "", said), ...ticker.children].slice(0, 3));
}

document.onclick = ({ target }) => {
  const one = target.closest("button");
  if (!one) return;
  const { ask: path, body, open, sure, switch: name } = one.dataset;
  if (one.matches(".spot")) tap(one);
  else if (sure && one.textContent !== sure) one.textContent = sure;
  else if (one.id === "more") openSheet();
  else if (name) one.setAttribute("aria-pressed", classList.toggle(name));
  else if (open) page(open);
  else if (one.dataset.faces) keep(one);
  else if (path) act(one, path, JSON.parse(body || "{}"));
};

async function act(one, path, body) {
  const found = await (path.startsWith("games") ? move : ask)(path, body);
  if (!found) return;
  if (one.closest("#sheet")) show(false);
}

const lifted = () => all(".spot.chosen");

function lift(spot, up) {
  spot.classList.toggle("chosen", up);
  spot.setAttribute("aria-pressed", up);
}

function tap(spot) {
  lift(spot, !spot.matches(".chosen"));
  const values = lifted().map((one) => one.dataset.value).sort();
  const joins = lifted().some((one) => "wild" in one.dataset);
  const fits = ({ dataset }) => dataset.faces === values.join(" ") && Boolean(JSON.parse(dataset.body).with_coloured) === joins;
  const option = all("#options button").find(fits);
  if (option) keep(option, lifted());
  else if (values.length) say(fill(words.notScoring, { n: values.length, dice: values.map(called).join(" ") }));
}

/** The dice that an option sets aside, as they lie. */
function dice({ faces, body }) {
  const rest = faces.split(" ");
  const wild = JSON.parse(body).with_coloured;
  const spots = all("#throw .spot").sort((a, b) => ("wild" in b.dataset) - ("wild" in a.dataset));
  return spots.filter((one) => {
    const place = "wild" in one.dataset && wild === false ? -1 : rest.indexOf(one.dataset.value);
    return place >= 0 && rest.splice(place, 1);
  });
}

/** The dice lift at once; when the tray refuses they lie down again. */
async function keep(option, chosen = dice(option.dataset)) {
  for (const spot of all("#throw .spot")) lift(spot, chosen.includes(spot));
  const throwNow = $("felt").dataset.throw;
  if (await choice.set(JSON.parse(option.dataset.body), option.dataset.faces)) return;
  if (throwNow !== $("felt").dataset.throw) return;
  patch($("felt"), parse(felt));
  belong();
}

// The sheet: the quiet moves.

function show(open) {
  $("sheet").hidden = !open;
  $("more").setAttribute("aria-expanded", open);
  if (!open) $("more").focus();
}

function openSheet() {
  show(true);
  page("menu");
}

function page(name) {
  turnTo(name);
  $("sheet-title").focus();
}

function turnTo(name) {
  const pages = all("[data-page]");
  const found = pages.find((one) => one.dataset.page === name) || pages[0];
  for (const one of pages) one.hidden = one !== found;
  if (found) $("sheet-title").textContent = found.dataset.title;
  $("sheet").dataset.shows = name;
  belong();
}

export function begin() {
  if ($("sheet")) {
    $("sheet-close").onclick = () => show(false);
    $("sheet").onkeydown = ({ key }) => { if (key === "Escape") show(false); };
  }
  felt = $("felt").outerHTML;
  belong();
  live.changed(draw);
  live.start();
}

if (!classList.contains("sim")) begin();
