// ---- what a typed answer means: the rules of a session (stepper/shape_answer.cpp, stepper/judge.cpp) ----

/// Without the brackets around it.
function bare(text) {
  let before;
  do {
    before = text;
    text = text.trim().replace(/^(torch\.Size\(|\[|\()/, "").replace(/[\])]$/, "");
  } while (text !== before);
  return text;
}

/// Words, numbers, "*" and ",". "2x3" is a product, too, but x within a name is not.
function shape_tokens(text) {
  return text.replace(/[\s:=;]+/g, " ").replace(/(?<=(?:^|[ ,*x])\S*\d)x/g, "*").match(/[^\s,*]+|[,*]/g) || [];
}

function known_size(name, axes) {
  const own = axes.find((axis) => axis.name === name);
  return own ? own.size : Object.hasOwn(data.sizes, name) ? data.sizes[name] : null;
}

/// Items {name, size}, or {problem}. `pairs`: a name right before a number is one item with it.
function shape_items(tokens, axes, pairs) {
  const is_size = (token) => /^\d+$/.test(token ?? ""), items = [];
  let at = 0;
  const factor = () => {
    const token = tokens[at++]?.replace(/\?$/, "");
    if (is_size(token)) return {name: "", size: Number(token)};
    if (/^-\d+$/.test(token)) throw words.negative;
    if (pairs && is_size(tokens[at])) return {name: token, size: Number(tokens[at++])};
    const size = known_size(token, axes);
    if (size === null) throw fill(words.token, {token});
    return {name: token, size};
  };
  while (at < tokens.length) {
    if (tokens[at] === ",") { ++at; continue; }
    let item = factor();
    while (at + 1 < tokens.length && tokens[at] === "*") {
      ++at;
      const next = factor();
      item = {name: "", size: item.size * next.size};
    }
    items.push(item);
  }
  return items;
}

/// The sizes that a typed shape means. `axes`: of the answer. Throws a sentence when it is none.
function read_shape(text, axes) {
  const inside = bare(text);
  if (inside === "" && text.trim() === "") throw words.unreadable;
  const tokens = shape_tokens(inside), items = shape_items(tokens, axes, true);
  if (items.length >= axes.length) return items;
  // "batch_size n_heads 5 6": names and numbers one after another, where pairs make too few.
  try {
    const single = shape_items(tokens, axes, false);
    return single.length === axes.length ? single : items;
  } catch {
    return items;
  }
}

function same_sizes(items, others) {
  return items.length === others.length && items.every((item, k) => item.size === others[k].size);
}

/// Sizes are right, but a name says another axis: the sentence about it, or "". A name of one's own is no mistake.
function other_axis(items, axes) {
  const wrong = items.findIndex(({name}, k) => name && axes[k].name && name !== axes[k].name && known_size(name, []) !== null);
  return wrong < 0 ? "" : fill(words.name, {axis: axes[wrong].name, other: items[wrong].name});
}

/// "1/3", "0.25", "1e-3", "True", "nan"; null when it is none.
function number_in(text) {
  const typed = text.trim().toLowerCase().replace(/[.!]+$/, ""), [above, below, more] = typed.split("/");
  if (typed === "true" || typed === "false") return typed === "true" ? 1 : 0;
  if (/^[+-]?(nan|inf(inity)?)$/.test(typed)) return typed.endsWith("nan") ? NaN : typed[0] === "-" ? -Infinity : Infinity;
  const plain = (part) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(part.trim()) ? Number(part) : null;
  if (below === undefined) return plain(typed);
  const parts = more === undefined ? [plain(above), plain(below)] : [null, null];
  return parts[0] === null || !parts[1] ? null : parts[0] / parts[1];
}

/// Within what rounding to the typed digits explains; whole numbers are exact.
function same_number(given, truth, typed, is_whole) {
  if (Number.isNaN(truth)) return Number.isNaN(given);
  if (is_whole || !Number.isFinite(truth)) return given === truth;
  const decimals = /e/i.test(typed) ? 0 : (typed.trim().split(".")[1] || "").length;
  const rounding = decimals >= 2 ? 0.5001 * 10 ** -decimals : 0;
  return Math.abs(given - truth) <= Math.max(1e-6 + 1e-3 * Math.abs(truth), rounding);
}

function plain_words(text) {
  return text.trim().toLowerCase().replace(/,/g, " ").replace(/ +/g, " ").replace(/[.! ]+$/, "");
}

// For each kind of question: what is typed, judged against the answer: {right, say}. Throws what is unreadable. And
// whether it is an answer that was foreseen.
const kJudges = {
  shape(typed, answer) {
    const axes = JSON.parse(answer.dataset.axes), items = read_shape(typed, axes);
    if (!same_sizes(items, axes)) return {right: false, say: ""};
    const say = other_axis(items, axes);
    return {right: say === "", say};
  },
  value(typed, answer) {
    const truth = number_in(answer.dataset.answer), given = number_in(typed);
    const text = (t) => t.replace(/[ \n]/g, "").replace(/"/g, "'");
    if (truth === null) return {right: text(typed) === text(answer.dataset.answer), say: ""};
    if (given === null) throw words.number;
    return {right: same_number(given, truth, typed, answer.dataset.whole !== undefined), say: ""};
  },
  raises(typed, answer) { return {right: typed === answer.dataset.answer, say: ""}; },
  effect(typed, answer) { return {right: typed === answer.dataset.answer, say: ""}; },
};

function is_foreseen(trap, typed, answer) {
  if (answer.dataset.ask === "shape") {
    const axes = JSON.parse(answer.dataset.axes);
    try {
      return same_sizes(read_shape(trap, axes), read_shape(typed, axes));
    } catch {
      return false;
    }
  }
  const foreseen = number_in(trap), given = number_in(typed);
  if (foreseen === null || given === null) return plain_words(trap) === plain_words(typed);
  return Math.abs(foreseen - given) <= 1e-6 + 1e-3 * Math.abs(foreseen);
}
