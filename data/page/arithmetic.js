// ---- arithmetic: data.made says of each tensor which elements of which tensors make a number
// (render/html_arithmetic.h, render/html_places.h) ----

const kNamedTerms = 3, kMostTerms = 48, kMostLevels = 4, kMostInside = 2;

/// Where a place leads at an index; `rank`: of a list, for the how manieth number of the form.
function element_of(place, index, rank) {
  if (place.l) return place.l[rank];
  const element = place.s.reduce((sum, step, axis) => sum + (Array.isArray(step) ? step[index[axis]] : step * index[axis]),
    place.b);
  if (place.at) return element + place.k * numbers_of(data.values[place.at.v])[element_of(place.at, index)];
  return place.pick ? picked_element(place, element) : element;
}

/// Of some elements the first that is the largest or smallest.
function picked_element(place, begin) {
  const numbers = numbers_of(data.values[place.v]);
  let best = begin;
  for (let k = 1; k < place.n; ++k) {
    const number = numbers[begin + k * place.d];
    if (place.pick === "largest" ? number > numbers[best] : number < numbers[best]) best = begin + k * place.d;
  }
  return best;
}

/// As render/html_arithmetic.cpp: nan, infinite, 0, others.
function kind_of(number) {
  return Number.isNaN(number) ? 0 : !Number.isFinite(number) ? 1 : number === 0 ? 2 : 3;
}

/// As many digits as tell a number from its neighbours.
function digits_of(value, number) {
  if (value.type !== "float" || !Number.isFinite(number) || number === 0) return value.type === "double" || value.type === "float"
    ? python_number(number) : number_text(value, number);
  let precision = 1;
  while (precision < 9 && Math.fround(Number(number.toPrecision(precision))) !== number) ++precision;
  return python_number(Number(number.toPrecision(precision)));
}

/// Python's digits, but 1e10 where that is much shorter (explain/element_level.cpp).
function python_number(number) {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "nan" : number < 0 ? "-inf" : "inf";
  if (number === 0) return Object.is(number, -0) ? "-0.0" : "0.0";
  const size = Math.abs(number), brief = number.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  if (size < 1e-4 || size >= 1e16) return brief;
  const plain = Number.isInteger(number) ? number + ".0" : String(number);
  const is_exact = size >= 1e6 && Number(number.toPrecision(6)) === number;
  return is_exact && (brief.length - 1) * 2 <= plain.length ? brief.replace("+", "") : plain;
}

function place_text(id, element) {
  const index = unravel(element, sizes_of(id));
  return data.values[id].name + (index.length ? `[${index.join(", ")}]` : "");
}

class Arithmetic {
  constructor(id, number) {
    const made = data.made[id];
    const which = made.which ? made.which[number] : made.kinds ? made.kinds[kind_of(numbers_of(data.values[id])[number])] : 0;
    this.form = made.forms[which];
    this.rank = made.which ? made.which.slice(0, number).filter((form) => form === which).length : number;
    this.index = unravel(number, sizes_of(id));
    this.elements = this.form.slots.map((place) => element_of(place, this.index, this.rank));
    this.operands = new Map();  // "id element" -> [id, element]
    this.terms_in_all = 0;
    this.expand(this.form.pieces, {}, () => "", Infinity);
    for (const slot of this.form.slots.keys()) this.operand(slot, {});
  }

  /// The element of a slot; `steps`: how far further on it is in this term.
  operand(slot, steps) {
    const value = this.form.slots[slot].v, element = this.elements[slot] + (steps[slot] || 0);
    this.operands.set(`${value} ${element}`, [value, element]);
    return [value, element];
  }

  /// The expression with each slot written by `write`; of many terms the first and the last ones.
  expand(pieces, steps, write, most) {
    let text = "";
    pieces.forEach((piece, k) => {
      if (typeof piece === "string") text += piece;
      else if (typeof piece === "number") text += write(...this.operand(piece, steps), text, String(pieces[k + 1] ?? ""));
      else text += this.terms(piece, write, most);
    });
    return text;
  }

  terms(piece, write, most) {
    const out = [];
    const whole = piece.n <= most + 1;  // one more takes no more room than to say so
    const first = whole ? piece.n : Math.ceil(most / 2), last = whole ? 0 : Math.floor(most / 2);
    this.terms_in_all = piece.n;
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

  /// Values whose numbers are not in the page.
  missing() {
    return [...new Set(this.form.slots.map((slot) => slot.v))].filter((id) => !data.values[id].type);
  }

  digits() {
    if (this.missing().length > 0) return "";
    return this.expand(this.form.pieces, {}, (id, element, before, rest) => {
      const digits = digits_of(data.values[id], numbers_of(data.values[id])[element]);
      const bare = (before === "" || /[([,]\s*$/.test(before)) && !rest.startsWith(" **");
      return digits.startsWith("-") && !bare ? `(${digits})` : digits;
    }, kMostTerms);
  }

  /// What is said below the expression.
  notes(id) {
    const made = data.made[id], missing = this.missing().map((value) => data.values[value].name);
    return [made.op ? fill(words.made_by, {op: made.op, line: made.line}) : "",
      this.form.note || (this.form.pieces.length || made.op ? "" : words.given),
      this.terms_in_all > kNamedTerms ? fill(words.terms, {count: this.terms_in_all}) : "",
      missing.length ? fill(words.missing, {names: missing.join(", ")}) : ""].filter(Boolean).join(" · ");
  }
}

function is_in_table(id) {
  return figures.some((figure) => figure.id === String(id));
}

/// The lines of one number, and its operands.
function level_of(id, element) {
  const value = data.values[id], arithmetic = new Arithmetic(id, element);
  const names = arithmetic.names(), digits = arithmetic.digits();
  const result = value.type ? digits_of(value, numbers_of(value)[element]) : "";
  const lines = [`${place_text(id, element)}${names ? ` = ${names}` : ""}`];
  if (digits && digits !== names) lines.push(`= ${digits}`);
  if (result && digits !== result) lines.push(`= ${result}`);
  return {lines, note: arithmetic.notes(id), operands: [...arithmetic.operands.values()]};
}

/// The arithmetic of a number, and below it that of operands which stand in no table, as long as they are few.
function levels_of(id, number) {
  const levels = [];
  let next = [[id, number]];
  for (let depth = 0; depth < kMostLevels && next.length > 0; ++depth) {
    const below = [];
    for (const [value, element] of next) {
      levels.push(level_of(value, element));
      const hidden = levels.at(-1).operands.filter(([operand]) => data.made[operand] && !is_in_table(operand));
      if (hidden.length <= kMostInside) below.push(...hidden);
    }
    next = below.slice(0, kMostInside);
  }
  return levels;
}

function unmark_cells() {
  for (const marked of document.querySelectorAll("td.at, td.operand")) marked.classList.remove("at", "operand");
}

// In pixels: the least that is worth to be on the right of a table, the most it takes, and the gap to the number.
const kNarrowest = 280, kWidest = 560, kApart = 8;

/// To the right of the table where there is room, else below or above the number; never below the bar.
function put_beside(box, cell, table, home) {
  const bar = document.querySelector(".bar")?.getBoundingClientRect().height ?? 0;
  const at = cell.getBoundingClientRect(), all = table.getBoundingClientRect(), from = home.getBoundingClientRect();
  const right = document.documentElement.clientWidth - kApart, bottom = innerHeight - bar - kApart;
  const edge = Math.min(all.right, table.parentElement.getBoundingClientRect().right) + kApart;
  const is_beside = right - edge >= kNarrowest, below = bottom - at.bottom - kApart, above = at.top - 2 * kApart;
  const width = Math.min(kWidest, is_beside ? right - edge : right - kApart);
  box.style.width = `${width}px`;
  box.style.maxHeight = `${Math.max(96, is_beside ? bottom - kApart : Math.max(below, above))}px`;
  const height = box.getBoundingClientRect().height;
  const left = is_beside ? edge : Math.max(kApart, Math.min(at.left, right - width));
  const wanted = is_beside ? at.top : height <= below || below >= above ? at.bottom + kApart : at.top - kApart - height;
  box.style.left = `${left - from.left}px`;
  box.style.top = `${Math.min(wanted, bottom - height) - from.top}px`;
}

function show_arithmetic(figure, cell, number, follow) {
  unmark_cells();
  for (const other of figures) if (other !== figure && other.sums) other.sums.hidden = true;
  const levels = levels_of(figure.id, number);
  figure.sums.replaceChildren(...levels.flatMap(({lines, note}) =>
    [...lines.map((line) => make("p", {}, line)), make("p", {class: "note"}, note)]));
  figure.sums.hidden = false;
  for (const other of figures) {
    const places = levels.flatMap(({operands}) => operands).filter(([id]) => String(id) === other.id);
    if (follow && other !== figure && places.length > 0) other.reveal(places[0][1]);
    for (const [, element] of places) other.cell_of(element)?.classList.add("operand");
  }
  cell.classList.add("at");
  put_beside(figure.sums, cell, figure.table, figure.element);
}

for (const event of ["scroll", "resize"]) {
  addEventListener(event, () => {
    for (const {sums, table, element} of figures) {
      const cell = sums && !sums.hidden && table.querySelector("td.at");
      if (cell) put_beside(sums, cell, table, element);
    }
  }, {passive: true});
}
