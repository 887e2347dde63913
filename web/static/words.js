// The few words that scripts say: the page brings them, in its language.

import { $ } from "./element.js";

export const words = JSON.parse($("phrases").textContent);

/** A sentence with its {names} filled in; of two forms the one for `n`. */
export const fill = (said, parts) =>
  (Array.isArray(said) ? said[parts.n === 1 ? 0 : 1] : said).replace(/\{(\w+)\}/g, (_, name) => parts[name]);
