// ---- steps ----

const kArrows = {ArrowLeft: -1, ArrowRight: 1};
const kFields = "textarea, select, input:not([type=radio], [type=checkbox])";

/// What is too wide for the page, where it has the focus.
function scroll_sideways(event) {
  const box = event.target.closest?.(".wide, pre");
  if (!box) return;
  box.scrollBy({left: 120 * kArrows[event.key]});
  event.preventDefault();
}

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
    this.only.addEventListener("change", () => {
      this.at = Math.max(this.at, 0);
      this.draw();
      this.remember();
    });
    document.body.append(make("div", {class: "bar", role: "navigation", "aria-label": words.steps}, this.back,
      this.place, this.next, make("label", {}, this.only, words.only), theme.button, keys.button));
    document.addEventListener("keydown", (event) => this.key(event));
    this.only.checked = saved.only;
    this.at = Math.min(Math.max(saved.at, -1), this.list.length - 1);
    this.draw();
    if (this.at >= 0 && !location.hash) this.bring_into_sight();
  }

  remember() {
    Object.assign(saved, {at: this.at, only: this.only.checked});
    remember();
  }

  /// Arrows go back and on wherever the focus is, but where they move in a text or a slider.
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(kFields)) return;
    if (event.key === "?") keys.toggle();
    else if (keys.open) return;
    else if (event.shiftKey && event.key in kArrows) return scroll_sideways(event);
    else if (event.key in kArrows) this.go(this.at + kArrows[event.key]);
    else if (!/^[1-9]$/.test(event.key) || !this.asked()?.choose(Number(event.key))) return;
    event.preventDefault();
  }

  /// The choice that a number key makes: where the focus is, before the next step, or the first in the window.
  asked() {
    const open = predictions.filter((p) => p.open && p.kind in kChoices);
    const here = open.find((p) => p.form.contains(document.activeElement)), next = this.waiting(this.at + 1);
    const is_in_sight = ({top, bottom}) => bottom > 0 && top < innerHeight;
    return here ?? (open.includes(next) ? next : open.find((p) => is_in_sight(p.form.getBoundingClientRect())));
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
    this.bring_into_sight();
    this.remember();
  }

  bring_into_sight() {
    const step = this.list[this.at];
    for (let e = step.parentElement; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    step.scrollIntoView({block: "nearest"});
    if (step.getBoundingClientRect().top < 0) step.scrollIntoView({block: "start"});
  }

  /// To the first step of an answer, or behind it; the next ones by the button of the bar.
  go_into(answer) {
    const at = this.list.findIndex((step) => answer.contains(step)
      || answer.compareDocumentPosition(step) & Node.DOCUMENT_POSITION_FOLLOWING);
    this.go(at);
    if (!this.waiting(at)) this.next.focus({preventScroll: true});
  }

  draw() {
    if (this.list.length === 0) return;
    this.list.forEach((step, i) => step.classList.toggle("current", i === this.at));
    this.place.textContent = fill(words.place, {step: this.at < 0 ? "–" : this.list[this.at].dataset.step,
      steps: this.list[this.list.length - 1].dataset.step});
    // They keep the focus where they lead nowhere.
    this.back.setAttribute("aria-disabled", this.at <= 0);
    this.next.setAttribute("aria-disabled", this.at === this.list.length - 1);
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

let steps = {draw() {}, go_into() {}};
const predictions = [...document.querySelectorAll("details.answer[data-ask]")].map((a, i) => new Prediction(a, i));
steps = new Steps();
