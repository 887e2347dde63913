// HTML from the tray put in place: only what differs is changed, so that focus, typed text, folds and scrolling stay.

export const parse = (html) => new DOMParser().parseFromString(html, "text/html").body.firstElementChild;

// Other words are another thing in the same place, not the old one that has moved: so they count as no shift of the layout.
const words = (node) => !node.firstElementChild && !node.matches("button, a, input, select, option, summary") && node.textContent;

export function patch(old, now) {
  if (old.isEqualNode(now)) return;
  const another = old.nodeType !== Node.ELEMENT_NODE || old.nodeName !== now.nodeName || old.id !== now.id;
  if (another || words(old) !== words(now)) return old.replaceWith(now);
  for (const { name } of [...old.attributes]) if (!["open", "src"].includes(name) && !now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (now.dataset.picker || now.dataset.html) return; // what is in it was made here
  const made = [...now.childNodes];
  for (const child of [...old.childNodes].slice(made.length)) child.remove();
  for (const [at, child] of made.entries()) {
    if (old.childNodes[at]) patch(old.childNodes[at], child);
    else old.append(child);
  }
  if (old.type === "radio") old.checked = now.checked;
  if (old.nodeName === "SELECT" && old.value !== now.value) old.value = now.value;
}
