// Elements of the page: found by their id, made in one line.

export const $ = (id) => document.getElementById(id);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** `as`: properties by their names; names with a hyphen are attributes. */
export function make(tag, className = "", content = [], as = {}) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...[content].flat());
  for (const [name, value] of Object.entries(as)) {
    if (name.includes("-")) made.setAttribute(name, value);
    else made[name] = value;
  }
  return made;
}

export function button(className, content, act, as = {}) {
  return make("button", className, content, { type: "button", onclick: act, ...as });
}
