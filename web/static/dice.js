// Dice as SVG: true pips, their own colours, slightly turned as they lie.

const PIPS = {
  1: [[50, 50]],
  2: [[27, 27], [73, 73]],
  4: [[27, 27], [73, 27], [27, 73], [73, 73]],
  6: [[27, 25], [73, 25], [27, 50], [73, 50], [27, 75], [73, 75]],
};
for (const odd of [3, 5]) PIPS[odd] = [...PIPS[odd - 1], ...PIPS[1]];
// body, pips. A name that is not here is drawn as ivory.
const COLOURS = {
  ivory: ["#f7f1e1", "#1c241f"], white: ["#fbfaf5", "#1a1d22"], black: ["#22252b", "#f3f1ea"],
  grey: ["#8f969c", "#15181a"], red: ["#c23a34", "#fff6ee"], green: ["#1f8a5b", "#f4fff8"],
  blue: ["#2263b4", "#f2f7ff"], yellow: ["#f0c93a", "#2a2205"], orange: ["#e8872d", "#241302"],
  purple: ["#7446a6", "#f9f3ff"], pink: ["#e58aa8", "#33101c"], brown: ["#7d5436", "#fdf3e7"],
  turquoise: ["#25a5a5", "#031f1f"],
};
const ALSO = { gray: "grey", teal: "turquoise", cyan: "turquoise", violet: "purple", cream: "ivory" };

function paint(name) {
  const key = (name || "ivory").toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(key)) {
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(key.slice(i, i + 2), 16));
    return [key, 0.3 * r + 0.6 * g + 0.1 * b > 140 ? "#1c241f" : "#fbf7ec"];
  }
  return COLOURS[ALSO[key] || key] || COLOURS.ivory;
}

export function node(name, attributes, ...content) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

/** `value`: 1-6, or null for a die that cannot be read ("?"). `angle`: degrees as it lies. */
export function die(value, { colour = "", angle = 0, label = "" } = {}) {
  const [body, ink] = paint(colour);
  // An edge angle is known to a quarter turn; a third of it shows how the die lies and stays easy to read.
  const turn = Math.round((angle > 45 ? angle - 90 : angle) * 0.35);
  const edge = { fill: "none", stroke: ink, "stroke-opacity": 0.35, "stroke-width": 2 };
  const ask = { x: 50, y: 72, "text-anchor": "middle", "font-size": 62, "font-weight": 700, fill: ink };
  return picture("die", { role: "img", ...(label ? { "aria-label": label } : { "aria-hidden": true }) },
    node("g", { transform: `rotate(${turn} 50 50)` },
      square(3, 6, 96, 19, { fill: "#000", opacity: 0.28 }),
      square(2, 2, 96, 19, { fill: body }),
      square(8, 8, 84, 22, { fill: "#fff", opacity: 0.09 }),
      square(2, 2, 96, 19, edge),
      ...(PIPS[value] || []).map(([cx, cy]) => node("circle", { cx, cy, r: 9.5, fill: ink })),
      ...(PIPS[value] ? [] : [node("text", ask, "?")])));
}

const picture = (name, more, content) => node("svg", { viewBox: "-6 -6 112 112", class: name, ...more }, content);
const square = (x, y, width, rx, more) => node("rect", { x, y, width, height: width, rx, ...more });

/** An empty place for a die. */
export function place() {
  const dashes = { fill: "none", stroke: "currentColor", "stroke-width": 3, "stroke-dasharray": "9 8", opacity: 0.55 };
  return picture("die place", { "aria-hidden": true }, square(6, 6, 88, 17, dashes));
}

/** `many` without `few`, as multisets. */
export function without(many, few) {
  const rest = [...many];
  for (const value of few) {
    const at = rest.indexOf(value);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}

export const same = (a, b) => a.length === b.length && without(a, b).length === 0;
