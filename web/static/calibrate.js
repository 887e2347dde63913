// The page of a calibration: what the tray says of each step is put in place as it comes, and its outline is dragged.

import { $, all, button } from "./element.js";
import { film } from "./film.js";
import { picker } from "./picker.js";
import { reach } from "./reach.js";
import { words } from "./words.js";

const LOOK_MS = 300;
const CALM_MS = 700; // what is read aloud has stood so long
const PAIRING_MS = 60000;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const drawn = {}; // each part as it came last
let held = null; // the corner that is being moved
let telling = false; // what a roll shows is being told
let number = 0;

const tell = (sentence) => { $("said").textContent = sentence; };

async function look() {
  const asked = number += 1;
  try {
    const answer = await fetch("/calibrate/now", { cache: "no-store" });
    // What was asked before something was done is old.
    if (answer.ok && asked === number) show(await answer.text());
    if ($("said").textContent === words.offline) tell("");
  } catch {
    tell(words.offline);
  }
}

function show(html) {
  const now = new DOMParser().parseFromString(html, "text/html");
  const focus = document.activeElement.id;
  for (const id of ["seen", "step", "actions"]) {
    const part = now.getElementById(id);
    const waits = id === "seen" ? held : id === "actions" && telling && now.getElementById("wrong");
    if (waits || drawn[id] === part.outerHTML) continue;
    drawn[id] = part.outerHTML;
    $(id).replaceWith(part);
    if (id === "actions") telling = false;
  }
  if (focus && $(focus) && document.activeElement.id !== focus) $(focus).focus();
  call(all("[data-said]").map((one) => [one, ...all("svg", one)].map((each) => each.ariaLabel || each.textContent).join(" ")).join(" "));
}

/** For those who listen: the instruction and the hints, once they stand. */
function call(said) {
  if (said === call.last) return;
  call.last = said;
  clearTimeout(call.timer);
  call.timer = setTimeout(() => { $("call").textContent = said.replace(/\s+/g, " "); }, CALM_MS);
}

async function act(deed, body = {}, until = performance.now() + PAIRING_MS) {
  const { body: answer, status } = await reach(`calibration/${deed}`, body);
  tell(status === 200 ? "" : answer ? answer.detail : words.offline);
  // The button is in another corner of the room: what was wanted happens by itself once it is held.
  if (answer && answer.pairing && performance.now() < until) setTimeout(act, 1500, deed, body, until);
  await look();
}

/** The hands at a simulated tray. */
async function hands(path, body) {
  const { body: answer } = await reach(`sim/${path}`, body);
  if (!answer || answer.detail) tell(answer ? answer.detail : words.offline);
}

/** What a roll shows, told by tapping. */
function askValues({ roll, values, count }) {
  const send = (told) => { telling = false; act("wrong", { roll: Number(roll), values: told }); };
  telling = true;
  const back = button("plain", words.back, () => { telling = false; look(); });
  drawn.actions = ""; // not as it came any more
  $("actions").replaceChildren(picker(Number(count), JSON.parse(values), send), back);
}

/** What a face without pips stands for; null for a pattern. */
function meaning(form) {
  const { value, name } = Object.fromEntries(new FormData(form));
  return value === "0" ? null : { value: Number(value), name };
}

$("main").onclick = ({ target }) => {
  const pressed = target.closest("button");
  if (!pressed) return;
  const { deed, body, hand } = pressed.dataset;
  if (deed === "faces") act(deed, { faces: all(".unnamed").map(meaning) });
  else if (deed === "name") act(deed, { name: $("name").value });
  else if (deed) act(deed, JSON.parse(body || "{}"));
  else if (hand) hands(hand, JSON.parse(body));
  else if (pressed.id === "wrong") askValues(pressed.dataset);
};
$("main").onsubmit = (event) => {
  event.preventDefault();
  $("go").click();
};
$("main").onchange = ({ target }) => target.id === "sim-dice" && hands("dice", { set: target.value });

/** `x`, `y`: pixels of the full picture. */
function put(corner, x, y) {
  const { width, height } = corner.ownerSVGElement.viewBox.baseVal;
  corner.dataset.x = Math.round(Math.min(width, Math.max(0, x)));
  corner.dataset.y = Math.round(Math.min(height, Math.max(0, y)));
  corner.setAttribute("transform", `translate(${corner.dataset.x} ${corner.dataset.y})`);
  $(`line-${corner.dataset.line}`).setAttribute("points", line(corner.dataset.line).join(" "));
}

const line = (name) => all(`.grip[data-line=${name}]`).map(({ dataset: { x, y } }) => [Number(x), Number(y)]);

async function outline() {
  const [tray, rail] = ["tray", "rail"].map(line);
  await act("outline", { tray, ...(rail.length ? { rail } : {}) });
  held = null;
}

$("main").onpointerdown = (event) => {
  held = event.target.closest(".grip");
  if (held) held.setPointerCapture(event.pointerId);
};
$("main").onpointermove = (event) => {
  if (!held || !held.hasPointerCapture(event.pointerId)) return;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(held.ownerSVGElement.getScreenCTM().inverse());
  put(held, x, y);
};
$("main").onpointerup = () => held && outline();
$("main").onpointercancel = () => { held = null; };
$("main").onkeydown = (event) => {
  const corner = event.target.closest(".grip");
  const way = ARROWS[event.key];
  if (!corner || !way) return;
  event.preventDefault();
  held = corner;
  const [dx, dy] = way.map((one) => one * (event.shiftKey ? 20 : 3));
  put(corner, Number(corner.dataset.x) + dx, Number(corner.dataset.y) + dy);
  clearTimeout(put.timer);
  put.timer = setTimeout(outline, 500);
};

let shown = "";
film($("film"), (n) => {
  const { still, step } = $("seen").dataset;
  // One that did not come is asked for again.
  if (!$("film").naturalWidth) shown = "";
  if (["off", "learning", "faces", "passed", "named", "failed"].includes(step)) return shown ? "" : (shown = `/api/v1/calibration/picture.jpg?${n}`);
  if (still && still === shown) return "";
  shown = still || "live";
  return `/api/v1/calibration/picture.jpg?${still ? `still=${still}` : n}`;
});
const watch = () => (document.hidden ? Promise.resolve() : look()).then(() => setTimeout(watch, LOOK_MS));
watch();
