// The club's big screen: the tray draws all trays' games, this puts in place what is new.

import { $ } from "./element.js";
import { patch } from "./patch.js";

async function look() {
  const answer = await fetch("/tv?club").catch(() => null);
  const page = answer && answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (page) patch($("main"), page.getElementById("main"));
  document.body.classList.toggle("stale", !page);
  setTimeout(look, 2000);
}

look();
