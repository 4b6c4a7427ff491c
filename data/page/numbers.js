// ---- numbers: as src/explain/numbers.cpp writes them ----

function bytes_of(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/// All rows that tensors of a type and width have: each once.
function rows_of(type, width) {
  const key = type + width;
  if (typeof data.rows[key] !== "string") return data.rows[key];
  const bytes = bytes_of(data.rows[key]), view = new DataView(bytes.buffer);
  if (type === "bool") data.rows[key] = bytes;
  else if (type === "float")
    data.rows[key] = Float32Array.from({length: bytes.length / 4}, (_, i) => view.getFloat32(4 * i, true));
  else data.rows[key] = Float64Array.from({length: bytes.length / 8}, (_, i) => view.getFloat64(8 * i, true));
  return data.rows[key];
}

/// The numbers of a tensor in row-major order, read when they are first wanted.
function numbers_of(value) {
  if (!value.read && !value.rows) {
    value.read = moved_numbers(value);
  } else if (!value.read) {
    const from = rows_of(value.type, value.w);
    value.read = new from.constructor(value.rows.length * value.w);
    value.rows.forEach((row, k) => value.read.set(from.subarray(row * value.w, (row + 1) * value.w), k * value.w));
  }
  return value.read;
}

/// Of a tensor whose elements only moved (a view, a permute, a lookup): taken from where they stood.
function moved_numbers(value) {
  const place = value.made.forms[0].slots[0], from = numbers_of(data.values[place.v]);
  const sizes = value.axes.map((axis) => axis.size), count = sizes.reduce((a, b) => a * b, 1);
  return from.constructor.from({length: count}, (_, number) => from[element_of(place, unravel(number, sizes), number)]);
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
