// ---- the list of keys, and light or dark ----

class Keys {
  constructor() {
    const rows = [["← →", words.key_arrows], ["1 2 3 4", words.key_numbers], ["↑ ↓ Home End", words.key_cells],
      ["Shift ← →", words.key_columns], ["Enter", words.key_enter], ["Esc", words.key_escape], ["?", words.key_list]];
    this.button = make("button", {type: "button", "aria-haspopup": "dialog", "aria-label": words.keys}, "?");
    const close = make("button", {type: "button"}, words.close), forget = make("button", {type: "button"}, words.forget);
    this.dialog = make("dialog", {class: "keys", "aria-labelledby": "keys-title"},
      make("h2", {id: "keys-title"}, words.keys), make("dl", {}, ...rows.flatMap(([key, what]) =>
        [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)])),
      make("p", {class: "note"}, words.kept), make("div", {class: "row"}, close, forget));
    this.button.addEventListener("click", () => this.toggle());
    close.addEventListener("click", () => this.dialog.close());
    forget.addEventListener("click", () => { memory.forget(); location.reload(); });
    document.body.append(this.dialog);
  }

  get open() { return this.dialog.open; }
  toggle() { this.open ? this.dialog.close() : this.dialog.showModal(); }
}

const kThemes = ["auto", "light", "dark"];

class Theme {
  constructor() {
    this.button = make("button", {type: "button"});
    this.button.addEventListener("click", () => {
      this.set(kThemes[(kThemes.indexOf(this.now) + 1) % kThemes.length]);
      memory.write(kTheme, this.now);
    });
    const before = memory.read(kTheme);
    this.set(kThemes.includes(before) ? before : "auto");
  }

  set(name) {
    this.now = name;
    document.documentElement.dataset.theme = name;
    this.button.textContent = words[`theme_${name}`];
  }
}

const keys = new Keys(), theme = new Theme();
