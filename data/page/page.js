// The script of an exported page (src/render/html.cpp). The page is whole without it; it adds steps, predictions that
// wait for an answer, and the other slices of tensors. All text goes in as text, never as markup.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const words = data.words;
for (const [id, value] of Object.entries(data.values)) {
  value.made = data.made[id];
  value.axes = value.axes.map(([name, size, list, by]) => ({name, size, words: data.lists[list], by}));
}

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

/// What the page remembers in the browser, under the lesson and the run that it shows: pages opened as files share it.
/// Where it may not remember anything, nothing is remembered.
const kTheme = "attn-tutor/theme";
const memory = {
  /// The page was loaded again to be new. A browser may hand out what was removed just before.
  is_new: history.state?.forgotten === true,
  read(key) {
    if (this.is_new) return null;
    try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
  },
  write(key, value) {
    try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* full, or forbidden */ }
  },
  erase() {
    try { for (const key of [data.key, kTheme]) localStorage.removeItem(key); } catch { /* nothing was kept */ }
  },
  forget() {
    this.erase();
    history.replaceState({forgotten: true}, "");
    this.write = () => {}; // until the page is loaded again
  },
};

/// {at, only, answers: {"0": {typed, tries, shown, verdict, kind}}}
const saved = {at: -1, only: false, answers: {}};
function recall() {
  const read = memory.read(data.key);
  if (Number.isInteger(read?.at)) saved.at = read.at;
  saved.only = read?.only === true;
  if (read?.answers && typeof read.answers === "object") saved.answers = read.answers;
}
recall();
if (memory.is_new) {
  memory.erase();
  history.replaceState(null, "");
}

function remember() { memory.write(data.key, saved); }
