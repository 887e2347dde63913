// Calls in the browser's own voice: off until tapped, one at a time, the newest next.

import { $ } from "./element.js";
import { live } from "./live.js";
import { words } from "./words.js";

const { speechSynthesis: mouth, SpeechSynthesisUtterance: Saying, sessionStorage: tab } = window;
const { lang } = document.documentElement;
const button = $("aloud");
const label = button.textContent;
let now = null; // held, or some browsers forget to tell its end
let next = "";

/** Best one of the device: the tray needs no internet. */
function voice() {
  const fit = mouth ? mouth.getVoices().filter((one) => one.lang.startsWith(lang)) : [];
  return fit.find((one) => one.localService) || fit[0];
}

function turn(on, why = label) {
  tab.aloud = on ? "on" : "";
  button.setAttribute("aria-pressed", on);
  button.textContent = why;
  if (!on && mouth) mouth.cancel();
}

function call(said) {
  if (!said || !tab.aloud) return;
  next = said;
  if (!mouth.speaking) speak();
}

function speak() {
  if (!next) return;
  now = Object.assign(new Saying(next), { lang, voice: voice(), onend: speak });
  next = "";
  now.onerror = ({ error }) => (error === "not-allowed" ? turn(false) : speak());
  mouth.speak(now);
}

button.onclick = () => {
  next = "";
  if (voice()) turn(!tab.aloud);
  else turn(false, words.noVoice);
  call(label);
};

live.changed(({ aloud }) => call(aloud));
if (mouth) mouth.getVoices(); // some gather them only when asked
if (tab.aloud && mouth) turn(true);
