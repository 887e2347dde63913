// Dice for what is made on the page itself; their faces are in its HTML.

function picture(className, face) {
  const [svg, use] = ["svg", "use"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  for (const [name, value] of [["viewBox", "-6 -6 112 112"], ["class", className], ["aria-hidden", true]]) svg.setAttribute(name, value);
  use.setAttribute("href", `#die-${face}`);
  svg.append(use);
  return svg;
}

/** `look`: "red" for the coloured die. */
export const die = (value, look = "") => picture(`die ${look}`, value);
/** An empty place for a die. */
export const place = () => picture("die place", "place");
/** What people call that face: its name where it has one in place of pips. */
export const called = (value) => document.getElementById(`die-${value}`).textContent.trim() || value;
