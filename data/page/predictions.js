// ---- predictions: an answer is hidden until one is given ----

const kChoices = {
  raises: ["yes", "no"],
  effect: ["raises", "other_shape", "other_numbers", "no_difference"],
};

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
    const typed = this.form.querySelector("input:checked, input[type=text], textarea")?.value ?? "";
    if (typed.trim() === "") return this.say(words.empty);
    if (this.kind === "write") return this.show(words.compare);
    let judged;
    try {
      judged = kJudges[this.kind](typed, this.answer);
    } catch (problem) {
      if (typeof problem !== "string") throw problem;
      return this.say(problem);
    }
    for (const trap of this.answer.querySelectorAll(".trap"))
      trap.classList.toggle("yours", !judged.right && is_foreseen(trap.dataset.answer, typed, this.answer));
    this.show(judged.right ? words.right : judged.say || words.wrong, judged.right ? "right" : "wrong");
  }

  say(sentence) { this.verdict.textContent = sentence; }

  show(verdict, kind = "") {
    this.open = false;
    this.verdict.className = `verdict ${kind}`.trim();
    this.say(verdict);
    this.answer.hidden = false;
    this.answer.open = true;
    for (const field of this.form.querySelectorAll("input, textarea")) field.disabled = true;
    const next = make("button", {type: "button"}, words.next, " →");
    next.addEventListener("click", () => steps.go_into(this.answer));
    this.row.replaceChildren(next);
    next.focus({preventScroll: true});
    steps.draw();
  }
}
