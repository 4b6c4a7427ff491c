// The script of an exported page (src/render/html.cpp). The page is whole without it; it adds steps, predictions that
// wait for an answer, and the other slices of tensors. All text goes in as text, never as markup.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const words = data.words;
for (const [id, value] of Object.entries(data.values)) value.made = data.made[id];

/// make("button", {type: "button"}, "Next", child...)
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => name in values ? String(values[name]) : whole);
}

// ---- numbers: as src/explain/numbers.cpp writes them ----

function bytes_of(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/// The numbers of a tensor in row-major order, read when they are first wanted.
function numbers_of(value) {
  if (!value.read && value.numbers === undefined) {
    value.read = moved_numbers(value);
  } else if (!value.read) {
    const bytes = bytes_of(value.numbers), view = new DataView(bytes.buffer);
    if (value.type === "bool") {
      value.read = bytes;
    } else if (value.type === "float") {
      value.read = Float32Array.from({length: bytes.length / 4}, (_, i) => view.getFloat32(4 * i, true));
    } else {
      value.read = Float64Array.from({length: bytes.length / 8}, (_, i) => view.getFloat64(8 * i, true));
    }
  }
  return value.read;
}

/// Of a tensor whose elements only moved (a view, a permute): taken from where they stood.
function moved_numbers(value) {
  const slot = value.made.forms[0].slots[0], from = numbers_of(data.values[slot.v]);
  const sizes = value.axes.map((axis) => axis.size), count = sizes.reduce((a, b) => a * b, 1);
  return from.constructor.from({length: count}, (_, number) => from[slot.l ? slot.l[number]
    : unravel(number, sizes).reduce((sum, index, axis) => sum + slot.s[axis] * index, slot.b)]);
}

/// toFixed() takes the larger of two that are equally near, C and Python the even one.
function fixed(number, decimals) {
  const text = number.toFixed(decimals), doubled = Math.abs(number) * 10 ** decimals * 2;
  const tie = doubled < 2 ** 52 && Number.isInteger(doubled) && doubled % 2 === 1;
  const size = tie ? (2 * Math.round(doubled / 4) / 10 ** decimals).toFixed(decimals) : text.replace("-", "");
  return (number < 0 || Object.is(number, -0) ? "-" : "") + size;
}

function exponent(number, decimals) {
  return number.toExponential(decimals).replace(/e([+-])(\d)$/, "e$10$2");
}

function number_text(value, number) {
  if (value.type === "bool") return number ? "True" : "False";
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number < 0 ? "-inf" : "inf";
  if (value.type === "int") return String(number);
  if (value.mode === "whole") return fixed(number, 0) + ".";
  if (value.mode === "exponent") return exponent(number, 4);
  const size = Math.abs(number);
  if (value.mode === "decimals" && size !== 0 && (size < 0.5e-4 || size >= 1e4))
    return exponent(number, 2).replace(/\.?0*e/, "e");
  return fixed(number, 4);
}

function heat_class(number, scale) {
  if (Number.isNaN(number)) return "x";
  const share = Number.isFinite(number) ? (scale > 0 ? Math.min(1, Math.abs(number) / scale) : 0) : 1;
  const strength = Math.floor(share * 8 + 0.5);
  return strength === 0 ? "" : (number > 0 ? "p" : "n") + strength;
}

// ---- tensors: other slices, and a walk over the cells ----

class Figure {
  constructor(element) {
    this.element = element;
    this.value = data.values[element.dataset.value];
    this.table = element.querySelector("table.heat");
    this.slice = this.value.axes.slice(0, -2).map(() => 0);
    this.columns = [...this.table.querySelectorAll("thead th[data-i]")].map((th) => Number(th.dataset.i));
    this.rows = [...this.table.querySelectorAll("tbody tr[data-i]")];
    this.cells = this.rows.map((row) => [...row.querySelectorAll("td:not(.gap)")]);
    if (this.slice.some((_, axis) => this.value.axes[axis].size > 1)) this.add_sliders();
    this.add_walk();
    if (data.made[element.dataset.value]) this.add_arithmetic();
  }

  add_arithmetic() {
    this.sums = make("div", {class: "sums", "aria-live": "polite", hidden: ""});
    this.element.append(this.sums);
    const show = (event) => {
      const place = this.place_of(event.target);
      if (place) show_arithmetic(this, this.cells[place[0]][place[1]], this.element_at(...place));
    };
    this.table.addEventListener("mouseover", show);
    this.table.addEventListener("focusin", show);
    this.table.addEventListener("click", show);
  }

  /// The cell that shows an element now, if one does.
  cell_of(element) {
    const sizes = this.sizes(), columns = sizes[sizes.length - 1], rows = sizes.length > 1 ? sizes[sizes.length - 2] : 1;
    const here = this.slice.reduce((number, index, axis) => number * sizes[axis] + index, 0);
    if (Math.floor(element / (rows * columns)) !== here) return null;
    const row = this.rows.findIndex((tr) => Number(tr.dataset.i) === Math.floor(element / columns) % rows);
    return this.cells[row]?.[this.columns.indexOf(element % columns)];
  }

  sizes() { return this.value.axes.map((axis) => axis.size); }

  /// The row-major number of the element in a cell.
  element_at(row, column) {
    const sizes = this.sizes(), last = sizes.length - 1;
    let number = 0;
    this.slice.forEach((index, axis) => { number = number * sizes[axis] + index; });
    if (last > 0) number = number * sizes[last - 1] + Number(this.rows[row].dataset.i);
    return number * sizes[last] + this.columns[column];
  }

  add_sliders() {
    this.sliders = make("div", {class: "sliders"});
    this.slice.forEach((_, axis) => {
      const {name, size, words: labels} = this.value.axes[axis];
      if (size < 2) return;
      const output = make("output", {}, labels ? labels[0] : "0");
      const input = make("input", {type: "range", min: 0, max: size - 1, value: 0, step: 1});
      input.addEventListener("input", () => {
        this.slice[axis] = Number(input.value);
        output.textContent = labels ? labels[this.slice[axis]] : input.value;
        this.draw();
      });
      this.sliders.append(make("label", {}, name || `axis ${axis}`, input, output));
    });
    this.element.querySelector(".slice")?.remove();
    this.element.querySelector("figcaption").after(this.sliders);
  }

  /// Words that belong to the slice that is shown, at the edge along `axis`.
  relabel(axis, heads) {
    const {by, rows, size} = this.value.axes[axis] ?? {};
    if (!rows || !(by < this.slice.length)) return;
    for (const [head, i] of heads) head.textContent = rows[this.slice[by] * size + i];
  }

  draw() {
    const numbers = numbers_of(this.value), last = this.value.axes.length - 1;
    this.relabel(last, [...this.table.querySelectorAll("thead th[data-i]")].map((th) => [th, Number(th.dataset.i)]));
    this.relabel(last - 1, this.rows.map((row) => [row.querySelector("th"), Number(row.dataset.i)]));
    this.cells.forEach((row, r) => row.forEach((cell, c) => {
      const number = numbers[this.element_at(r, c)];
      cell.textContent = number_text(this.value, number);
      cell.className = heat_class(number, this.value.scale);
    }));
  }

  /// One stop of the tab key for the table; arrows go from cell to cell.
  add_walk() {
    this.cells.forEach((row, r) => row.forEach((cell, c) => { cell.tabIndex = r + c === 0 ? 0 : -1; }));
    this.table.addEventListener("keydown", (event) => {
      const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
      const place = this.place_of(event.target);
      if (!steps || !place) return;
      event.preventDefault();
      event.stopPropagation();
      const next = this.cells[place[0] + steps[0]]?.[place[1] + steps[1]];
      if (!next) return;
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  }

  place_of(target) {
    const cell = target.closest?.("td"), row = this.cells.findIndex((cells) => cells.includes(cell));
    return row < 0 ? null : [row, this.cells[row].indexOf(cell)];
  }
}

// ---- arithmetic: data.made says for each tensor which elements of which tensors make a number (render/html_arithmetic.h)

const kNamedTerms = 3, kMostTerms = 48;

function unravel(number, sizes) {
  const index = [];
  for (let axis = sizes.length - 1; axis >= 0; --axis) {
    index.unshift(number % sizes[axis]);
    number = Math.floor(number / sizes[axis]);
  }
  return index;
}

/// As many digits as tell a number from its neighbours.
function digits_of(value, number) {
  if (value.type !== "float" || !Number.isFinite(number)) return value.type === "double" || value.type === "float"
    ? python_number(number) : number_text(value, number);
  let precision = 1;
  while (precision < 9 && Math.fround(Number(number.toPrecision(precision))) !== number) ++precision;
  return python_number(Number(number.toPrecision(precision)));
}

function python_number(number) {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "nan" : number < 0 ? "-inf" : "inf";
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return number.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return Number.isInteger(number) ? number + ".0" : String(number);
}

function place_text(id, element) {
  const value = data.values[id], index = unravel(element, value.axes.map((axis) => axis.size));
  return value.name + (index.length ? `[${index.join(", ")}]` : "");
}

class Arithmetic {
  constructor(made, sizes, number) {
    const which = made.which ? made.which[number] : 0;
    this.form = made.forms[which];
    this.rank = made.which ? made.which.slice(0, number).filter((form) => form === which).length : number;
    this.index = unravel(number, sizes);
    this.operands = new Map();  // "id element" -> [id, element]
    this.expand(this.form.pieces, {}, () => "", Infinity);
    for (const slot of this.form.slots.keys()) this.operand(slot, {});
  }

  /// The element of a slot; `steps`: how far further on it is in this term.
  operand(slot, steps) {
    const place = this.form.slots[slot];
    const element = (steps[slot] || 0) + (place.l ? place.l[this.rank]
      : place.s.reduce((sum, step, axis) => sum + step * this.index[axis], place.b));
    this.operands.set(`${place.v} ${element}`, [place.v, element]);
    return [place.v, element];
  }

  /// The expression with each slot written by `write`; of many terms the first and the last ones.
  expand(pieces, steps, write, most) {
    let text = "";
    for (const piece of pieces) {
      if (typeof piece === "string") text += piece;
      else if (typeof piece === "number") text += write(...this.operand(piece, steps), text);
      else text += this.terms(piece, write, most);
    }
    return text;
  }

  terms(piece, write, most) {
    const out = [];
    const whole = piece.n <= most + 1;  // one more takes no more room than to say so
    const first = whole ? piece.n : Math.ceil(most / 2), last = whole ? 0 : Math.floor(most / 2);
    for (let term = 0; term < piece.n; ++term) {
      if (term === first && last > 0) out.push(fill(words.more, {count: piece.n - first - last}));
      if (term >= first && term < piece.n - last) continue;
      const steps = {};
      for (const [slot, step] of Object.entries(piece.step)) steps[slot] = step * term;
      out.push(this.expand(piece.of, steps, write, most));
    }
    return out.join(piece.join);
  }

  names() { return this.expand(this.form.pieces, {}, (id, element) => place_text(id, element), kNamedTerms); }

  /// Empty where the numbers of an operand are not in the page.
  digits() {
    if (this.form.slots.some((slot) => !data.values[slot.v].type)) return "";
    return this.expand(this.form.pieces, {}, (id, element, before) => {
      const digits = digits_of(data.values[id], numbers_of(data.values[id])[element]);
      const bare = before === "" || /[([,]\s*$/.test(before);
      return digits.startsWith("-") && !bare ? `(${digits})` : digits;
    }, kMostTerms);
  }
}

function is_in_table(id) {
  return figures.some((figure) => figure.element.dataset.value === String(id));
}

function sizes_of(id) {
  return data.values[id].axes.map((axis) => axis.size);
}

/// The lines of one number, and its operands.
function level_of(id, element) {
  const made = data.made[id], value = data.values[id];
  const arithmetic = new Arithmetic(made, sizes_of(id), element);
  const names = arithmetic.names(), digits = arithmetic.digits();
  const result = value.type ? digits_of(value, numbers_of(value)[element]) : "";
  const lines = [`${place_text(id, element)}${names ? ` = ${names}` : ""}`];
  if (digits && digits !== names) lines.push(`= ${digits}`);
  if (result && digits !== result) lines.push(`= ${result}`);
  const made_by = made.op ? fill(words.made_by, {op: made.op, line: made.line}) : "";
  const note = [made_by, arithmetic.form.note || (names || made.op ? "" : words.given)].filter(Boolean).join(" · ");
  return {lines, note, operands: [...arithmetic.operands.values()]};
}

/// The arithmetic of a number, and below it that of operands which stand in no table, as long as they are few.
function show_arithmetic(figure, cell, number) {
  for (const marked of document.querySelectorAll("td.at, td.operand")) marked.classList.remove("at", "operand");
  for (const other of figures) if (other !== figure && other.sums) other.sums.hidden = true;
  const parts = [], places = [];
  let level = [[figure.element.dataset.value, number]];
  for (let depth = 0; depth < 4 && level.length > 0; ++depth) {
    const next = [];
    for (const [id, element] of level) {
      const {lines, note, operands} = level_of(id, element);
      parts.push(...lines.map((line) => make("p", {}, line)), make("p", {class: "note"}, note));
      places.push(...operands);
      const hidden = operands.filter(([operand]) => data.made[operand] && !is_in_table(operand));
      if (hidden.length <= 2) next.push(...hidden);
    }
    level = next.slice(0, 2);
  }
  figure.sums.replaceChildren(...parts);
  figure.sums.hidden = false;
  for (const [operand, element] of places)
    for (const other of figures)
      if (other.element.dataset.value === String(operand)) other.cell_of(element)?.classList.add("operand");
  cell.classList.add("at");
}

const figures = [...document.querySelectorAll("figure.tensor")].filter((f) => data.values[f.dataset.value]?.type)
  .map((element) => new Figure(element));

// ---- predictions ----

const kChoices = {
  raises: ["yes", "no"],
  effect: ["raises", "other_shape", "other_numbers", "no_difference"],
};

function read_shape(text) {
  const inside = text.replace(/[[\]()]/g, " ").trim();
  if (!/^(\d+([\s,x×]+|$))*$/.test(inside)) return null;
  return (inside.match(/\d+/g) || []).join(",");
}

/// Whether a typed number says the right one, as far as its digits go.
function says_number(text, answer) {
  const typed = text.trim();
  if (typed.toLowerCase() === answer.toLowerCase()) return true;
  const given = Number(typed.replace(",", ".")), truth = Number(answer);
  if (typed === "" || Number.isNaN(given) || Number.isNaN(truth)) return false;
  const decimals = (typed.split(/[.,]/)[1] || "").length;
  return Math.abs(given - truth) <= (decimals > 0 ? 0.5 * 10 ** -decimals : 0) + 1e-9;
}

class Prediction {
  constructor(answer, number) {
    this.answer = answer;
    this.kind = answer.dataset.ask;
    this.open = true;
    this.verdict = make("p", {class: "verdict", role: "status"});
    this.form = make("form", {class: "ask"}, ...this.inputs(`ask-${number}`), this.buttons(), this.verdict);
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.judge(); });
    answer.before(this.form);
    answer.hidden = true;
  }

  inputs(name) {
    if (this.kind in kChoices) {
      const choices = kChoices[this.kind].map((choice) => make("label", {class: "choice"},
        make("input", {type: "radio", name, value: choice}), " ", words[choice]));
      return [make("fieldset", {}, make("legend", {}, words.choice), ...choices)];
    }
    const field = this.kind === "write" ? make("textarea", {id: name, spellcheck: "false"})
      : make("input", {type: "text", id: name, autocomplete: "off"});
    return [make("label", {class: "for", for: name}, words[this.kind]), field];
  }

  buttons() {
    const reveal = make("button", {type: "button"}, words.reveal);
    reveal.addEventListener("click", () => this.show(""));
    return make("div", {class: "row"}, make("button", {type: "submit"}, words.check), reveal);
  }

  judge() {
    const field = this.form.querySelector("input:checked, input[type=text], textarea");
    const given = field ? field.value : "", truth = this.answer.dataset.answer;
    if (given.trim() === "" || (this.kind === "shape" && read_shape(given) === null)) {
      this.verdict.textContent = this.kind === "shape" ? words.unreadable : words.choice;
      return;
    }
    if (this.kind === "write") return this.show(words.compare);
    const says = (answer) => this.kind === "shape" ? read_shape(given) === read_shape(answer)
      : this.kind === "value" ? says_number(given, answer) : given === answer;
    const right = says(truth);
    this.verdict.className = right ? "verdict right" : "verdict wrong";
    for (const trap of this.answer.querySelectorAll(".trap"))
      if (!right && says(trap.dataset.answer)) trap.classList.add("yours");
    this.show(right ? words.right : words.wrong);
  }

  show(verdict) {
    this.open = false;
    this.verdict.textContent = verdict;
    this.answer.hidden = false;
    this.answer.open = true;
    for (const button of this.form.querySelectorAll("button")) button.disabled = true;
    steps.draw();
  }
}

// ---- steps ----

class Steps {
  constructor() {
    this.list = [...document.querySelectorAll(".step[data-step]")];
    this.at = -1;
    if (this.list.length === 0) return;
    this.place = make("span", {role: "status"});
    this.back = make("button", {type: "button"}, "← ", words.back);
    this.next = make("button", {type: "button"}, words.next, " →");
    this.only = make("input", {type: "checkbox"});
    this.back.addEventListener("click", () => this.go(this.at - 1));
    this.next.addEventListener("click", () => this.go(this.at + 1));
    this.only.addEventListener("change", () => { this.at = Math.max(this.at, 0); this.draw(); });
    document.body.append(make("div", {class: "bar", role: "navigation", "aria-label": words.steps}, this.back,
      this.place, this.next, make("label", {}, this.only, words.only), make("span", {class: "keys"}, words.keys)));
    document.addEventListener("keydown", (event) => this.key(event));
    this.draw();
  }

  key(event) {
    const busy = event.target.closest?.("input, textarea, select, .wide, pre");
    if (busy || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowRight") this.go(this.at + 1);
    else if (event.key === "ArrowLeft") this.go(this.at - 1);
    else return;
    event.preventDefault();
  }

  /// The prediction that hides a step, if it waits for its answer.
  waiting(at) {
    const answer = this.list[at]?.closest("details.answer");
    return predictions.find((p) => p.open && p.answer === answer);
  }

  go(at) {
    if (at < 0 || at >= this.list.length) return;
    const open = this.waiting(at);
    if (open) {
      open.form.classList.remove("later");
      open.form.closest(".later")?.classList.remove("later");
      open.verdict.textContent = words.first;
      open.form.scrollIntoView({block: "center"});
      open.form.querySelector("input, textarea").focus({preventScroll: true});
      return;
    }
    this.at = at;
    this.draw();
    for (let e = this.list[at].parentElement; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    this.list[at].scrollIntoView({block: "nearest"});
    if (this.list[at].getBoundingClientRect().top < 0) this.list[at].scrollIntoView({block: "start"});
  }

  draw() {
    if (this.list.length === 0) return;
    this.list.forEach((step, i) => step.classList.toggle("current", i === this.at));
    this.place.textContent = fill(words.place, {step: this.at < 0 ? "–" : this.list[this.at].dataset.step,
      steps: this.list[this.list.length - 1].dataset.step});
    this.back.disabled = this.at <= 0;
    this.next.disabled = this.at === this.list.length - 1;
    this.hide_later();
  }

  /// Blocks of the page behind the one that has the next step, and steps behind the current one.
  hide_later() {
    for (const element of document.querySelectorAll(".later")) element.classList.remove("later");
    if (!this.only.checked) return;
    this.list.forEach((step, i) => step.classList.toggle("later", i > this.at && !step.closest("details.answer")));
    const top = (element) => { while (element.parentElement.tagName !== "MAIN") element = element.parentElement; return element; };
    const next = this.list[this.at + 1];
    if (!next) return;
    const last = this.waiting(this.at + 1) || top(next) === top(this.list[this.at]) ? top(next) : null;
    let block = last ? last.nextElementSibling : top(next);
    for (; block; block = block.nextElementSibling) block.classList.add("later");
  }
}

let steps = {draw() {}};
const predictions = [...document.querySelectorAll("details.answer[data-ask]")].map((a, i) => new Prediction(a, i));
steps = new Steps();
