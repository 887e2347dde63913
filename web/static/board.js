// The scoreboard: draws each state, and offers the moves that this phone may make.

import { die, same } from "./dice.js";
import { $, button, make } from "./element.js";
import { live } from "./live.js";
import { ask, mayAct, move, say, seat } from "./moves.js";
import { picker } from "./picker.js";
import { asksColour, offerSheet, openSheet, thrown } from "./sheet.js";
import { drawStart, wanted } from "./start.js";
import { drawTray, facesOf, lying } from "./tray.js";
import { number, words } from "./words.js";

const text = (id, said) => { if ($(id).textContent !== said) $(id).textContent = said; };
const show = (id, yes) => { $(id).hidden = !yes; };
const made = {}; // what each list was last drawn from

/** Draws a list again when what it is made `from` has changed. */
function redraw(id, from, parts) {
  const now = JSON.stringify(from);
  if (made[id] === now) return;
  made[id] = now;
  $(id).replaceChildren(...parts());
}

let picked = new Set(); // places tapped here that do not make a choice yet
let pickedFor = "";

/** How a choice is made: `set(option)` answers null when it was refused. The simulated tray moves the dice instead. */
export const choice = { set: ({ dice, with_coloured }) => move("keep", { dice, with_coloured }) };

export function draw(state) {
  const { game, eye } = state;
  const turn = game && game.turn;
  const over = Boolean(game) && game.status === "over";
  const mine = Boolean(turn) && mayAct(game, turn.player);
  const open = turn && turn.throw ? `${game.id}/${turn.throw_id}/${turn.throw}/${turn.aside}` : "";
  if (open !== pickedFor) picked = new Set();
  pickedFor = open;
  document.body.classList.toggle("seated", Boolean(seat.id));
  document.body.classList.toggle("playing", Boolean(turn));
  drawHead(state);
  drawTray(state, picked, mine && turn.throw ? tap : null);
  drawEye(eye);
  show("turn", turn);
  if (turn) drawTurn(game, turn, mine);
  drawDoubt(game, turn, eye, mine);
  if (over) drawWin(game);
  show("players", game);
  show("dock", game);
  if (game) {
    drawPlayers(game);
    drawDock(game, turn, mine);
  }
  const starting = Boolean(seat.id) && (!game || (over && wanted()));
  show("idle", !game && !starting);
  show("start", starting);
  if (starting) drawStart(state);
  show("win", over && !starting);
  document.body.classList.toggle("won", over && !starting);
  offerSheet(state);
  call(state);
}

const titles = new Map(JSON.parse($("presets").textContent).map(({ name, title }) => [name, title]));

function drawHead({ game, banners, eye }) {
  text("rules", game ? titles.get(game.rules) || game.rules : "Stickman");
  if (game) $("sheet-link").href = "/sheet";
  else $("sheet-link").removeAttribute("href");
  text("target", game ? `· ${words.target(game.target)}` : "");
  document.title = game && game.turn ? `${game.players[game.turn.player].name} · Stickman` : "Stickman";
  redraw("banners", [banners, eye.drifts, eye.other, seat.id], () => [
    ...banners.map((banner) => make("p", "banner", banner)),
    ...(seat.id ? [eye.drifts.length && setAgain(), eye.other && useThese(eye.other)].filter(Boolean) : []),
  ]);
}

/** What to do when the tray is no more as it was calibrated. */
const setAgain = () => make("p", "banner links", [
  button("brass", words.setAgain, async () => {
    const done = await ask("calibration/relock");
    if (done) say(done.text);
  }),
  make("a", "button", words.showWhere, { href: "/tray" }),
]);
const useThese = ({ slug, name }) => button("brass", words.use(name), () => ask(`sets/${slug}/use`));

function drawEye(eye) {
  $("eye").dataset.state = eye.state;
  const word = words.eye(eye.state);
  const more = eye.text.replace(/\.$/, "") === word ? "" : eye.text;
  redraw("eye-said", [word, more], () => [make("b", "", word), ` ${more}`]);
}

/** What the open throw brings at best, while nothing of it is set aside. */
const hoped = ({ throw: open, aside, options }) => (open && !aside.length ? Math.max(0, ...options.map((one) => one.score)) : 0);

function points(turn) {
  const best = hoped(turn);
  return turn.score + best + (best && !turn.score ? turn.carried : 0);
}

function drawTurn(game, turn, mine) {
  text("player", game.players[turn.player].name);
  text("risk", words.risk(points(turn)));
  $("risk").classList.toggle("hoped", hoped(turn) > 0);
  text("risk-unit", hoped(turn) ? words.atBest : words.atRisk);
  text("todo", game.said.todo);
  text("news", game.notes.slice(-3).join(" ") || game.said.last);
  $("news").classList.toggle("noted", game.notes.length > 0);
  redraw("decisions", [turn.may_take, turn.may_attempt, turn.attempt, mine], () => (mine ? decisions(turn, game.said) : []));
  redraw("options", [turn.options, turn.aside, mine], () =>
    [...turn.options]
      .sort((a, b) => b.score - a.score || a.dice.length - b.dice.length)
      .map((option) => optionButton(option, turn, mine)));
}

/** What the player to move may decide besides setting dice aside. */
function decisions({ may_attempt: tries }, { take, attempts }) {
  const found = tries.map((one, at) => button("decision", attempts[at], () => move("attempt", one)));
  return take ? [button("decision", take, () => move("take")), ...found] : found;
}

function optionButton(option, turn, mine) {
  const faces = facesOf(option, turn);
  const kept = same(faces, turn.aside) && (option.with_coloured ?? null) === turn.with_coloured;
  const dice = option.dice.map((value) => die(value));
  if (option.with_coloured) dice.push(die(turn.coloured, { colour: "red" }));
  const parts = [make("span", "option-dice", dice), make("b", "option-score", number(option.score))];
  const className = kept ? "option kept" : "option";
  if (!mine) return make("span", className, parts);
  const label = (kept ? words.kept : words.keep)(faces, option.score);
  return button(className, parts, () => choose(option, placesOf(option, turn)), { "aria-label": label, "aria-pressed": kept });
}

function tap(at) {
  const { turn } = live.state.game;
  const { dice } = lying(live.state, picked);
  if (!picked.size) picked = new Set([...dice.keys()].filter((place) => dice[place].chosen));
  if (!picked.delete(at)) picked.add(at);
  const values = [...picked].map((place) => dice[place].value).sort();
  const joins = [...picked].some((place) => dice[place].wild);
  const option = turn.options.find((one) => same(facesOf(one, turn), values) && Boolean(one.with_coloured) === joins);
  if (option) return choose(option, picked);
  if (values.length) say(words.notScoring(values));
  draw(live.state);
}

function placesOf(option, turn) {
  const rest = [...facesOf(option, turn)];
  const places = new Set();
  for (const [place, one] of lying(live.state, new Set()).dice.entries()) {
    const found = one.wild && !option.with_coloured ? -1 : rest.indexOf(one.value);
    if (found >= 0) places.add(place) && rest.splice(found, 1);
  }
  return places;
}

/** The dice lift at once; when the tray refuses they lie down again. */
async function choose(option, places) {
  picked = places;
  draw(live.state);
  if (await choice.set(option)) return;
  picked = new Set();
  draw(live.state);
}

function drawDoubt(game, turn, eye, mine) {
  const asked = Boolean(turn) && turn.doubts.length > 0;
  const lost = Boolean(turn) && eye.state === "camera-lost" && !(turn.throw && !turn.aside.length);
  show("doubt", asked || lost);
  document.body.classList.toggle("asking", asked || lost);
  if (!asked && !lost) return;
  const known = asked ? turn.proposed : [];
  redraw("doubt-picker", [turn.doubts, turn.proposed, turn.dice_left, mine, lost, game.id, turn.throw_id], () => {
    const why = asked ? turn.doubts.map((doubt) => doubt.text) : [eye.text];
    text("doubt-title", asked ? words.doubt.title : words.doubt.lost);
    text("doubt-text", [...why, ...(mine ? [] : [words.decides(game.players[turn.player].name)])].join(" "));
    show("doubt-hint", known.includes(null) && !/nudge/i.test(why.join()));
    const some = turn.doubts.some((doubt) => doubt.kind === "count");
    const send = (values, coloured) => move("throws", thrown(values, coloured));
    return mine ? [picker(Math.max(turn.dice_left, known.length), known, send, { some, wild: asksColour(turn) })] : [];
  });
}

function drawWin({ players, winner, winners, notes }) {
  const won = winner !== null;
  text("winner", won ? words.and(winners.map((index) => players[index].name)) : words.win.ended);
  text("win-word", winners.length > 1 ? words.win.win : words.win.wins);
  show("win-word", won);
  text("win-news", notes.join(" "));
  text("win-score", won ? words.win.score(players[winner].score) : "");
}

function drawPlayers(game) {
  show("final", game.status === "final-round");
  text("final", game.said.final);
  const now = game.turn ? game.turn.player : game.winner;
  redraw("standings", [game.players, now, game.target], () =>
    game.players
      .map((player, index) => ({ ...player, current: index === now }))
      .sort((a, b) => b.score - a.score)
      .map((player) => playerRow(player, game)));
}

function playerRow(player, game) {
  const { name, score, team, farkles, current } = player;
  const tags = [
    [current && game.turn, words.throwing, "throws"],
    [player.seat && player.seat === seat.id, words.you, ""],
    [team !== undefined, words.team(team), ""],
    [farkles, words.farkles(farkles), "farkles"],
  ].filter(([is]) => is).map(([, said, kind]) => make("span", `tag ${kind}`, said));
  const off = !player.on_board && score === 0;
  const bar = make("span", "part");
  bar.style.setProperty("--part", Math.max(0, Math.min(1, score / game.target)));
  const points = make("span", off ? "score off" : "score", off ? words.notOnBoard : number(score));
  const row = [make("span", "name", name), make("span", "tags", tags), points, bar];
  return make("li", current ? "row current" : "row", row, current ? { "aria-current": true } : {});
}

function drawDock(game, turn, mine) {
  if (turn) text("bank", mine ? words.bank(points(turn), turn.goes_over) : words.others(game.players[turn.player].name));
  $("bank").disabled = !(mine && turn.may_bank);
  show("bank", turn);
  $("undo").disabled = !(mine || (game.last && mayAct(game, game.last.player)) || !turn);
}

let before = null;

/** One sentence for those who listen, when something happened. */
function call(state) {
  const { game, eye } = state;
  const said = [];
  if (before && game && (!before.game || before.seq !== state.seq)) {
    const { turn, last, winner, players } = game;
    const old = before.game || { winner: null, notes: [] };
    if (turn && turn.throw && (!old.turn || old.turn.throw_id !== turn.throw_id)) said.push(words.call.thrown(turn.throw));
    said.push(...game.notes.filter((note) => !old.notes.includes(note)));
    // What was taken back or corrected is in the notes.
    if (last && last.what !== "corrected" && !game.may_redo && JSON.stringify(last) !== JSON.stringify(old.last)) said.push(game.said.last);
    if (turn && (!old.turn || old.turn.player !== turn.player)) said.push(words.call.turn(players[turn.player].name));
    if (winner !== null && old.winner === null) said.push(words.call.won(players[winner].name, players[winner].score));
    if (eye.state === "unsure" && before.eye.state !== "unsure") said.push(words.call.unsure(eye.text));
  }
  before = state;
  if (!said.length) return;
  text("call", said.join(" "));
  const ticker = $("ticker");
  if (ticker) ticker.replaceChildren(...[make("li", "", said.join(" ")), ...ticker.children].slice(0, 3));
}

async function again() {
  const players = live.state.game.players.map((player) => player.seat || player.name);
  const state = await ask("games", { again: true, players, rev: live.state.rev });
  if (state) live.take(state);
}

function flip({ currentTarget }) {
  currentTarget.setAttribute("aria-pressed", document.body.classList.toggle("round"));
}

export function begin() {
  $("bank").onclick = () => move("bank");
  $("undo").onclick = () => move("undo");
  $("again").onclick = again;
  $("other").onclick = () => { wanted(true); draw(live.state); };
  $("more").onclick = openSheet;
  if ($("flip")) $("flip").onclick = flip;
  live.changed(draw);
  live.start();
}

if (!document.body.classList.contains("sim")) begin();
