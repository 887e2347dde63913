// Every word the scripts show, in one place, so that a translation is one more table.

const many = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;
const dice = (n) => many(n, "die", "dice");
export const number = (n) => n.toLocaleString("en").replace(/,/g, "\u2009");
const list = (values) => values.join(" ");

export const words = {
  eye: (state) => `${state[0].toUpperCase()}${state.slice(1).replace("-", " ")}`,
  badge: {
    waiting: () => "connecting",
    live: () => "live",
    again: () => "reconnecting",
    old: (age) => `last seen ${age} ago, trying again`,
  },
  age: (s) => (s < 90 ? `${s} s` : s < 5400 ? `${Math.round(s / 60)} min` : `${Math.round(s / 3600)} h`),
  target: (target) => `to ${number(target)}`,
  risk: (score) => (score > 0 ? `+${number(score)}` : "0"),
  atRisk: "at risk",
  atBest: "at best",
  you: "you",
  and: (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("")),
  team: (n) => `team ${n + 1}`,
  take: ({ points, dice: left }, name) => `Go on with ${name}'s ${dice(left)} for ${number(points)}`,
  attempt: ({ what, dice: kept }) => `Keep ${list(kept)} and try for ${what === "triple" ? "three of a kind" : "the straight"}`,
  final(game) {
    const { turn, leader, playoff, players } = game;
    if (turn && turn.roll_off) return `${players[leader].name} has won, unless one of the dice left over scores now.`;
    if (playoff.length) return `A tie: ${words.and(playoff.map((index) => players[index].name))} throw on.`;
    return "Final round: everyone else has one more turn.";
  },
  todo(turn, all) {
    if (turn.roll_off) return `Throw the ${turn.dice_left} left over: if one scores, the win is off.`;
    if (!turn.throw && turn.carried) return `Throw ${turn.dice_left}; one that scores brings ${number(turn.carried)} more.`;
    if (!turn.dice_left) return "The turn ends here: bank.";
    if (turn.throw && !turn.aside.length) return "Set aside a die that scores.";
    if (!turn.kept.length && !turn.score) return `Throw all ${turn.dice_left} dice.`;
    const hot = turn.dice_left === all ? `Hot dice! Throw all ${all}` : `Throw ${dice(turn.dice_left)}`;
    return `${hot}${turn.may_bank ? ", or bank" : ""}.`;
  },
  last(last, { players }) {
    const { name } = players[last.player];
    const thrown = last.throw.length ? ` ${list(last.throw)}:` : "";
    const points = number(Math.abs(last.points));
    switch (last.what) {
      case "farkle":
        return `${name} threw${thrown} farkle, ${points} lost.${last.penalty ? ` The third in a row costs ${number(last.penalty)}.` : ""}`;
      case "four-twos": return `${name} threw${thrown} four 2s, and all ${points} are lost.`;
      case "went-over": return `${name} went over the target: ${points} ${last.to === undefined ? "lost" : `for ${players[last.to].name}`}.`;
      case "taken": return `${name} goes on for ${points}.`;
      case "attempted": return `${name} keeps ${list(last.throw)} and tries.`;
      case "rolled-off": return `${name} threw${thrown} the win is rolled off, ${points} taken back.`;
      case "banked": return `${name} banked ${number(last.points)}.`;
      case "hot-dice": return `Hot dice for ${name}!`;
      case "corrected": return `A throw of ${name}'s was corrected.`;
      case "won": return `${name} won.`;
      default: return "";
    }
  },
  call: {
    turn: (name) => `${name} to throw.`,
    thrown: (values) => `Thrown: ${list(values)}.`,
    won: (name, score) => `${name} wins with ${score}.`,
    unsure: (text) => `Unsure. ${text}`,
  },
  notOnBoard: "not on board",
  throwing: "throws",
  farkles: (n) => many(n, "farkle"),
  bank: (score, over) => (score > 0 ? `Bank ${number(score)}${over ? ": goes over" : ""}` : "Bank"),
  others: (name) => `${name}'s turn`,
  keep: (faces, score) => `Set aside ${list(faces)} for ${number(score)}`,
  kept: (faces, score) => `Set aside: ${list(faces)} for ${number(score)}`,
  notScoring: (faces) => `${list(faces)} ${faces.length === 1 ? "does" : "do"} not score like this.`,
  die: (value, kept) => `${value}${kept ? ", set aside" : ""}`,
  unread: "a die that cannot be read",
  decides: (name) => `${name} decides.`,
  doubt: { title: "Which one?", lost: "The camera is lost" },
  picker: {
    slot: (n, value) => (value ? `Die ${n}: ${value}, tap to take it out` : `Die ${n}: not told yet`),
    face: (value) => `A ${value}`,
    coloured: (value) => (value ? `The coloured die shows ${value}` : "The coloured die was not thrown"),
    which: "The coloured die:",
    none: "not thrown",
    ok: (told, count) => (told === count ? "That is the throw" : `${dice(count - told)} to go`),
    some: (told) => (told ? `${dice(told)}: that is the throw` : "Tap what was thrown"),
  },
  sheet: {
    title: "More",
    enter: "Enter this throw by hand",
    correct: (values) => `Correct the last throw (${list(values)})`,
    end: "End this game",
    endSure: "Tap again to end it for everybody",
    leave: "Give up my seat on this phone",
    enterTitle: "What was thrown?",
    correctTitle: "What was it really?",
  },
  win: { wins: "wins with", win: "win with", ended: "The game was ended.", score: (n) => `${number(n)} points` },
  start: {
    remove: (name) => `Take ${name} off the list`,
    up: (name) => `Let ${name} throw earlier`,
    phone: "own phone",
    need: (n) => `Add ${many(n, "player")}`,
    go: (n) => `Start with ${many(n, "player")}`,
    goal: (n, usual) => (n ? number(n) : usual ? `${number(usual)} (usual)` : "usual"),
    add: (name) => `Add ${name}`,
    taken: (name) => `${name} is on the list already.`,
    own: "house rules",
    team: (n, names) => `Team ${n + 1}: ${words.and(names)}.`,
    uneven: (teams, more) => `${teams} equal teams: add ${many(more, "player")} more.`,
  },
  rules: {
    changed: (title) => `${title}, changed`.slice(0, 60),
    unsaved: (changes) => `Not saved: ${changes.join("; ") || "nothing changed"}.`,
    good: (n, title) => (n ? `Good rules: ${words.rules.changes(n)} to ${title}.` : `${title}, as it is.`),
    same: (title) => `Nothing is changed: ${title}, as it is.`,
    changes: (n) => many(n, "change"),
    note: (sentence) => `Note: ${sentence}`,
    more: (n) => `${many(n, "more place")} to mend.`,
    away: "Take this combination away",
    first: "Mend what is marked first; then save.",
    nameless: "House rules need a name, such as Our table.",
    save: "Save",
    replace: "Save over them",
    sure: "Tap again to forget them for everybody",
  },
  offline: "The tray does not answer. Is the phone still in its Wi-Fi?",
  lookAgain: "The game has moved on; look again.",
  sim: {
    throw: (n) => `Throw ${dice(n)}`,
    seat: "This screen",
    left: (n) => `${dice(n)} left to throw`,
    fall: (n) => `Throw exactly these ${n}`,
    any: "none",
  },
};
