// Formulas are short and few, so they are read anew for each element.
#include "explain/element_formula_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/number.h"
#include "tensor/core/read.h"
#include "text/say.h"
#include "torch/signature.h"

namespace attn {

namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

std::int64_t to_front(std::int64_t axis, std::size_t dims) {
  return axis < 0 ? axis + static_cast<std::int64_t>(dims) : axis;
}

/// The axes that a call reduces, or works along; all when it names none.
Shape axes_of(const Op& op, const Shape& operand, const Shape& result) {
  const std::size_t dims = operand.size();
  Shape axes;
  const OpArgument* dim = find_argument(op, "dim");
  if (dim && dim->kind == OpArgument::Kind::Int) axes.push_back(to_front(dim->number, dims));
  if (dim && dim->kind == OpArgument::Kind::Tuple) {
    for (const OpArgument& item : dim->items) axes.push_back(to_front(item.number, dims));
  }
  const bool chooses_itself = axes.empty() && dim && dims > 0 && operand == result;  // softmax without dim=
  if (chooses_itself) axes.push_back(dims == 1 || dims == 3 ? 0 : 1);
  if (axes.empty()) {
    for (std::size_t d = 0; d < dims; ++d) axes.push_back(static_cast<std::int64_t>(d));
  }
  std::sort(axes.begin(), axes.end());
  if (dims == 0) axes.clear();
  return axes;
}

/// The elements that a reduction folds into one.
struct Lane {
  std::vector<int> operands;  // of the level
  std::int64_t place = 0;     // of the element itself among them, where the op keeps the axis
  std::vector<double> numbers;
};

class Filler {
 public:
  Filler(const ValueHistory& history, std::size_t output, Explanation& level, LevelBuilder& builder)
      : history_(history), op_(history.op(level.op)), output_(output), level_(level), builder_(builder) {}

  bool fill(std::string_view formula) {
    for (std::string_view alternative : split(formula, " || ")) {
      if (!passes_guard(alternative) || !is_known(alternative)) continue;
      if (needs_lane(alternative)) make_lane_once(take_axis(alternative));
      is_picked_ = alternative.find("{picked}") != std::string_view::npos;
      if (defies_order(alternative)) {
        builder_.text(level_.digits);
        level_.note = say("element.unordered");
        return true;
      }
      put(alternative);
      return true;
    }
    return false;
  }

  void call(bool is_reduction) {
    const std::string_view name(op_.name);
    builder_.text(std::string(name.ends_with('_') ? name.substr(0, name.size() - 1) : name) + "(");
    if (is_reduction) {
      make_lane_once(std::nullopt);
      put("$, {e}$");
    } else {
      bool first = true;
      for (const OpOperand& input : op_.inputs) {
        builder_.text(first ? "" : ", ");
        builder_.digits(place_of(input, false));
        first = false;
      }
      for (const auto& [key, value] : op_.attributes) builder_.text(", " + key + "=" + value);
    }
    builder_.text(")");
  }

 private:
  const RecordedValue& result() const { return history_.value(level_.value); }

  // nan is neither smaller nor larger than a number, so no comparison says what becomes of it; and of no elements none
  // is the largest.
  bool defies_order(std::string_view formula) const {
    constexpr std::string_view kOrders[] = {"max(", "min(", "sorted(", ".index(", "{picked}"};
    const bool compares = has_lane_ && std::any_of(std::begin(kOrders), std::end(kOrders), [&](std::string_view word) {
                            return formula.find(word) != std::string_view::npos;
                          });
    const auto is_nan = [](double number) { return std::isnan(number); };
    return compares && (lane_.numbers.empty() || std::any_of(lane_.numbers.begin(), lane_.numbers.end(), is_nan));
  }

  // ---- alternatives ----

  bool passes_guard(std::string_view& alternative) {
    const std::size_t colon = alternative.find(": ");
    const std::string_view guard = alternative.substr(0, std::min(colon, alternative.size()));
    if (colon == std::string_view::npos || guard.find_first_of(" {$([") != std::string_view::npos) return true;
    alternative.remove_prefix(colon + 2);
    if (guard == "bool") return result().dtype == DType::Bool;
    if (guard == "zero") return level_.number == 0;
    if (guard == "whole") return is_made_whole();
    if (guard == "infinite" || guard == "first") {
      make_lane_once(std::nullopt);
      return guard == "first" ? equal_before() == 0 : is_largest_infinite();
    }
    const std::size_t equals = guard.find('=');
    const std::string_view name = guard.substr(0, equals == std::string_view::npos ? guard.size() - 1 : equals);
    const auto is_operand = [&](const OpOperand& input) { return input.parameter == name; };
    if (std::any_of(op_.inputs.begin(), op_.inputs.end(), is_operand)) return true;
    const auto given = std::find_if(op_.attributes.begin(), op_.attributes.end(),
                                    [&](const auto& attribute) { return attribute.first == name; });
    if (given == op_.attributes.end()) return false;
    if (equals == std::string_view::npos) return true;
    const std::string_view wanted = guard.substr(equals + 1);
    const auto number = parse_double(wanted);
    return given->second == wanted || (number && parse_double(given->second) == number);
  }

  bool is_made_whole() const {
    if (is_floating(result().dtype) || result().dtype == DType::Bool) return false;
    const auto is_real = [](const OpArgument& argument) { return argument.kind == OpArgument::Kind::Float; };
    return std::any_of(op_.arguments.begin(), op_.arguments.end(), is_real) ||
           std::any_of(op_.inputs.begin(), op_.inputs.end(),
                       [&](const OpOperand& input) { return is_floating(history_.value(input.value).dtype); });
  }

  bool is_largest_infinite() const {
    const auto largest = std::max_element(lane_.numbers.begin(), lane_.numbers.end());
    return largest != lane_.numbers.end() && std::isinf(*largest);
  }

  // Of the element at the place that the result names: how many equal ones come before it.
  std::int64_t equal_before() const {
    const auto place = static_cast<std::size_t>(level_.number);
    if (place >= lane_.numbers.size()) return 0;
    return std::count(lane_.numbers.begin(), lane_.numbers.begin() + static_cast<std::ptrdiff_t>(place),
                      lane_.numbers[place]);
  }

  bool is_known(std::string_view formula) const {
    for (std::size_t at = formula.find('{'); at != std::string_view::npos; at = formula.find('{', at + 1)) {
      const std::string_view name = formula.substr(at + 1, formula.find('}', at) - at - 1);
      if (!is_of_lane(name) && !find_operand(op_, parameter_of(name)) && constant(name).empty()) return false;
    }
    return true;
  }

  static bool is_of_lane(std::string_view name) {
    constexpr std::string_view kNames[] = {"e",        "upto",    "x",      "n",      "i",   "i0",     "i1",  "largest",
                                           "smallest", "average", "picked", "middle", "nth", "stride", "size"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
  }

  static bool needs_lane(std::string_view formula) { return formula.find('$') != std::string_view::npos; }

  static std::string_view parameter_of(std::string_view name) { return name.substr(0, name.find('.')); }

  std::string constant(std::string_view name) const {
    const OpArgument* argument = find_argument(op_, name);
    return argument ? argument_digits(*argument) : std::string();
  }

  // ---- the elements along the axes ----

  static std::optional<std::int64_t> take_axis(std::string_view& formula) {
    constexpr std::string_view kMark = "@axis0 ";
    if (!formula.starts_with(kMark)) return std::nullopt;
    formula.remove_prefix(kMark.size());
    return 0;
  }

  void make_lane_once(std::optional<std::int64_t> axis) {
    if (has_lane_ || op_.inputs.empty()) return;
    has_lane_ = true;
    const OpOperand& input = op_.inputs[0];
    const Shape& shape = history_.value(input.value).shape;
    const Shape axes = axis && !shape.empty() ? Shape{*axis} : axes_of(op_, shape, result().shape);
    Shape start(shape.size(), 0);
    std::vector<bool> is_reduced(shape.size(), false);
    for (const std::int64_t a : axes) is_reduced[static_cast<std::size_t>(a)] = true;
    const bool keeps_axes = level_.index.size() == shape.size();
    std::size_t next = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (is_reduced[d] && keeps_axes) lane_.place = lane_.place * shape[d] + level_.index[d];
      if (!is_reduced[d]) start[d] = level_.index[keeps_axes ? d : next++];
    }
    add_elements(input, axes, shape, start);
  }

  void add_elements(const OpOperand& input, const Shape& axes, const Shape& shape, const Shape& start) {
    Shape sizes;
    for (const std::int64_t a : axes) sizes.push_back(shape[static_cast<std::size_t>(a)]);
    const std::int64_t count = numel_of(sizes);
    for (std::int64_t k = 0; k < count; ++k) {
      const Shape inner = unravel(k, sizes);
      Shape index = start;
      for (std::size_t i = 0; i < axes.size(); ++i) index[static_cast<std::size_t>(axes[i])] = inner[i];
      const int number = builder_.operand(input.value, std::move(index), input.parameter);
      lane_.operands.push_back(number);
      lane_.numbers.push_back(builder_.operand_at(number).number);
    }
  }

  // ---- putting it together ----

  void put(std::string_view formula) {
    while (!formula.empty()) {
      const std::size_t at = formula.find_first_of("{$");
      builder_.text(formula.substr(0, at));
      if (at == std::string_view::npos) return;
      const std::size_t end = formula.find(formula[at] == '{' ? '}' : '$', at + 1);
      const std::string_view inside = formula.substr(at + 1, end - at - 1);
      const char kind = formula[at];
      formula.remove_prefix(end + 1);
      if (kind == '$') {
        put_terms(inside);
      } else {
        put_place(inside, formula);
      }
    }
  }

  // "+ exp({e} - {largest})" once for each element
  void put_terms(std::string_view inside) {
    const std::size_t blank = inside.find(' ');
    const std::string_view sign = inside.substr(0, blank), item = inside.substr(blank + 1);
    const std::string separator = sign == "," ? ", " : " " + std::string(sign) + " ";
    std::size_t count = lane_.operands.size();
    if (item.find("{upto}") != std::string_view::npos)
      count = std::min(count, static_cast<std::size_t>(lane_.place) + 1);
    for (std::size_t k = 0; k < count; ++k) {
      builder_.set_term(static_cast<int>(k));
      if (k > 0) builder_.text(separator);
      element_ = lane_.operands[k];
      put(item);
    }
    if (count == 0) builder_.text(sign == "*" ? "1" : sign == "+" ? "0" : "");
    builder_.set_term(-1);
    level_.terms = static_cast<int>(count);
  }

  void put_place(std::string_view name, std::string_view rest) {
    if (name == "e" || name == "upto") return builder_.digits(element_, rest);
    if (name.ends_with(".e")) {
      const OpOperand& other = *find_operand(op_, parameter_of(name));
      return builder_.digits(builder_.operand(other.value, builder_.operand_at(element_).index, other.parameter), rest);
    }
    if (name == "x" || name == "picked") {
      const auto at = static_cast<std::size_t>(name == "x" ? lane_.place : static_cast<std::int64_t>(level_.number));
      if (at < lane_.operands.size()) return builder_.digits(lane_.operands[at], rest);
      return builder_.text("nan");
    }
    if (name == "largest" || name == "smallest") return put_extreme(name == "largest", rest);
    if (is_of_lane(name)) return builder_.number(derived(name), rest);
    if (const OpOperand* input = find_operand(op_, parameter_of(name)))
      return builder_.digits(place_of(*input, name.ends_with(".lead")), rest);
    builder_.number(constant(name), rest);
  }

  void put_extreme(bool is_largest, std::string_view rest) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < lane_.numbers.size(); ++k) {
      const double number = lane_.numbers[k];
      if (std::isnan(number) || (is_largest ? number > lane_.numbers[best] : number < lane_.numbers[best])) best = k;
    }
    if (lane_.operands.empty()) return builder_.text("nan");
    builder_.digits(lane_.operands[best], rest);
  }

  std::string derived(std::string_view name) const {
    const auto n = static_cast<std::int64_t>(lane_.operands.size());
    const Shape& index = level_.index;
    const auto index_at = [&](std::size_t d) { return d < index.size() ? std::to_string(index[d]) : "0"; };
    if (name == "n") return std::to_string(n);
    if (name == "i") return needs_last() ? index_at(index.size() - 1) : std::to_string(place_along());
    if (name == "i0") return index_at(0);
    if (name == "i1") return index_at(1);
    if (name == "middle") return std::to_string((n - 1) / 2);
    if (name == "average") return average();
    if (name == "nth" && is_picked_) return std::to_string(equal_before());
    return place_in_list(name);
  }

  // The class of one_hot stands on the last axis, which the operand has not.
  bool needs_last() const { return lane_.operands.empty() && !op_.inputs.empty() && !level_.index.empty(); }
  std::int64_t place_along() const {
    return lane_.place != 0 || level_.index.empty() || keeps_axis() ? lane_.place : level_.index[0];
  }
  bool keeps_axis() const {
    return !op_.inputs.empty() && history_.value(op_.inputs[0].value).shape.size() == level_.index.size() &&
           find_argument(op_, "dim") && find_argument(op_, "dim")->kind == OpArgument::Kind::Int;
  }

  std::string average() const {
    double sum = 0;
    for (const double number : lane_.numbers) sum += number;
    return element_digits(sum / static_cast<double>(lane_.numbers.size()), result().dtype);
  }

  // Of nonzero: a row for each place and a column for each axis, or one output for each axis.
  std::string place_in_list(std::string_view name) const {
    const Shape& shape = history_.value(op_.inputs.at(0).value).shape;
    const bool is_table = result().shape.size() == 2;
    const auto axis = is_table ? static_cast<std::size_t>(level_.index[1]) : output_;
    if (name == "nth") return std::to_string(level_.index.at(0));
    if (axis >= shape.size()) return "1";
    return std::to_string(name == "stride" ? contiguous_strides(shape)[axis] : shape[axis]);
  }

  int place_of(const OpOperand& input, bool from_the_left) {
    const Shape& shape = history_.value(input.value).shape;
    Shape index = level_.index;
    if (from_the_left) index.resize(std::min(index.size(), shape.size()));
    return builder_.operand(input.value, broadcast_index(shape, index), input.parameter);
  }

  const ValueHistory& history_;
  const Op& op_;
  std::size_t output_;
  Explanation& level_;
  LevelBuilder& builder_;
  Lane lane_;
  bool has_lane_ = false;
  bool is_picked_ = false;  // the result names a place
  int element_ = -1;
};

}  // namespace

const OpArgument* find_argument(const Op& op, std::string_view parameter) {
  const OpInfo* info = find_op(op.spelling);
  if (!info) return nullptr;
  const std::vector<Overload>& overloads = overloads_of(info->signature);
  const Overload& overload = overloads.at(static_cast<std::size_t>(op.overload));
  for (std::size_t i = 0; i < overload.size() && i < op.arguments.size(); ++i)
    if (overload[i].name == parameter) return &op.arguments[i];
  return nullptr;
}

const OpOperand* find_operand(const Op& op, std::string_view parameter) {
  const auto found = std::find_if(op.inputs.begin(), op.inputs.end(),
                                  [&](const OpOperand& input) { return input.parameter == parameter; });
  return found == op.inputs.end() ? nullptr : &*found;
}

std::string argument_digits(const OpArgument& argument) {
  switch (argument.kind) {
    case OpArgument::Kind::Bool: return argument.number ? "True" : "False";
    case OpArgument::Kind::Int: return std::to_string(argument.number);
    case OpArgument::Kind::Float: return element_digits(argument.real, DType::Float64);
    default: return {};
  }
}

Shape broadcast_index(const Shape& operand, const Shape& index) {
  Shape out(operand.size(), 0);
  for (std::size_t back = 1; back <= operand.size() && back <= index.size(); ++back) {
    if (operand[operand.size() - back] != 1) out[operand.size() - back] = index[index.size() - back];
  }
  return out;
}

std::string_view formula_of_output(std::string_view formula, std::size_t output) {
  for (; output > 0; --output) {
    const std::size_t next = formula.find(" ;; ");
    if (next == std::string_view::npos) return {};
    if (formula.substr(next + 4) == "...") break;
    formula.remove_prefix(next + 4);
  }
  return formula.substr(0, formula.find(" ;; "));
}

bool fill_formula(const ValueHistory& history, std::string_view formula, std::size_t output, Explanation& level,
                  LevelBuilder& builder) {
  return Filler(history, output, level, builder).fill(formula);
}

void fill_call(const ValueHistory& history, bool is_reduction, std::size_t output, Explanation& level,
               LevelBuilder& builder) {
  Filler(history, output, level, builder).call(is_reduction);
}

}  // namespace attn
