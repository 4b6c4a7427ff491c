// ---- predictions: an answer is hidden until the right one is given, or several wrong ones ----

const kTries = 3;

const kChoices = {
  raises: ["yes", "no"],
  effect: ["raises", "other_shape", "other_numbers", "no_difference"],
};

class Prediction {
  constructor(answer, number) {
    this.answer = answer;
    this.number = number;
    this.tries = 0;
    this.kind = answer.dataset.ask;
    this.open = true;
    this.verdict = make("p", {class: "verdict", role: "status"});
    this.told = make("div", {class: "told", role: "status"});
    this.form = make("form", {class: "ask"}, ...this.inputs(`ask-${number}`), this.buttons(), this.verdict, this.told);
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.judge(); });
    answer.before(this.form);
    answer.hidden = true;
    this.recall(saved.answers[number]);
  }

  /// What was answered before the page was loaded again.
  recall(was) {
    if (!was || typeof was !== "object") return;
    this.tries = Number.isInteger(was.tries) ? was.tries : 0;
    const typed = String(was.typed ?? "");
    for (const field of this.form.querySelectorAll("input, textarea")) {
      if (field.type === "radio") field.checked = field.value === typed;
      else field.value = typed;
    }
    if (!was.shown) return;
    this.mark_trap(was.kind === "wrong" ? typed : null);
    this.reveal(String(was.verdict ?? ""), was.kind === "right" || was.kind === "wrong" ? was.kind : "");
  }

  remember(more) {
    saved.answers[this.number] = {typed: this.typed(), tries: this.tries, ...more};
    remember();
  }

  typed() { return this.form.querySelector("input:checked, input[type=text], textarea")?.value ?? ""; }

  /// The last attempt is never the only choice that is left.
  most_tries() { return this.kind in kChoices ? Math.min(kTries, kChoices[this.kind].length - 1) : kTries; }

  inputs(name) {
    if (this.kind in kChoices) {
      const choices = kChoices[this.kind].map((choice, k) => make("label", {class: "choice"},
        make("input", {type: "radio", name, value: choice}), make("kbd", {"aria-hidden": "true"}, String(k + 1)), " ",
        words[choice]));
      return [make("fieldset", {}, make("legend", {}, words.choice), ...choices)];
    }
    const field = this.kind === "write" ? make("textarea", {id: name, spellcheck: "false"})
      : make("input", {type: "text", id: name, autocomplete: "off", autocapitalize: "off", spellcheck: "false"});
    return [make("label", {class: "for", for: name}, words[this.kind]), field];
  }

  buttons() {
    const reveal = make("button", {type: "button"}, words.reveal);
    reveal.addEventListener("click", () => this.show(""));
    this.row = make("div", {class: "row"}, make("button", {type: "submit"}, words.check), reveal);
    return this.row;
  }

  judge() {
    const typed = this.typed();
    this.told.replaceChildren();
    if (typed.trim() === "") return this.say(words.empty);
    if (this.kind === "write") return this.show(words.compare);
    let judged;
    try {
      judged = kJudges[this.kind](typed, this.answer);
    } catch (problem) {
      if (typeof problem !== "string") throw problem;
      return this.say(problem);
    }
    const trap = this.mark_trap(judged.right ? null : typed);
    if (judged.right) return this.show(words.right, "right");
    const left = this.most_tries() - ++this.tries;
    if (left <= 0) return this.show(judged.say || words.wrong, "wrong");
    this.verdict.className = "verdict wrong";
    this.say(`${judged.say || words.again} ${left === 1 ? words.left_one : fill(words.left, {count: left})}`);
    if (trap) this.told.append(...trap.cloneNode(true).children);
    this.remember({});
  }

  /// Marks the trap that fits a wrong answer, if one was foreseen; null: none.
  mark_trap(typed) {
    const traps = [...this.answer.querySelectorAll(".trap")];
    const yours = typed === null ? null : traps.find((trap) => is_foreseen(trap.dataset.answer, typed, this.answer));
    for (const trap of traps) trap.classList.toggle("yours", trap === yours);
    return yours;
  }

  /// Of some choices the one that a number key names; whether there is one.
  choose(number) {
    const choice = this.form.querySelectorAll("input[type=radio]")[number - 1];
    if (!choice) return false;
    choice.checked = true;
    choice.focus();
    return true;
  }

  say(sentence) { this.verdict.textContent = sentence; }

  show(verdict, kind = "") {
    this.reveal(verdict, kind);
    this.remember({shown: true, verdict, kind});
    this.next.focus({preventScroll: true});
    steps.draw();
  }

  reveal(verdict, kind) {
    this.open = false;
    this.told.replaceChildren();
    this.verdict.className = `verdict ${kind}`.trim();
    this.say(verdict);
    this.answer.hidden = false;
    this.answer.open = true;
    for (const field of this.form.querySelectorAll("input, textarea")) field.disabled = true;
    this.next = make("button", {type: "button"}, words.next, " →");
    this.next.addEventListener("click", () => steps.go_into(this.answer));
    this.row.replaceChildren(this.next);
  }
}
