// The state as the tray tells it: one event stream, taken up again for ever; polling where streams fail; the truth about its age.

import { $ } from "./element.js";
import { words } from "./words.js";

const SILENT_S = 13; // a beat comes every 10 s
const OLD_S = 30;
const POLL_MS = 3000;

const listeners = [];
let source = null;
let heard = 0; // performance.now() of the last word from the tray
let down = false;
let failures = 0;
let timer = 0;
let polling = 0;
let etag = "";

export const live = {
  state: JSON.parse($("state").textContent),
  changed(listener) {
    listeners.push(listener);
    listener(live.state);
  },
  take(state) {
    heard = performance.now();
    const older = state.epoch === live.state.epoch && state.seq < live.state.seq;
    if (older) return;
    live.state = state;
    for (const listener of listeners) listener(state);
    tellAge();
  },
  start() {
    open();
    setInterval(tellAge, 1000);
    addEventListener("visibilitychange", () => document.visibilityState === "visible" && renew());
    addEventListener("pageshow", (event) => event.persisted && renew());
    addEventListener("online", renew);
    addEventListener("offline", () => { down = true; tellAge(); });
    // A page that is left must not hold its stream: a browser has only six connections to one tray.
    addEventListener("pagehide", close);
  },
};

function open() {
  close();
  if (!window.EventSource) return poll();
  const { epoch, seq } = live.state;
  source = new EventSource(`/events?last=${encodeURIComponent(`${epoch}-${seq}`)}`);
  for (const kind of ["snapshot", "state"]) source.addEventListener(kind, (event) => word(JSON.parse(event.data)));
  source.addEventListener("beat", (event) => {
    word(null);
    if (Number(event.data) > live.state.seq) fetchState();
  });
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

function word(state) {
  heard = performance.now();
  down = false;
  failures = 0;
  clearTimeout(polling);
  polling = 0;
  if (state) live.take(state);
  tellAge();
}

function again() {
  clearTimeout(timer);
  // Jitter: after a restart not all phones knock at once.
  timer = setTimeout(open, Math.min(8000, 700 * 2 ** Math.min(failures, 4)) * (0.5 + Math.random()));
}

function renew() {
  failures = 0;
  open();
  fetchState();
}

function poll() {
  if (polling) return;
  const next = () => {
    polling = setTimeout(() => fetchState().finally(() => polling && next()), POLL_MS * (0.8 + 0.4 * Math.random()));
  };
  next();
}

async function fetchState() {
  try {
    const answer = await fetch("/api/v1/state", { headers: etag ? { "If-None-Match": etag } : {}, cache: "no-store" });
    if (answer.status === 304) heard = performance.now();
    if (!answer.ok) return;
    etag = answer.headers.get("ETag") || "";
    live.take(await answer.json());
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
  const said = words.badge[how](words.age(age));
  if ($("badge-text").textContent !== said) $("badge-text").textContent = said;
  // A silent stream may be dead without an error; phones do that when they wake.
  if (age > 25 && source && document.visibilityState === "visible" && age % 10 === 0) open();
}
