// The board as the tray draws it: one event stream for all tabs, taken up again for ever; polling where streams fail; the
// truth about its age. The tab that was looked at last leads: it has the stream and passes on what it hears.

import { $ } from "./element.js";
import { fill, words } from "./words.js";

const SILENT_S = 13; // a beat comes every 10 s
const OLD_S = 30;
const POLL_MS = 3000;
const SOON_MS = 300; // what the stream brings comes sooner than that

const { board: kind } = document.body.dataset;
const listeners = [];
let { at } = document.body.dataset; // the id of the board that is shown
let source = null;
let heard = 0; // performance.now() of the last word from the tray
let down = false;
let failures = 0;
let timer = 0;
let polling = 0;
let claim = 0; // when this tab began to lead; 0 while another does
// Without it (Safari before 15.4) each tab has a stream of its own. Web Locks would be for https only.
const channel = window.BroadcastChannel && new BroadcastChannel(`board ${kind} ${document.documentElement.lang}`);
const share = (said) => channel && channel.postMessage(said);

// An id is that of the run, a dash, the number of the state, and "~" once its odds are there.
const parts = (id) => [id.slice(0, id.lastIndexOf("-")), parseInt(id.slice(id.lastIndexOf("-") + 1), 10)];
const seq = () => parts(at)[1];
const wait = (ms) => new Promise((go) => setTimeout(go, ms));

export const live = {
  rev: Number(document.body.dataset.rev),
  changed(listener) {
    listeners.push(listener);
  },
  /** Waits until the board of this `seq` is shown. */
  async reach(wanted) {
    for (let left = SOON_MS; left > 0 && seq() < wanted; left -= 20) await wait(20);
    if (seq() < wanted) await look();
  },
  start() {
    if (channel) channel.onmessage = ({ data }) => hear(data);
    lead();
    setInterval(tellAge, 1000);
    addEventListener("visibilitychange", () => document.visibilityState === "visible" && renew());
    addEventListener("pageshow", (event) => event.persisted && renew());
    addEventListener("online", () => (claim || document.visibilityState === "visible") && renew());
    addEventListener("offline", () => { down = true; tellAge(); });
    // A page that is left must not hold its stream: a browser has only six connections to one tray.
    addEventListener("pagehide", () => {
      if (claim) share({ gone: true });
      follow();
    });
  },
};

/** A board has come: all of it, or what has changed `from` another. */
function take(board) {
  const [epoch, number] = parts(board.id);
  const older = epoch === parts(at)[0] && (number < seq() || board.id === at);
  if (older) return;
  if (board.from && board.from !== at) return look();
  at = board.id;
  live.rev = board.rev;
  for (const listener of listeners) listener(board);
  tellAge();
}

function lead() {
  claim = Date.now() + Math.random(); // no two are the same
  share({ claim });
  open();
}

function follow() {
  claim = 0;
  close();
  stopPolling();
}

/** What another tab says. */
function hear(said) {
  if (said.claim > claim) follow();
  else if (said.claim) share({ claim });
  else if (said.gone) timer = setTimeout(lead, 50 + 400 * Math.random());
  else if (!claim) word(said);
}

function open() {
  close();
  if (!window.EventSource) return poll();
  source = new EventSource(`/events?board=${kind}&last=${encodeURIComponent(at)}`);
  for (const name of ["board", "beat", "seats"]) source.addEventListener(name, (event) => pass({ [name]: JSON.parse(event.data) }));
  source.onerror = () => {
    down = true;
    failures += 1;
    if (failures > 2) poll();
    // A closed stream is never taken up by the browser itself.
    if (!source || source.readyState === EventSource.CLOSED) again();
    tellAge();
  };
}

function close() {
  clearTimeout(timer);
  if (source) source.close();
  source = null;
}

function pass(said) {
  share(said);
  stopPolling();
  failures = 0;
  word(said);
}

function word({ board, beat, seats }) {
  if (seats) return location.reload();
  heard = performance.now();
  down = false;
  if (board) take(board);
  else if (beat > seq()) look();
  tellAge();
}

function again() {
  clearTimeout(timer);
  if (!claim) return;
  // Jitter: after a restart not all phones knock at once.
  timer = setTimeout(open, Math.min(8000, 700 * 2 ** Math.min(failures, 4)) * (0.5 + Math.random()));
}

function renew() {
  failures = 0;
  lead();
  look();
}

function poll() {
  if (polling) return;
  const next = () => {
    polling = setTimeout(() => look().finally(() => polling && next()), POLL_MS * (0.8 + 0.4 * Math.random()));
  };
  next();
}

function stopPolling() {
  clearTimeout(polling);
  polling = 0;
}

/** Asks for what has changed. */
async function look() {
  try {
    const answer = await fetch(`/board/${kind}?last=${encodeURIComponent(at)}`, { cache: "no-store" });
    if (!answer.ok) return;
    const said = answer.status === 204 ? { beat: 0 } : { board: await answer.json() };
    if (polling) share(said);
    word(said);
  } catch {
    down = true; // the next try follows; the badge tells
  }
}

function tellAge() {
  const age = Math.round((performance.now() - heard) / 1000);
  let how = "live";
  if (age >= OLD_S) how = "old";
  else if (!heard) how = "waiting";
  else if (age > SILENT_S || (down && age > 4)) how = "again";
  $("badge").dataset.live = how;
  document.body.classList.toggle("stale", how === "old");
  const [unit, n] = age < 90 ? ["s", age] : age < 5400 ? ["min", age / 60] : ["h", age / 3600];
  const said = fill(words[how], { age: `${Math.round(n)} ${unit}` });
  if ($("badge-text").textContent !== said) $("badge-text").textContent = said;
  // A silent stream may be dead without an error; phones do that when they wake.
  if (age > SILENT_S && age % 10 === 0 && document.visibilityState === "visible") lead();
}
