// Changing the options of a rule set: the tray checks every change at once and says what it means in words.

import { $, all, button, make } from "./element.js";
import { reach } from "./reach.js";
import { fill, words } from "./words.js";

const { base, title, own, seat } = document.body.dataset;
const questions = all(".question");
const WAIT_MS = 250;
let good = null; // the tray's answer to the options as they stand; null while they are being checked or wrong
let asked = 0;
let timer = 0;
let replace = false;

// What was typed: a whole number where it is one, otherwise as it stands, for the tray to say what is wrong with it.
const typed = (input) => (/^\s*[-+]?\d+\s*$/.test(input.value) ? Number(input.value) : input.value.trim());

function answer(question) {
  const one = question.querySelector("[data-value]");
  switch (question.dataset.asked) {
    case "switch": return one.checked;
    case "number": return typed(one);
    case "faces": return Object.fromEntries(all("[data-face]", question).map((input) => [input.dataset.face, typed(input)]));
    case "several": return all(":checked", question).map((box) => box.dataset.item);
    case "patterns": return all("li", question).map(pattern);
    default: {
      if (one.value) return JSON.parse(one.value);
      const number = typed(question.querySelector("[data-free]"));
      return one.dataset.within ? { [one.dataset.within]: number } : number;
    }
  }
}

function pattern(row) {
  const [dice, points, name] = row.querySelectorAll("input");
  return { pattern: dice.value, value: typed(points), name: name.value.trim() };
}

/** All options by name. What does not matter beside the others is hidden, and left as if it were never asked. */
function answers() {
  const found = {};
  for (const question of questions) {
    const { key, void: without, idle } = question.dataset;
    const [other, values] = without ? JSON.parse(without) : ["", []];
    question.hidden = values.includes(found[other]);
    found[key] = question.hidden ? JSON.parse(idle) : answer(question);
    const free = question.querySelector(".other");
    if (free) free.hidden = Boolean(question.querySelector("select").value);
  }
  return found;
}

const rules = () => ({ base, name: $("name").value.trim() || (own ? title : fill(words.changed, { title }).slice(0, 60)), ...answers() });

async function check() {
  const number = ++asked;
  good = null;
  $("play").disabled = true;
  const { body } = await reach("rules/check", { rules: rules() });
  if (number !== asked) return;
  if (!body) return verdict([words.offline], "bad");
  if (!body.mistakes) return verdict([body.detail], "bad");
  drawMistakes(body.mistakes);
  if (body.mistakes.length) return;
  good = body;
  $("play").disabled = false;
  drawMeaning(body);
}

function verdict(sentences, kind) {
  $("verdict").className = kind;
  $("verdict").replaceChildren(...sentences.map((sentence) => make("p", "", sentence)));
}

function drawMistakes(mistakes) {
  for (const question of questions) {
    const { key } = question.dataset;
    const mine = mistakes.filter((one) => `${one.key}.`.replace("[", ".").startsWith(`${key}.`));
    const wrong = $(`w-${key}`);
    const bad = mine.length > 0;
    wrong.hidden = !bad;
    wrong.textContent = mine.map((one) => one.text).join(" ");
    for (const field of all("input, select", question)) {
      field.setAttribute("aria-invalid", bad);
      if (bad) field.setAttribute("aria-describedby", wrong.id);
      else field.removeAttribute("aria-describedby");
    }
    if (bad) question.closest("details").open = true;
  }
  if (mistakes.length) verdict([mistakes[0].text, ...(mistakes.length > 1 ? [fill(words.more, { n: mistakes.length - 1 })] : [])], "bad");
}

const sentences = (said) => make("ul", "sentences", said.map((one) => make("li", "", one)));

function drawMeaning({ changes, warnings, sheet, rules: changed }) {
  if (warnings.length) verdict(warnings.map((sentence) => fill(words.note, { sentence })), "warn");
  else verdict([fill(changes.length ? words.good : words.asItIs, { n: changes.length, title })], "good");
  for (const group of all("#options .fold")) {
    const count = all(".question", group).filter((one) => one.dataset.key in changed).length;
    const tag = group.querySelector(".changed");
    tag.hidden = !count;
    tag.textContent = fill(words.changes, { n: count });
  }
  $("changes").replaceChildren(changes.length ? sentences(changes) : make("p", "hint", fill(words.same, { title })));
  $("words").replaceChildren(...sheet.flatMap((one) => [make("h3", "", one.heading), sentences(one.sentences)]));
}

function addPattern(list, { pattern: dice = "", value = "", name = "" } = {}) {
  const field = (said, now, placeholder, more) =>
    make("label", "", [said, make("input", "", [], { value: now, placeholder, maxLength: 40, ...more })]);
  const row = make("li", "", [
    field(words.dice, dice, "aabb"),
    field(words.points, value, "300", { inputMode: "numeric" }),
    field(words.name, name, words.pairs),
    button("small", "✕", () => { row.remove(); later(); }, { "aria-label": words.away }),
  ]);
  list.append(row);
  return row.querySelector("input");
}

function later() {
  clearTimeout(timer);
  good = null;
  replace = false;
  answers();
  timer = setTimeout(check, WAIT_MS);
}

/** Back to the page that the game is started on, with these rules chosen. */
function choose(card) {
  sessionStorage.setItem("rules", JSON.stringify(card));
  location.assign(seat ? sessionStorage.getItem("home") || "/play" : "/join");
}

async function play() {
  clearTimeout(timer);
  if (!good) await check();
  if (!good) return;
  const { rules: what, changes, notes, target, teams } = good;
  if (!changes.length && !$("name").value.trim()) return choose({ name: base });
  choose({ name: "", title: what.name, description: fill(words.unsaved, { changes: changes.join("; ") || words.nothing }), rules: what, notes, target, teams });
}

function notSaved(sentence) {
  if ($("not-saved").textContent === sentence) return; // said already, and heard by who listens to the page
  $("not-saved").hidden = !sentence;
  $("not-saved").textContent = sentence;
  if (sentence) $("not-saved").scrollIntoView({ block: "nearest" });
}

async function save(until = 0) {
  clearTimeout(timer);
  await check();
  if (!good) return notSaved(words.first);
  if (!$("name").value.trim()) {
    notSaved(words.nameless);
    return $("name").focus();
  }
  const { status, body } = await reach("rules/save", { rules: good.rules, replace: replace || Boolean(own && good.rules.name === title) });
  if (status === 201) return choose(body);
  if (!body) return notSaved(words.offline);
  notSaved(body.detail);
  replace = Boolean(body.taken);
  $("keep").textContent = body.taken ? words.replace : words.save;
  const now = performance.now();
  // The button is in another corner of the room: saving goes on by itself once it is held.
  if (body.pairing && now < (until || now + 60000)) setTimeout(() => save(until || now + 60000), 1500);
}

/** House rules are thrown away on the second tap. A game that is being played by them goes on. */
async function forget({ target }) {
  if (!target.dataset.sure) {
    target.dataset.sure = "yes";
    target.textContent = words.sure;
    return;
  }
  const { status, body } = await reach("rules/forget", { name: base });
  if (status !== 200) return notSaved(body ? body.detail : words.offline);
  sessionStorage.removeItem("rules");
  location.assign($("back").href);
}

for (const list of all(".patterns")) {
  for (const one of JSON.parse(list.dataset.patterns)) addPattern(list, one);
  list.nextElementSibling.onclick = () => addPattern(list).focus();
}
$("options").oninput = later;
$("options").onsubmit = (event) => event.preventDefault();
$("name").oninput = () => { $("keep").textContent = words.save; notSaved(""); later(); };
$("save").onsubmit = (event) => { event.preventDefault(); save(); };
$("play").onclick = play;
$("back").href = sessionStorage.getItem("home") || "/";
if (own) $("forget").onclick = forget;
if (!seat) $("save").hidden = true;
check();
