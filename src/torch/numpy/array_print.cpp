// str() and repr() of numpy arrays, as numpy 1.24 writes them: by default 8 digits, 75 columns, a summary
// beyond 1000 elements. As there, one format is chosen for all numbers (with exponents when they are far apart), each
// number has the fewest digits that tell it from its neighbors, and all are padded to one width.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include "base/limits.h"
#include "base/number.h"
#include "python/interpreter.h"
#include "tensor/core/read.h"
#include "tensor/ops/pointwise.h"
#include "torch/numpy/array.h"

namespace attn {
namespace {

const PrintOptions& options() { return Interpreter::current()->array_print_options(); }
std::int64_t line_width() { return static_cast<std::int64_t>(options().line_width); }

// The shortest digits that read back equal, in the element's own type.
std::string shortest(double value, DType dtype, std::chars_format style) {
  char text[400];
  if (dtype == DType::Float16) {  // as many digits as it takes, then in double, which keeps that few
    double near = value;
    for (int digits = 0; digits < 6; ++digits) {
      near = parse_double(format_exponent(value, digits)).value_or(value);
      if (narrowed(static_cast<float>(near), dtype) == static_cast<float>(value)) break;
    }
    return {text, std::to_chars(text, text + sizeof text, near, style).ptr};
  }
  const auto end = is_floating(dtype) && dtype != DType::Float64
                       ? std::to_chars(text, text + sizeof text, static_cast<float>(value), style)
                       : std::to_chars(text, text + sizeof text, value, style);
  return {text, end.ptr};
}

// "12.5" -> 12 and 5; the point may be missing.
std::pair<std::string, std::string> split_at_point(const std::string& digits) {
  const std::size_t point = digits.find('.');
  if (point == std::string::npos) return {digits, ""};
  return {digits.substr(0, point), digits.substr(point + 1)};
}

void trim_zeros(std::string& fraction) {
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
}

struct Parts {
  std::string whole, fraction, exponent;  // "-12", "5", "e-05"
};

Parts positional(double value, DType dtype) {
  auto [whole, fraction] = split_at_point(shortest(value, dtype, std::chars_format::fixed));
  const int precision = options().precision;
  if (fraction.size() > static_cast<std::size_t>(precision))
    std::tie(whole, fraction) = split_at_point(format_fixed(value, precision));
  trim_zeros(fraction);
  return {whole, fraction, ""};
}

Parts scientific(double value, DType dtype) {
  std::string text = shortest(value, dtype, std::chars_format::scientific);
  const int precision = options().precision;
  if (split_at_point(text.substr(0, text.find('e'))).second.size() > static_cast<std::size_t>(precision))
    text = format_exponent(value, precision);
  const std::size_t at = text.find('e');
  auto [whole, fraction] = split_at_point(text.substr(0, at));
  trim_zeros(fraction);
  return {whole, fraction, text.substr(at)};
}

// The indices of an axis that are shown; -1 stands for the dots.
std::vector<std::int64_t> shown_indices(const Tensor& x, std::size_t axis) {
  std::vector<std::int64_t> out;
  const std::int64_t size = x.shape()[axis], edge = options().edge_items;
  const bool has_gap = x.numel() > options().threshold && size > 2 * edge;
  for (std::int64_t i = 0; i < size; ++i) {
    if (has_gap && i == edge) {
      out.push_back(-1);
      i = size - edge;
    }
    out.push_back(i);
  }
  return out;
}

template <class F>
void for_each_shown(const Tensor& x, F&& f, Shape index = {}) {
  look();
  if (index.size() == x.shape().size()) return f(element_at(x, index));
  const std::size_t axis = index.size();
  index.push_back(0);
  for (const std::int64_t i : shown_indices(x, axis)) {
    if (i < 0) continue;
    index[axis] = i;
    for_each_shown(x, f, index);
  }
}

class NumberText {
 public:
  explicit NumberText(const Tensor& x) : dtype_(x.dtype()) {
    if (is_floating(dtype_)) {
      measure_floats(x);
      return;
    }
    if (dtype_ == DType::Bool && x.dim() > 0) width_ = 5;
    for_each_shown(x, [&](const Scalar& value) { width_ = std::max(width_, plain(value).size()); });
  }

  std::string operator()(const Scalar& value) const {
    if (!is_floating(dtype_)) return padded(plain(value), width_);
    const double number = to_double(value);
    if (!std::isfinite(number)) return padded(python_repr(number), left_ + right_ + 1);
    Parts parts = exponent_ ? scientific(number, dtype_) : positional(number, dtype_);
    if (exponent_) {
      if (parts.fraction.size() < digits_) {  // numpy fills up with the digits that follow, not with zeros
        const std::string exact = format_exponent(number, static_cast<int>(digits_));
        std::tie(parts.whole, parts.fraction) = split_at_point(exact.substr(0, exact.find('e')));
        parts.exponent = exact.substr(exact.find('e'));  // 0.01 of a float32 is 9.9999998e-03
      }
      const std::size_t missing = exponent_size_ - std::min(exponent_size_, parts.exponent.size() - 2);
      parts.exponent.insert(2, missing, '0');
      return padded(parts.whole, left_) + "." + parts.fraction + parts.exponent;
    }
    return padded(parts.whole, left_) + "." + parts.fraction +
           std::string(right_ - std::min(right_, parts.fraction.size()), ' ');
  }

 private:
  std::string plain(const Scalar& value) const {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
    return std::to_string(to_int(value));
  }
  static std::string padded(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
  }

  void measure_floats(const Tensor& x) {
    double largest = 0, smallest = HUGE_VAL;
    bool has_negative_infinity = false, has_special = false;
    std::vector<double> finite;
    for_each_shown(x, [&](const Scalar& scalar) {
      const double value = to_double(scalar);
      if (!std::isfinite(value)) {
        has_special = true;
        has_negative_infinity = has_negative_infinity || value < 0;
        return;
      }
      finite.push_back(value);
      if (value == 0) return;
      largest = std::max(largest, std::fabs(value));
      smallest = std::min(smallest, std::fabs(value));
    });
    const double ratio = dtype_ == DType::Float64
                             ? largest / smallest
                             : static_cast<double>(static_cast<float>(largest) / static_cast<float>(smallest));
    const bool may_be_small = options().sci_mode == false;
    exponent_ = largest > 0 && (largest >= 1e8 || (!may_be_small && (smallest < 0.0001 || ratio > 1000.0)));
    for (const double value : finite) {
      look();
      const Parts parts = exponent_ ? scientific(value, dtype_) : positional(value, dtype_);
      left_ = std::max(left_, parts.whole.size());
      digits_ = std::max(digits_, parts.fraction.size());
      if (exponent_) exponent_size_ = std::max(exponent_size_, parts.exponent.size() - 2);
    }
    right_ = exponent_ ? exponent_size_ + 2 + digits_ : digits_;
    if (!has_special) return;
    const std::size_t infinity = has_negative_infinity ? 4 : 3, offset = right_ + 1;
    left_ = std::max({left_, 3 - std::min<std::size_t>(3, offset), infinity - std::min(infinity, offset)});
  }

  DType dtype_;
  std::size_t width_ = 0;                                              // of integers and bools
  std::size_t left_ = 0, right_ = 0, digits_ = 0, exponent_size_ = 0;  // around the point of floats
  bool exponent_ = false;
};

// Words of the innermost axis fill lines; other axes are divided by line feeds.
class ArrayWriter {
 public:
  ArrayWriter(const Tensor& x, std::string separator) : x_(x), number_(x), separator_(std::move(separator)) {}

  std::string write(Shape index, const std::string& indent, std::int64_t width) const {
    charge(1);
    const std::size_t axis = index.size(), left = x_.shape().size() - axis;
    if (left == 0) return number_(element_at(x_, index));
    const std::string inner = indent + " ";
    const std::vector<std::int64_t> places = shown_indices(x_, axis);
    index.push_back(0);
    std::string out, line = indent;
    const std::string bare = separator_.substr(0, separator_.find_last_not_of(' ') + 1);
    const auto word_width = width - std::max<std::int64_t>(static_cast<std::int64_t>(bare.size()), 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
      index[axis] = std::max<std::int64_t>(places[i], 0);
      const bool is_last = i + 1 == places.size();
      const std::string word = places[i] < 0 ? "..." : write(index, inner, width - 1);
      if (left == 1) {
        if (static_cast<std::int64_t>(line.size() + word.size()) > word_width && line.size() > indent.size()) {
          line.erase(line.find_last_not_of(' ') + 1);
          out += line + "\n";
          line = indent;
        }
        line += word + (is_last ? "" : separator_);
      } else {
        out += indent + word + (is_last ? "" : bare + std::string(left - 1, '\n'));
      }
    }
    if (left == 1) out += line;
    return "[" + out.substr(std::min(indent.size(), out.size())) + "]";
  }

 private:
  const Tensor& x_;
  NumberText number_;
  std::string separator_;
};

std::string scalar_text(const Tensor& x) {
  const Scalar value = item(x);
  if (!is_floating(x.dtype()) || x.dtype() == DType::Float64) return item_text(x);
  const double number = to_double(value);
  if (!std::isfinite(number)) return python_repr(number);
  return python_repr(*parse_double(shortest(number, x.dtype(), std::chars_format::scientific)));
}

std::string shape_repr(const Tensor& x) {
  std::string out = "(";
  for (std::size_t i = 0; i < x.shape().size(); ++i) out += (i ? ", " : "") + std::to_string(x.shape()[i]);
  return out + (x.dim() == 1 ? ",)" : ")");
}

}  // namespace

std::string numpy_shape(const Shape& shape) {
  std::string out = "(";
  for (const std::int64_t size : shape) out += fmt::format("{},", size);
  if (shape.size() > 1) out.pop_back();
  return out + ")";
}

std::string array_text(const Tensor& x, const std::string& separator, const std::string& prefix) {
  if (x.dim() == 0) return scalar_text(x);
  if (x.numel() == 0) return "[]";
  return ArrayWriter(x, separator).write({}, " " + std::string(prefix.size(), ' '), line_width());
}

std::string array_str(const Array& array) { return array_text(array.tensor->tensor, " ", ""); }

std::string array_repr(const Array& array) {
  const Tensor& x = array.tensor->tensor;
  if (array.is_scalar) return scalar_text(x);
  std::string text = "array(";
  const bool is_implied = x.dtype() == DType::Float64 || x.dtype() == DType::Int64 || x.dtype() == DType::Bool;
  if (x.numel() > 0) {
    text += ArrayWriter(x, ", ").write({}, "       ", line_width() - 1);
  } else {
    text += "[]";
    if (x.dim() != 1 || x.shape()[0] != 0) text += ", shape=" + shape_repr(x);
  }
  if (is_implied && (x.numel() > 0)) return text + ")";
  const std::string dtype = "dtype=" + numpy_name(x.dtype()) + ")";
  const std::size_t line_feed = text.rfind('\n');
  const std::size_t last_line = line_feed == std::string::npos ? text.size() : text.size() - line_feed - 1;
  return text + (last_line + 1 + dtype.size() + 1 > options().line_width ? ",\n      " : ", ") + dtype;
}

}  // namespace attn
