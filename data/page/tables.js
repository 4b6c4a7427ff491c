// ---- tensors: other slices and other parts of large tables, and a walk over the cells ----

function sizes_of(id) {
  return data.values[id].axes.map((axis) => axis.size);
}

function unravel(number, sizes) {
  const index = [];
  for (let axis = sizes.length - 1; axis >= 0; --axis) {
    index.unshift(number % sizes[axis]);
    number = Math.floor(number / sizes[axis]);
  }
  return index;
}

// In pixels, about: of the words at the left edge, and of a column of numbers.
const kLabelWidth = 110, kColumnWidth = 64, kFewestColumns = 4;

/// A table of a tensor. `start`: of its last two axes the first index that is shown, of the others the one that is.
class Figure {
  constructor(element) {
    this.element = element;
    this.id = element.dataset.value;
    this.value = data.values[this.id];
    this.sizes = sizes_of(this.id);
    this.table = element.querySelector("table.heat");
    const is_large = this.table.querySelector(".gap") !== null;
    if (this.table.querySelector("thead .gap")) this.narrow();
    for (const gap of this.table.querySelectorAll(".gap")) gap.remove();
    for (const row of this.table.querySelectorAll("tr[data-rows]"))
      for (let copies = Number(row.dataset.rows) - 1; copies > 0; --copies) row.after(row.cloneNode(true));
    this.heads = [...this.table.querySelectorAll("thead tr:last-child th:not(.name)")];
    this.rows = [...this.table.querySelectorAll("tbody tr")];
    this.cells = this.rows.map((row) => [...row.querySelectorAll("td")]);
    const last = this.sizes.length - 1;
    this.shown = this.sizes.map((_, axis) => axis === last ? this.heads.length : axis === last - 1 ? this.rows.length : 1);
    const slice = element.dataset.slice?.split(",").map(Number) ?? [];
    this.start = this.sizes.map((_, axis) => slice[axis] ?? 0);
    this.first = [...this.start];
    this.sliders = this.sizes.map((size, axis) => size > this.shown[axis] ? this.slider(axis) : null);
    if (this.sliders.some(Boolean)) this.add_sliders();
    if (is_large) this.draw();
    else this.join_rows();
    this.add_walk();
    if (data.made[this.id]) this.add_arithmetic();
  }

  // ---- which part is shown ----

  /// Of more columns than a table shows, as many stay as there is room for: the slider has the others.
  narrow() {
    const room = document.querySelector("main").clientWidth - kLabelWidth;
    const most = Math.max(kFewestColumns, Math.floor(room / kColumnWidth));
    for (const row of this.table.rows)
      [...row.querySelectorAll("tbody td:not(.gap), thead th[scope=col]:not(.name)")].slice(most).forEach((cell) => cell.remove());
    const names = this.table.querySelector("th[colspan]");
    if (names) names.colSpan = Math.min(most, names.colSpan);
  }

  slider(axis) {
    const {name, size} = this.value.axes[axis];
    const output = make("output", {}, this.part_text(axis));
    const input = make("input", {type: "range", min: 0, max: size - this.shown[axis], value: this.start[axis], step: 1});
    input.addEventListener("input", () => { this.start[axis] = Number(input.value); this.draw(); });
    return {input, output, label: make("label", {}, name || fill(words.axis, {axis}), input, output)};
  }

  add_sliders() {
    const box = make("div", {class: "sliders"}, ...this.sliders.filter(Boolean).map((slider) => slider.label));
    this.why = this.element.querySelector(".slice");
    if (!this.element.dataset.slice) this.why?.remove();
    this.element.querySelector("figcaption").after(box);
  }

  /// A word or the index; words may belong to the place that is shown of another axis.
  label(axis, index) {
    const {words, by, size} = this.value.axes[axis];
    if (by !== undefined && by >= this.sizes.length - 2) return String(index);
    return words?.[by === undefined ? index : this.start[by] * size + index] ?? String(index);
  }

  /// "2", or "0 to 15 of 20" of an axis of which several are shown.
  part_text(axis) {
    const first = this.start[axis], last = first + this.shown[axis] - 1;
    if (first === last) return this.label(axis, first);
    return fill(words.part, {first, last, count: this.sizes[axis]});
  }

  /// Moves so that the element is shown.
  reveal(element) {
    unravel(element, this.sizes).forEach((index, axis) => {
      const most = this.sizes[axis] - this.shown[axis], first = this.start[axis];
      if (index < first) this.start[axis] = index;
      else if (index >= first + this.shown[axis]) this.start[axis] = Math.min(most, index - this.shown[axis] + 1);
    });
    this.draw();
  }

  draw() {
    const numbers = numbers_of(this.value), last = this.sizes.length - 1;
    // What is said of the slice and its rows is said of the one that the page was written with.
    const is_first = this.start.slice(0, -2).every((at, axis) => at === this.first[axis]);
    const rows = this.element.querySelector(".rows");
    if (rows) rows.hidden = !is_first;
    if (this.why) this.why.hidden = !is_first;
    this.sliders.forEach((slider, axis) => {
      if (!slider) return;
      slider.input.value = this.start[axis];
      slider.output.textContent = this.part_text(axis);
      slider.input.setAttribute("aria-valuetext", slider.output.textContent);
    });
    this.heads.forEach((head, c) => { head.textContent = this.label(last, this.start[last] + c); });
    this.rows.forEach((row, r) => {
      if (last > 0) row.querySelector("th").textContent = this.label(last - 1, this.start[last - 1] + r);
    });
    this.cells.forEach((row, r) => row.forEach((cell, c) => {
      const number = numbers[this.element_at(r, c)];
      cell.textContent = number_text(this.value, number);
      cell.className = heat_class(number, this.value.scale);
    }));
    this.join_rows();
    this.tell_again();
  }

  /// Rows of padding with the same numbers are one, as where the page was written.
  join_rows() {
    const axis = this.sizes.length - 2;
    if (!this.value.axes[axis]?.words) return;
    const word = (r) => this.label(axis, this.start[axis] + r), text = (r) => this.cells[r].map((cell) => cell.textContent).join();
    let head = 0;
    this.rows.forEach((row, r) => {
      row.hidden = r > 0 && word(r) === "<pad>" && word(head) === "<pad>" && text(r) === text(head);
      if (!row.hidden) head = r;
      else this.rows[head].querySelector("th").textContent =
        fill(words.alike, {word: word(r), from: this.start[axis] + head, to: this.start[axis] + r});
    });
  }

  /// A row that is shown: itself, or the one that stands for it.
  shown_row(row) {
    while (row > 0 && this.rows[row].hidden) --row;
    return row;
  }

  // ---- cells and elements ----

  /// The row-major number of the element in a cell.
  element_at(row, column) {
    const last = this.sizes.length - 1;
    return this.sizes.reduce((number, size, axis) => number * size + this.start[axis]
      + (axis === last ? column : axis === last - 1 ? row : 0), 0);
  }

  /// The cell that shows an element now, if one does.
  cell_of(element) {
    const place = unravel(element, this.sizes).map((index, axis) => index - this.start[axis]);
    if (place.some((at, axis) => at < 0 || at >= this.shown[axis])) return null;
    return this.cells[place.length > 1 ? this.shown_row(place[place.length - 2]) : 0]?.[place[place.length - 1]];
  }

  place_of(target) {
    const cell = target.closest?.("td"), row = this.cells.findIndex((cells) => cells.includes(cell));
    return row < 0 ? null : [row, this.cells[row].indexOf(cell)];
  }

  // ---- by keyboard ----

  /// One stop of the tab key for the table; arrows go from cell to cell, and on where the table shows a part.
  add_walk() {
    this.cells.forEach((row, r) => row.forEach((cell, c) => { cell.tabIndex = r + c === 0 ? 0 : -1; }));
    this.table.addEventListener("keydown", (event) => {
      const place = this.place_of(event.target), step = place && this.step(event);
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.walk(event.target, place, step);
    });
  }

  /// How far a key goes, down and to the right.
  step(event) {
    const page = this.rows.length, all = 1e9;
    if (event.key in kArrows) return event.shiftKey ? [0, kArrows[event.key]] : null;  // without it they are for steps
    return {ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [-page, 0],
      PageDown: [page, 0], Home: [event.ctrlKey ? -all : 0, -all], End: [event.ctrlKey ? all : 0, all]}[event.key];
  }

  walk(from, place, step) {
    const axes = [this.sizes.length - 2, this.sizes.length - 1], before = this.start.join();
    const next = place.map((at, k) => {
      const axis = axes[k];
      if (axis < 0) return 0;
      const index = Math.min(this.sizes[axis] - 1, Math.max(0, this.start[axis] + at + step[k]));
      const first = Math.min(index, Math.max(this.start[axis], index - this.shown[axis] + 1));
      this.start[axis] = first;
      return index - first;
    });
    if (this.start.join() !== before) this.draw();
    const cell = this.cells[this.shown_row(next[0])][next[1]];
    from.tabIndex = -1;
    cell.tabIndex = 0;
    if (cell === from) this.tell(cell);
    else cell.focus();
  }

  // ---- what stands behind a number ----

  add_arithmetic() {
    this.sums = make("div", {class: "sums", role: "group", "aria-label": words.sums, "aria-live": "polite", hidden: ""});
    this.element.append(this.sums);
    this.table.addEventListener("mouseover", ({target}) => { if (!this.is_kept()) this.tell(target); });
    this.table.addEventListener("mouseleave", () => { if (!this.is_kept()) this.hush(); });
    this.table.addEventListener("focusin", ({target}) => this.tell(target));
    this.table.addEventListener("click", ({target}) => this.tell(target, true));
    this.element.addEventListener("focusout", ({relatedTarget}) => {
      if (document.hasFocus() && !this.element.contains(relatedTarget)) this.hush();
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.tell(event.target, true);
      if (event.key === "Escape") this.hush();
    });
  }

  /// Where a cell was clicked, the pointer may go elsewhere.
  is_kept() { return this.sums.classList.contains("kept"); }

  hush() {
    if (this.sums.hidden) return;
    this.sums.hidden = true;
    this.sums.classList.remove("kept");
    unmark_cells();
  }

  /// What is shown is said of the slice that is shown.
  tell_again() {
    if (!this.sums || this.sums.hidden) return;
    const row = this.cells[this.shown_row(this.told[0])];
    if (row?.[this.told[1]]) this.tell(row[this.told[1]]);
  }

  /// Shows the arithmetic of a cell; `follow`: other tables move to its operands.
  tell(target, follow = false) {
    const place = this.place_of(target);
    if (!place || !this.sums) return;
    this.told = place;
    if (follow) this.sums.classList.add("kept");
    show_arithmetic(this, this.cells[place[0]][place[1]], this.element_at(...place), follow);
  }
}

const figures = [...document.querySelectorAll("figure.tensor")].filter((f) => data.values[f.dataset.value]?.type)
  .map((element) => new Figure(element));
