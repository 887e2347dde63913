// The code comes in the address's fragment, which browsers never send. Name and colour are remembered on this phone.

import { $, all } from "./element.js";

const form = $("join-form");
const { name } = form.elements;
let shown = "";

function fromAddress() {
  const code = decodeURIComponent(location.hash.slice(1));
  const handed = code.startsWith("hand-");
  $("accept").hidden = !handed;
  $("sit").hidden = handed;
  for (const id of ["code-field", "scan"]) if ($(id)) $(id).hidden = Boolean(code);
  if (code) for (const field of all("[name=code]")) field.value = code;
}

fromAddress();
addEventListener("hashchange", fromAddress);

// Only where this phone has no seat yet: a second player has another name.
if ($("code-field") && !name.value) {
  name.value = localStorage.getItem("name") || "";
  const mine = all("[name=mark]").find((one) => one.value === localStorage.getItem("mark"));
  if (mine && !mine.disabled) mine.checked = true;
  name.focus();
}

form.onsubmit = () => {
  if (!$("code-field")) return;
  localStorage.setItem("name", name.value.trim());
  localStorage.setItem("mark", form.elements.mark.value);
};

/** The tray may have moved to another network, and the code to scan follows; or a seat has gone to another phone. */
async function follow() {
  const answer = await fetch("/join/scan").catch(() => null);
  const text = answer && answer.ok ? await answer.text() : shown;
  const held = $("held").dataset.seats;
  if (text !== shown) $("scan").innerHTML = text;
  shown = text;
  if ($("held").dataset.seats !== held) location.reload();
}

setInterval(() => document.visibilityState === "visible" && !$("scan").hidden && follow(), 4000);
