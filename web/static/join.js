// Taking a seat: the code comes in the address's fragment, which browsers never send.

import { $ } from "./element.js";
import { reach } from "./reach.js";
import { words } from "./words.js";

const { code, name } = $("join-form").elements;

function fromAddress() {
  const found = decodeURIComponent(location.hash.slice(1));
  for (const id of ["code-field", "scan"]) $(id).hidden = Boolean(found);
  code.value = found || code.value;
}

fromAddress();
addEventListener("hashchange", fromAddress);
name.value = name.value || localStorage.getItem("name") || "";
name.focus();

$("join-form").onsubmit = async (event) => {
  event.preventDefault();
  $("said").textContent = "";
  const { status, body } = await reach("join", { code: code.value, name: name.value });
  if (status === 200) {
    localStorage.setItem("name", name.value.trim());
    return location.assign(document.body.dataset.next);
  }
  $("said").textContent = body ? body.detail : words.offline;
  if (body) $("code-field").hidden = false;
};
