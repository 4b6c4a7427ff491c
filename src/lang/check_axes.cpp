// Axis comments at run time: what a comment says is held against the tensor, then names its axes.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "lang/evaluator.h"

namespace attn {
namespace {

struct Mismatch {
  std::string message;
  std::string hint;
};

// The size that a name stands for: its variable's value, else what a comment said before.
struct NamedSize {
  std::int64_t value;
  bool is_variable;
};
std::optional<NamedSize> size_of_name(const Scope& scope, const std::string& name) {
  for (const Scope* at = &scope; at; at = at->outer.get()) {
    const auto variable = at->names.find(name);
    if (variable == at->names.end()) continue;
    if (variable->second.as_int()) return NamedSize{variable->second.as_int()->value, true};
    break;
  }
  const auto seen = scope.axis_sizes.find(name);
  if (seen == scope.axis_sizes.end()) return std::nullopt;
  return NamedSize{seen->second, false};
}

// Checks one axis and notes the sizes of names that were unknown so far.
std::optional<Mismatch> check_item(Scope& scope, const AxisItem& item, std::int64_t size, const std::string& place) {
  std::int64_t known = 1;
  std::string unknown;
  std::string because;
  for (const auto& factor : item.factors) {
    if (const std::int64_t* number = std::get_if<std::int64_t>(&factor)) {
      known *= *number;
    } else if (const auto named = size_of_name(scope, std::get<std::string>(factor))) {
      known *= named->value;
      because += fmt::format("{}{} {} {}", because.empty() ? "" : ", ", std::get<std::string>(factor),
                             named->is_variable ? "is" : "was", named->value);
    } else if (unknown.empty()) {
      unknown = std::get<std::string>(factor);
    } else {
      return std::nullopt;  // two unknown factors: nothing can be said
    }
  }
  const std::string text = axis_text(item);
  if (unknown.empty()) {
    if (known == size) return std::nullopt;
    return Mismatch{fmt::format("{} has size {}, but the comment says {}{}", place, size, text,
                                text == std::to_string(known) ? "" : fmt::format(" = {}", known)),
                    because};
  }
  if (known == 0 || size % known != 0)
    return Mismatch{fmt::format("{} has size {}, which is no multiple of {} in {}", place, size, known, text), because};
  scope.axis_sizes[unknown] = size / known;
  return std::nullopt;
}

std::optional<Mismatch> check_items(Scope& scope, const AxisComment& comment, const std::string& target,
                                    const TensorObject& tensor) {
  if (comment.items.size() != tensor.axes.size()) {
    return Mismatch{
        fmt::format("{} has {} {} {}, but the comment names {}", target, tensor.axes.size(),
                    tensor.axes.size() == 1 ? "axis" : "axes", shape_text(tensor.tensor.shape()), comment.items.size()),
        ""};
  }
  for (std::size_t i = 0; i < comment.items.size(); ++i) {
    const auto mismatch = check_item(scope, comment.items[i], tensor.tensor.size(static_cast<std::int64_t>(i)),
                                     fmt::format("axis {} of {}", i, target));
    if (mismatch) return mismatch;
  }
  return std::nullopt;
}

// A number names nothing: the axis keeps the name that it has.
void name_axes(const AxisComment& comment, TensorObject& tensor) {
  for (std::size_t i = 0; i < comment.items.size(); ++i) {
    const AxisItem& item = comment.items[i];
    if (item.factors.size() == 1 && std::holds_alternative<std::int64_t>(item.factors[0])) continue;
    std::string name = axis_text(item);
    if (name != tensor.axes[i].name) tensor.axes[i] = Axis{std::move(name), nullptr, nullptr};
  }
}

std::optional<Mismatch> put_words(Scope& scope, const AxisComment& comment) {
  const auto found = scope.names.find(comment.words);
  const List* list = found == scope.names.end() ? nullptr : found->second.as<List>();
  if (!list)
    return Mismatch{fmt::format("{} is no list of words", comment.words), "name a list of strings that is bound above"};
  auto words = std::make_shared<std::vector<std::string>>();
  for (const Value& item : list->items) words->push_back(str(item));
  scope.axis_words[comment.axis] = std::move(words);
  for (auto& [name, value] : scope.names) {
    if (TensorObject* tensor = value.as<TensorObject>()) attach_words(scope, *tensor);
  }
  return std::nullopt;
}

}  // namespace

void attach_words(const Scope& scope, TensorObject& tensor) {
  if (scope.axis_words.empty()) return;
  for (std::size_t i = 0; i < tensor.axes.size(); ++i) {
    const auto found = scope.axis_words.find(tensor.axes[i].name);
    if (found == scope.axis_words.end()) continue;
    if (static_cast<std::int64_t>(found->second->size()) == tensor.tensor.size(static_cast<std::int64_t>(i)))
      tensor.axes[i].words = found->second;
  }
}

void apply_axis_comment(Interpreter& interpreter, Scope& scope, const AxisComment& comment, const std::string& target,
                        bool strict) {
  // In a learner's own file "(a)" is prose.
  if (!strict && comment.in_parentheses && comment.items.size() == 1) return;
  std::optional<Mismatch> mismatch;
  if (!comment.axis.empty()) {
    mismatch = put_words(scope, comment);
  } else {
    const auto found = scope.names.find(target);
    TensorObject* tensor = found == scope.names.end() ? nullptr : found->second.as<TensorObject>();
    if (!tensor) {
      if (!strict) return;
      mismatch = Mismatch{fmt::format("the comment names axes, but {} is no tensor", target),
                          "leave the comment out, or write it without brackets"};
    } else if (!(mismatch = check_items(scope, comment, target, *tensor))) {
      name_axes(comment, *tensor);
      attach_words(scope, *tensor);
      return;
    }
  }
  if (!mismatch) return;
  CellError error(Code::Axis, comment.span, mismatch->message, mismatch->hint);
  if (strict) throw error;
  error.diagnostic().severity = Severity::Warning;
  if (interpreter.observer()) interpreter.observer()->warned(error.diagnostic());
}

}  // namespace attn
