// The text of a tensor is made in two passes over the elements that are shown: the first chooses how all numbers are
// written and how wide the widest is, the second writes them with brackets, commas and line breaks.
#include "tensor/core/print.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/limits.h"
#include "base/number.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

// The indices of an axis that are shown; the gap, if there is one, lies after the first `edge` of them.
struct ShownAxis {
  ShownAxis(const Tensor& x, std::size_t axis, const PrintOptions& options)
      : size(x.shape()[axis]),
        edge(options.edge_items),
        has_gap(x.numel() > options.threshold && size > 2 * edge),
        count(has_gap ? 2 * edge : size) {}
  std::int64_t index(std::int64_t i) const { return has_gap && i >= edge ? size - 2 * edge + i : i; }

  std::int64_t size, edge;
  bool has_gap;
  std::int64_t count;
};

// Calls f(offset from data()) for each shown element, in row-major order.
template <class F>
void for_each_shown(const Tensor& x, const PrintOptions& options, F&& f, std::size_t axis = 0,
                    std::int64_t offset = 0) {
  if (axis == x.shape().size()) {
    charge(1);
    f(offset);
    return;
  }
  const ShownAxis shown(x, axis, options);
  for (std::int64_t i = 0; i < shown.count; ++i)
    for_each_shown(x, options, f, axis + 1, offset + shown.index(i) * x.strides()[axis]);
}

// What the choice of a mode depends on: the shown elements that are finite and not zero.
struct Range {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  bool integral = true;

  void add(double value) {
    if (!std::isfinite(value) || value == 0.0) return;
    smallest = std::min(smallest, std::fabs(value));
    largest = std::max(largest, std::fabs(value));
    integral = integral && value == std::ceil(value);
  }
  bool needs_exponent() const {
    if (largest == 0.0) return false;
    return largest / smallest > 1000.0 || largest > 1.0e8 || (!integral && smallest < 1.0e-4);
  }
};

Range range_of(const Tensor& x, const PrintOptions& options) {
  Range range;
  if (x.numel() == 0) return range;
  const auto scan = [&]<class T>(T) {
    const T* data = x.data<T>();
    for_each_shown(x, options, [&](std::int64_t offset) { range.add(static_cast<double>(data[offset])); });
  };
  if (is_floating(x.dtype())) dispatch(x.dtype(), scan);
  return range;
}

class Writer {
 public:
  // PyTorch measures the numbers before it looks at sci_mode.
  Writer(const Tensor& x, const PrintOptions& options, std::string& out)
      : x_(x), options_(options), out_(out), format_(x, options), width_(widest()) {
    if (!options.sci_mode) return;
    format_.force(*options.sci_mode);
    texts_.clear();
  }

  void write(std::size_t axis, std::int64_t offset, std::size_t indent) {
    const std::size_t axes_left = x_.shape().size() - axis;
    if (axes_left == 0) return write_element(offset);
    out_ += '[';
    if (axes_left == 1) write_row(axis, offset, indent + 1);
    else write_slices(axis, offset, indent + 1);
    out_ += ']';
  }

 private:
  std::string text(std::int64_t offset) const {
    return dispatch(x_.dtype(), [&]<class T>(T) -> std::string {
      const T value = x_.data<T>()[offset];
      if constexpr (std::is_same_v<T, std::int64_t>) return std::to_string(value);
      else return format_(static_cast<double>(value));
    });
  }

  // Zeros and non-finite numbers of a float tensor do not count: PyTorch lets "-inf" stick out of narrow columns.
  bool counts_for_width(std::int64_t offset) const {
    return dispatch(x_.dtype(), [&]<class T>(T) {
      if constexpr (!std::is_floating_point_v<T>) return true;
      const double value = static_cast<double>(x_.data<T>()[offset]);
      return std::isfinite(value) && value != 0.0;
    });
  }

  std::size_t widest() {
    constexpr std::size_t kMostTexts = 1000;  // as many as are shown unless a cell asks for more
    std::size_t width = 1;
    for_each_shown(x_, options_, [&](std::int64_t offset) {
      std::string number = text(offset);
      if (counts_for_width(offset)) width = std::max(width, number.size());
      if (texts_.size() < kMostTexts) texts_.push_back(std::move(number));
    });
    return width;
  }

  void write_element(std::int64_t offset) {
    look();
    const std::string number = written_ < texts_.size() ? std::move(texts_[written_++]) : text(offset);
    if (number.size() < width_) out_.append(width_ - number.size(), ' ');
    out_ += number;
  }

  void write_row(std::size_t axis, std::int64_t offset, std::size_t indent) {
    const ShownAxis shown(x_, axis, options_);
    const std::size_t room = indent <= options_.line_width ? options_.line_width - indent + 1 : 0;
    const std::size_t per_line = std::max<std::size_t>(1, room / (width_ + 2));
    std::size_t written = 0;
    const auto separate = [&] {
      if (written > 0) out_ += written % per_line == 0 ? ",\n" + std::string(indent, ' ') : ", ";
      ++written;
    };
    for (std::int64_t i = 0; i < shown.count; ++i) {
      if (shown.has_gap && i == shown.edge) {
        separate();
        out_ += " ...";
      }
      separate();
      write_element(offset + shown.index(i) * x_.strides()[axis]);
    }
  }

  void write_slices(std::size_t axis, std::int64_t offset, std::size_t indent) {
    const ShownAxis shown(x_, axis, options_);
    const std::size_t line_feeds = x_.shape().size() - axis - 1;
    const std::string separator = "," + std::string(line_feeds, '\n') + std::string(indent, ' ');
    for (std::int64_t i = 0; i < shown.count; ++i) {
      if (i > 0) out_ += separator;
      if (shown.has_gap && i == shown.edge) out_ += "..." + separator;
      write(axis + 1, offset + shown.index(i) * x_.strides()[axis], indent);
    }
  }

  const Tensor& x_;
  const PrintOptions& options_;
  std::string& out_;
  NumberFormat format_;
  std::vector<std::string> texts_;  // of the first numbers that are shown, as they were measured
  std::size_t written_ = 0;         // of texts_
  std::size_t width_;
};

std::string tuple_text(const Shape& shape) {
  std::string text = shape_text(shape);
  text.front() = '(';
  text.back() = ')';
  return text;
}

std::vector<std::string> suffixes_of(const Tensor& x, const TensorTag& tag) {
  std::vector<std::string> suffixes;
  const bool empty = x.numel() == 0;
  if (empty && x.dim() != 1) suffixes.push_back("size=" + tuple_text(x.shape()));
  // Elements tell integers from floats; where there are none, or for the other types, the type must be written.
  const bool is_default = x.dtype() == DType::Float32 || x.dtype() == DType::Int64 || x.dtype() == DType::Bool;
  if (!is_default || (empty && x.dtype() != DType::Float32))
    suffixes.push_back("dtype=" + std::string(name_of(x.dtype())));
  if (!tag.grad_fn.empty()) suffixes.push_back("grad_fn=<" + tag.grad_fn + ">");
  else if (tag.requires_grad) suffixes.push_back("requires_grad=True");
  return suffixes;
}

// PyTorch counts the last line two longer than it is, when it is the only one.
std::size_t last_line_length(const std::string& text) {
  const std::size_t line_feed = text.rfind('\n');
  return line_feed == std::string::npos ? text.size() + 2 : text.size() - line_feed + 1;
}

}  // namespace

std::string tensor_repr(const Tensor& x, const TensorTag& tag, const PrintOptions& options) {
  std::string text = "tensor(";
  const std::size_t indent = text.size();
  if (x.numel() == 0) text += "[]";
  else Writer(x, options, text).write(0, 0, indent);
  std::size_t line = last_line_length(text);
  for (const std::string& suffix : suffixes_of(x, tag)) {
    const bool fits = line + suffix.size() + 2 <= options.line_width;
    text += fits ? ", " : ",\n" + std::string(indent, ' ');
    text += suffix;
    line = fits ? line + suffix.size() + 2 : indent + suffix.size();
  }
  text += ')';
  return tag.is_parameter ? "Parameter containing:\n" + text : text;
}

std::string item_text(const Tensor& x) {
  const Scalar value = item(x);
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return python_repr(std::get<double>(value));
}

NumberFormat::NumberFormat(const Tensor& x, const PrintOptions& options)
    : precision_(options.precision), dtype_(x.dtype()) {
  const Range range = range_of(x, options);
  integral_ = range.integral;
  scientific_ = range.needs_exponent();
}

std::string NumberFormat::operator()(const Tensor& x, std::int64_t element) const {
  const Scalar value = element_at(x, element);
  if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return (*this)(to_double(value));
}

std::string NumberFormat::operator()(double value) const {
  if (dtype_ == DType::Bool) return value != 0.0 ? "True" : "False";
  if (!is_floating(dtype_)) return format_fixed(value, 0);
  if (scientific_) return format_exponent(value, precision_);
  if (!integral_) return format_fixed(value, precision_);
  return format_fixed(value, 0) + (std::isfinite(value) ? "." : "");
}

}  // namespace attn
