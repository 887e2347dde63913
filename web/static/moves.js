// What a phone asks of the tray: each move with the state it was made against and a key, so that none counts twice.

import { $ } from "./element.js";
import { live } from "./live.js";
import { reach } from "./reach.js";
import { words } from "./words.js";

/** The seats of this phone. */
export const held = document.body.dataset.seats.split(" ").filter(Boolean);

/** A page that takes its seat by itself is asked for moves before it has one: they wait for it. */
export const seat = { taken: null };

export function say(sentence) {
  $("said").textContent = sentence;
  clearTimeout(say.timer);
  if (sentence) say.timer = setTimeout(say, 7000, "");
}

/** Is one of `seats` this phone's? "*" are those of everybody at the table. */
export const mine = (seats) => held.length > 0 && (seats === "*" || seats.split(" ").some((one) => held.includes(one)));

// Not crypto.randomUUID: browsers offer that over https only.
const key = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("");

/** POST to /api/v1/`path`. Answers the JSON body, or null after telling the player why not. */
export async function ask(path, body = {}) {
  const headers = { "Idempotency-Key": key() };
  for (let left = 3; left > 0; left -= 1) {
    const { status, body: found } = await reach(path, body, headers);
    if (found) return outcome(status, found);
    // The same key again: if the first try did arrive, the tray answers it without playing it twice.
    if (left > 1) await new Promise((go) => setTimeout(go, 600));
  }
  say(words.offline);
  return null;
}

async function outcome(status, found) {
  if (status < 300) {
    say(found.text || "");
    return found;
  }
  if (found.state) await live.reach(found.state.seq);
  say(found.state ? words.lookAgain : found.detail || words.offline);
  return null;
}

let underWay = null; // {what, done}: the move that waits for the tray's answer

/** A move against the board as it is shown. The same move again while the first is on its way is a double tap, not a
    second move; another one follows when the first is answered, unless somebody else has moved meanwhile. */
export async function move(path, body = {}) {
  const what = JSON.stringify([path, body]);
  if (underWay && underWay.what === what) return null;
  const one = { what, done: send(path, body, underWay) };
  underWay = one;
  document.body.classList.add("waiting");
  const state = await one.done;
  if (underWay === one) {
    underWay = null;
    document.body.classList.remove("waiting");
  }
  return state;
}

async function send(path, body, before) {
  if (before) {
    const first = await before.done;
    if (!first) return null;
    if (first.rev !== live.rev) {
      say(words.lookAgain);
      return null;
    }
  }
  await seat.taken;
  const state = await ask(path, { ...body, rev: live.rev });
  if (state) await live.reach(state.seq);
  return state;
}
