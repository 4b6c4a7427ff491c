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
