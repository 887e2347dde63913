// Taking a seat: the code comes in the address's fragment, which browsers never send.

import { reach } from "/static/reach.js";
import { words } from "/static/words.js";

const form = document.getElementById("join-form");
const said = document.getElementById("said");
const code = form.elements.code;
const name = form.elements.name;

function fromAddress() {
  const found = decodeURIComponent(location.hash.slice(1));
  document.getElementById("code-field").hidden = Boolean(found);
  document.getElementById("scan").hidden = Boolean(found);
  code.value = found || code.value;
}

fromAddress();
addEventListener("hashchange", fromAddress);
name.value = name.value || localStorage.getItem("name") || "";
name.focus();

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  said.textContent = "";
  const { status, body } = await reach("join", { code: code.value, name: name.value });
  if (status === 200) {
    localStorage.setItem("name", name.value.trim());
    location.assign("/play");
  } else if (body) {
    said.textContent = body.detail;
    document.getElementById("code-field").hidden = false;
  } else {
    said.textContent = words.offline;
  }
});
