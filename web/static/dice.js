// Dice as SVG: true pips, their own colours, slightly turned as they lie. Their faces and colours are in the page's HTML.

const COLOURS = JSON.parse(document.getElementById("die-colours").textContent);

function paint(name) {
  const key = (name || "ivory").toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(key)) {
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(key.slice(i, i + 2), 16));
    return [key, 0.3 * r + 0.6 * g + 0.1 * b > 140 ? "#1c241f" : "#fbf7ec"];
  }
  return COLOURS[key] || COLOURS.ivory;
}

function picture(className, face, attributes) {
  const [svg, use] = ["svg", "use"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  for (const [name, value] of Object.entries({ viewBox: "-6 -6 112 112", class: className, ...attributes })) svg.setAttribute(name, value);
  use.setAttribute("href", `#die-${face}`);
  svg.append(use);
  return svg;
}

/** `value`: 1-6, or null for a die that cannot be read ("?"). `angle`: degrees as it lies. */
export function die(value, { colour = "", angle = 0, label = "" } = {}) {
  const made = picture("die", value || 0, { role: "img", [label ? "aria-label" : "aria-hidden"]: label || true });
  const [body, ink] = paint(colour);
  made.style.setProperty("--body", body);
  made.style.setProperty("--ink", ink);
  // An edge angle is known to a quarter turn; a third of it shows how the die lies and stays easy to read.
  made.firstChild.setAttribute("transform", `rotate(${Math.round((angle > 45 ? angle - 90 : angle) * 0.35)} 50 50)`);
  return made;
}

/** An empty place for a die. */
export const place = () => picture("die place", "place", { "aria-hidden": true });

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
