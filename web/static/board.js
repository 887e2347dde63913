// The scoreboard: draws each state, and offers the moves that this phone may make.

import { die, same } from "/static/dice.js";
import { live } from "/static/live.js";
import { ask, mayAct, move, say, seat } from "/static/moves.js";
import { picker } from "/static/picker.js";
import { asksColour, offerSheet, openSheet, thrown } from "/static/sheet.js";
import { drawStart, wanted } from "/static/start.js";
import { drawTray, facesOf, lying } from "/static/tray.js";
import { number, words } from "/static/words.js";

const $ = (id) => document.getElementById(id);
const text = (id, said) => { if ($(id).textContent !== said) $(id).textContent = said; };
const show = (id, yes) => { if ($(id).hidden === yes) $(id).hidden = !yes; };
const made = {}; // what each list was last drawn from
const fresh = (id, from) => {
  const now = JSON.stringify(from);
  const changed = made[id] !== now;
  made[id] = now;
  return changed;
};

let picked = new Set(); // places tapped here that do not make a choice yet
let pickedFor = "";

/** How a choice is made: `set(option)` answers null when it was refused. The simulated tray moves the dice instead. */
export const choice = { set: ({ dice, with_coloured }) => move("keep", { dice, with_coloured }) };

function draw(state) {
  const { game, eye } = state;
  const turn = game && game.turn;
  const over = Boolean(game) && game.status === "over";
  const mine = Boolean(turn) && mayAct(game, turn.player);
  const open = turn && turn.throw ? `${game.id}/${turn.throw_id}/${turn.throw}/${turn.aside}` : "";
  if (open !== pickedFor) {
    pickedFor = open;
    picked = new Set();
  }
  document.body.classList.toggle("seated-here", Boolean(seat.id));
  document.body.classList.toggle("playing", Boolean(turn));
  drawHead(state);
  drawTray(state, picked, mine && turn.throw ? tap : null);
  drawEye(eye, turn);
  show("turn", Boolean(turn));
  if (turn) drawTurn(game, turn, mine);
  drawDoubt(state, mine);
  drawWin(game, over);
  drawPlayers(game);
  const starting = Boolean(seat.id) && (!game || (over && wanted()));
  show("idle", !game && !starting);
  show("start", starting);
  if (starting) drawStart(state);
  show("win", over && !starting);
  drawDock(game, turn, mine);
  offerSheet(state, mine);
  call(state);
}

function drawHead({ game, banners }) {
  text("rules", game ? titleOf(game.rules) : "Stickman");
  if (game) $("sheet-link").href = "/sheet";
  else $("sheet-link").removeAttribute("href");
  text("target", game ? `· ${words.target(game.target)}` : "");
  document.title = game && game.turn ? `${game.players[game.turn.player].name} · Stickman` : "Stickman";
  if (!fresh("banners", banners)) return;
  $("banners").replaceChildren(...banners.map((banner) => element("p", "banner", banner)));
}

const presets = JSON.parse($("presets").textContent);
const titleOf = (name) => (presets.find((one) => one.name === name) || { title: name }).title;

function element(tag, className, said) {
  const found = document.createElement(tag);
  found.className = className;
  found.textContent = said;
  return found;
}

function drawEye(eye) {
  $("eye").dataset.state = eye.state;
  const word = words.eye[eye.state];
  const more = eye.text.replace(/\.$/, "") === word ? "" : eye.text;
  if (fresh("eye", [word, more])) $("eye-said").replaceChildren(element("b", "", word), ` ${more}`);
}

function drawTurn(game, turn, mine) {
  text("player", game.players[turn.player].name);
  const best = Math.max(0, ...turn.options.map((option) => option.score));
  const hoped = turn.throw && !turn.aside.length ? best : 0;
  text("risk", words.risk(turn.score + hoped + (hoped && !turn.score ? turn.carried : 0)));
  $("risk").classList.toggle("hoped", hoped > 0);
  text("risk-unit", hoped ? words.atBest : words.atRisk);
  text("todo", words.todo(turn, game.dice));
  const news = [...game.notes];
  if (!news.length && game.last) news.push(words.last(game.last, game));
  text("news", news.slice(-2).join(" "));
  $("news").classList.toggle("noted", game.notes.length > 0);
  drawDecisions(game, turn, mine);
  if (!fresh("options", [turn.options, turn.aside, mine])) return;
  const best_first = [...turn.options].sort((a, b) => b.score - a.score || a.dice.length - b.dice.length);
  $("options").replaceChildren(...best_first.map((option) => optionButton(option, turn, mine)));
}

/** What the player to move may decide besides setting dice aside. */
function drawDecisions(game, turn, mine) {
  if (!fresh("decisions", [turn.may_take, turn.may_attempt, turn.attempt, mine])) return;
  const { may_take: take, may_attempt: tries } = turn;
  const found = [];
  if (take) found.push(decision(words.take(take, game.players[take.player].name), "take", {}));
  for (const one of tries) found.push(decision(words.attempt(one), "attempt", one));
  $("decisions").replaceChildren(...(mine ? found : []));
}

function decision(said, kind, body) {
  const one = element("button", "decision", said);
  one.type = "button";
  one.addEventListener("click", () => move(kind, body));
  return one;
}

function optionButton(option, turn, mine) {
  const faces = facesOf(option, turn);
  const kept = same(faces, turn.aside) && (option.with_coloured ?? null) === turn.with_coloured;
  const one = document.createElement(mine ? "button" : "span");
  one.className = kept ? "option kept" : "option";
  const dice = element("span", "option-dice", "");
  dice.append(...option.dice.map((value) => die(value)));
  if (option.with_coloured) dice.append(die(turn.coloured, { colour: "red" }));
  one.append(dice, element("b", "option-score", number(option.score)));
  if (mine) {
    one.type = "button";
    one.setAttribute("aria-pressed", String(kept));
    one.setAttribute("aria-label", (kept ? words.kept : words.keep)(faces, option.score));
    one.addEventListener("click", () => choose(option, placesOf(option, turn)));
  }
  return one;
}

function tap(at) {
  const { turn } = live.state.game;
  const { dice } = lying(live.state, picked);
  if (!picked.size) picked = new Set(dice.flatMap((one, place) => (one.chosen ? [place] : [])));
  if (picked.has(at)) picked.delete(at);
  else picked.add(at);
  const values = [...picked].map((place) => dice[place].value).sort();
  const joins = [...picked].some((place) => dice[place].wild);
  const option = turn.options.find((one) => same(facesOf(one, turn), values) && Boolean(one.with_coloured) === joins);
  if (option) {
    choose(option, picked);
    return;
  }
  if (values.length) say(words.notScoring(values));
  draw(live.state);
}

function placesOf(option, turn) {
  const rest = [...facesOf(option, turn)];
  const { dice } = lying(live.state, new Set());
  const places = new Set();
  for (const [place, one] of dice.entries()) {
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

function drawDoubt({ game, eye }, mine) {
  const turn = game && game.turn;
  const lost = Boolean(turn) && eye.state === "camera-lost" && !(turn.throw && !turn.aside.length);
  const asked = Boolean(turn) && turn.doubts.length > 0;
  show("doubt", asked || lost);
  document.body.classList.toggle("asking", asked || lost);
  if (!asked && !lost) return;
  if (!fresh("doubt", [turn.doubts, turn.proposed, turn.dice_left, mine, lost, game.id, turn.throw_id])) return;
  const name = game.players[turn.player].name;
  text("doubt-title", asked ? words.doubt.title : words.doubt.lost);
  const why = asked ? turn.doubts.map((doubt) => doubt.text) : [eye.text];
  text("doubt-text", [...why, ...(mine ? [] : [words.decides(name)])].join(" "));
  show("doubt-hint", asked && turn.proposed.includes(null) && !/nudge/i.test(why.join()));
  const known = asked ? turn.proposed : [];
  const some = turn.doubts.some((doubt) => doubt.kind === "count");
  const count = Math.max(turn.dice_left, known.length);
  $("doubt-picker").replaceChildren(...(mine ? [picker(count, known, (values, coloured) => move("throws", thrown(values, coloured)), { some, wild: asksColour(turn) })] : []));
}

function drawWin(game, over) {
  if (!over) return;
  const winner = game.winner === null ? null : game.players[game.winner];
  const names = game.winners.map((index) => game.players[index].name);
  text("winner", winner ? words.and(names) : words.win.ended);
  text("win-word", names.length > 1 ? words.win.win : words.win.wins);
  show("win-word", Boolean(winner));
  text("win-score", winner ? words.win.score(winner.score) : "");
}

function drawPlayers(game) {
  show("players", Boolean(game));
  if (!game) return;
  show("final", game.status === "final-round");
  text("final", words.final(game));
  const now = game.turn ? game.turn.player : game.winner;
  if (!fresh("players", [game.players, now, game.target])) return;
  const rows = game.players.map((player, index) => ({ ...player, index })).sort((a, b) => b.score - a.score);
  $("standings").replaceChildren(...rows.map((player) => playerRow(player, player.index === now, game)));
}

function playerRow(player, current, game) {
  const row = element("li", current ? "row current" : "row", "");
  if (current) row.setAttribute("aria-current", "true");
  const marks = [];
  if (current && game.turn) marks.push(element("span", "tag throws", words.throwing));
  if (player.seat && player.seat === seat.id) marks.push(element("span", "tag", words.you));
  if (player.team !== undefined) marks.push(element("span", "tag", words.team(player.team)));
  if (player.farkles) marks.push(element("span", "tag farkles", words.farkles(player.farkles)));
  const tags = element("span", "tags", "");
  tags.append(...marks);
  const bar = element("span", "part", "");
  bar.style.setProperty("--part", String(Math.max(0, Math.min(1, player.score / game.target))));
  const off = !player.on_board && player.score === 0;
  row.append(element("span", "name", player.name), tags, element("span", off ? "score off" : "score", off ? words.notOnBoard : number(player.score)), bar);
  return row;
}

function drawDock(game, turn, mine) {
  show("dock", Boolean(game));
  if (!game) return;
  const best = turn && turn.throw && !turn.aside.length ? Math.max(0, ...turn.options.map((option) => option.score)) : 0;
  const bank = $("bank");
  text("bank", turn && !mine ? words.others(game.players[turn.player].name) : words.bank(turn ? turn.score + best + (best && !turn.score ? turn.carried : 0) : 0, turn && turn.goes_over));
  bank.disabled = !(mine && turn.may_bank);
  bank.hidden = !turn;
  $("undo").disabled = !(mine || (game.last && mayAct(game, game.last.player)) || !turn);
}

let before = null;

/** One sentence for those who listen, when something happened. */
function call(state) {
  const { game, eye } = state;
  const turn = game && game.turn;
  const said = [];
  if (before && game && (!before.game || before.seq !== state.seq)) {
    const old = before.game;
    if (turn && turn.throw && (!old || !old.turn || old.turn.throw_id !== turn.throw_id)) said.push(words.call.thrown(turn.throw));
    if (game.last && JSON.stringify(game.last) !== JSON.stringify(old && old.last)) said.push(words.last(game.last, game));
    if (turn && (!old || !old.turn || old.turn.player !== turn.player)) said.push(words.call.turn(game.players[turn.player].name));
    if (game.winner !== null && (!old || old.winner === null)) said.push(words.call.won(game.players[game.winner].name, game.players[game.winner].score));
    if (eye.state === "unsure" && before.eye.state !== "unsure") said.push(words.call.unsure(eye.text));
  }
  before = state;
  if (!said.length) return;
  text("call", said.join(" "));
  const ticker = $("ticker");
  if (ticker) ticker.replaceChildren(...[element("li", "", said.join(" ")), ...ticker.children].slice(0, 3));
}

async function again() {
  const { game } = live.state;
  const players = game.players.map((player) => player.seat || player.name);
  const state = await ask("games", { again: true, players, rev: live.state.rev });
  if (state) live.take(state);
}

export function begin() {
  $("bank").addEventListener("click", () => move("bank"));
  $("undo").addEventListener("click", () => move("undo"));
  $("again").addEventListener("click", again);
  $("other").addEventListener("click", () => { wanted(true); draw(live.state); });
  $("more").addEventListener("click", openSheet);
  const flip = $("flip");
  if (flip) flip.addEventListener("click", () => {
    const round = document.body.classList.toggle("round");
    flip.setAttribute("aria-pressed", String(round));
  });
  live.changed(draw);
  live.start();
}

if (!document.body.classList.contains("sim")) begin();
export { draw };
