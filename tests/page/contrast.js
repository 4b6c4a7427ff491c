// Contrast of every text that is shown against what lies behind it, as WCAG computes it. Returns the worst ones:
// [ratio, text, where]. Runs in the page that is looked at.
const parts = (color) => { const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number); return {rgb: [r, g, b], a}; };
const over = (top, below) => top.rgb.map((c, k) => c * top.a + below[k] * (1 - top.a));
const light = (rgb) => {
  const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const root = parts(getComputedStyle(document.body).backgroundColor).rgb;

function behind(element) {
  const layers = [];
  for (let e = element; e; e = e.parentElement) layers.unshift(parts(getComputedStyle(e).backgroundColor));
  return layers.reduce((below, top) => over(top, below), root);
}

/// A text of a drawing lies on one or two of its shapes (in a group, of those of the group): each of them is tried, and
/// every two.
function drawn_behind(element) {
  const shapes = [...element.closest("a, g, svg").querySelectorAll("path")].map((path) => {
    const style = getComputedStyle(path);
    return {...parts(style.fill), a: Number(style.fillOpacity)};
  });
  const paper = behind(element.closest("div"));
  return [paper, ...shapes.flatMap((a) => [over(a, paper), ...shapes.map((b) => over(b, over(a, paper)))])];
}

const worst = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let count = 0;
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
  if (!text || !element.checkVisibility() || ["SCRIPT", "STYLE"].includes(element.tagName)) continue;
  const style = getComputedStyle(element), svg = element.closest("svg");
  const ink = parts(svg ? style.fill : style.color), grounds = svg ? drawn_behind(element) : [behind(element)];
  ++count;
  const own = Math.min(...grounds.map((ground) => ratio(over(ink, ground), ground)));
  if (own < 4.5) worst.push([own.toFixed(2), text.slice(0, 40), element.tagName + "." + (element.getAttribute("class") || "")]);
}
return {count, worst: worst.sort((a, b) => a[0] - b[0]).slice(0, 8)};
