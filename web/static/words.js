// Every word the scripts show, in one place, so that a translation is one more table.

const plural = (n, one, many) => (n === 1 ? one : many);
export const number = (n) => n.toLocaleString("en").replace(/,/g, "\u2009");
const list = (dice) => dice.join(" ");

export const words = {
  eye: {
    empty: "Empty", hand: "Hand", rolling: "Rolling", settling: "Settling",
    read: "Read", unsure: "Unsure", "camera-lost": "Camera lost",
  },
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
  take: ({ points, dice }, name) => `Go on with ${name}'s ${dice} ${plural(dice, "die", "dice")} for ${number(points)}`,
  attempt: ({ what, dice }) => `Keep ${list(dice)} and try for ${what === "triple" ? "three of a kind" : "the straight"}`,
  final(game) {
    const { turn, leader, playoff, players } = game;
    if (turn && turn.roll_off) return `${players[leader].name} has won, unless one of the dice left over scores now.`;
    if (playoff.length) return `A tie: ${words.and(playoff.map((index) => players[index].name))} throw on.`;
    return "Final round: everyone else has one more turn.";
  },
  todo(turn, dice) {
    if (turn.roll_off) return `Throw the ${turn.dice_left} left over: if one scores, the win is off.`;
    if (!turn.throw && turn.carried) return `Throw ${turn.dice_left}; one that scores brings ${number(turn.carried)} more.`;
    const left = `${turn.dice_left} ${plural(turn.dice_left, "die", "dice")}`;
    if (!turn.dice_left) return "The turn ends here: bank.";
    if (turn.throw && !turn.aside.length) return "Set aside a die that scores.";
    if (!turn.kept.length && !turn.score) return `Throw all ${turn.dice_left} dice.`;
    if (turn.dice_left === dice) return `Hot dice! Throw all ${dice}${turn.may_bank ? ", or bank" : ""}.`;
    return `Throw ${left}${turn.may_bank ? ", or bank" : ""}.`;
  },
  last(last, { players }) {
    const { name } = players[last.player];
    const thrown = last.throw.length ? ` ${list(last.throw)}:` : "";
    const points = number(Math.abs(last.points));
    switch (last.what) {
      case "farkle": {
        const more = last.penalty ? ` The third in a row costs ${number(last.penalty)}.` : "";
        return `${name} threw${thrown} farkle, ${points} lost.${more}`;
      }
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
  farkles: (n) => `${n} ${plural(n, "farkle", "farkles")}`,
  bank: (score, over) => (score > 0 ? `Bank ${number(score)}${over ? ": goes over" : ""}` : "Bank"),
  others: (name) => `${name}'s turn`,
  keep: (dice, score) => `Set aside ${list(dice)} for ${number(score)}`,
  kept: (dice, score) => `Set aside: ${list(dice)} for ${number(score)}`,
  notScoring: (dice) => `${list(dice)} ${plural(dice.length, "does", "do")} not score like this.`,
  die: (value, kept) => `${value}${kept ? ", set aside" : ""}`,
  unread: "a die that cannot be read",
  decides: (name) => `${name} decides.`,
  doubt: { title: "Which one?", enter: "Enter the throw", lost: "The camera is lost", confirm: "That is the throw" },
  picker: {
    slot: (n, value) => (value ? `Die ${n}: ${value}, tap to take it out` : `Die ${n}: not told yet`),
    face: (value) => `A ${value}`,
    coloured: (value) => (value ? `The coloured die shows ${value}` : "The coloured die was not thrown"),
    which: "The coloured die:",
    none: "not thrown",
    ok: (told, count) => (told === count ? "That is the throw" : `${count - told} ${plural(count - told, "die", "dice")} to go`),
    some: (told) => (told ? `${told} ${plural(told, "die", "dice")}: that is the throw` : "Tap what was thrown"),
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
    nothing: "Nothing to do here now.",
  },
  win: { wins: "wins with", win: "win with", ended: "The game was ended.", score: (n) => `${number(n)} points` },
  start: {
    remove: (name) => `Take ${name} off the list`,
    up: (name) => `Let ${name} throw earlier`,
    phone: "own phone",
    need: (n) => `Add ${n} ${plural(n, "player", "players")}`,
    go: (n) => `Start with ${n} ${plural(n, "player", "players")}`,
    goal: (n, usual) => (n ? number(n) : usual ? `${number(usual)} (usual)` : "usual"),
    taken: (name) => `${name} is on the list already.`,
    own: "house rules",
    team: (n, names) => `Team ${n + 1}: ${words.and(names)}.`,
    uneven: (teams, more) => `${teams} equal teams: add ${more} ${plural(more, "player", "players")} more.`,
  },
  rules: {
    changed: (title) => `${title}, changed`.slice(0, 60),
    unsaved: (changes) => `Not saved: ${changes.join("; ") || "nothing changed"}.`,
    good: (n, title) => (n ? `Good rules: ${words.rules.changes(n)} to ${title}.` : `${title}, as it is.`),
    same: (title) => `Nothing is changed: ${title}, as it is.`,
    changes: (n) => `${n} ${plural(n, "change", "changes")}`,
    note: (sentence) => `Note: ${sentence}`,
    more: (n) => `${n} more ${plural(n, "place", "places")} to mend.`,
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
    throw: (n) => `Throw ${n} ${plural(n, "die", "dice")}`,
    seat: "This screen",
    left: (n) => `${n} ${plural(n, "die", "dice")} left to throw`,
    fall: (n) => `Throw exactly these ${n}`,
    any: "none",
  },
};
