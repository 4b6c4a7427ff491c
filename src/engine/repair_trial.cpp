#include "engine/repair_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "base/limits.h"
#include "base/text.h"
#include "syntax/characters.h"
#include "syntax/snippet.h"
#include "torch/op.h"

namespace attn {
namespace {

/// A tensor of the same numbers, sizes and strides in a storage of its own: what is tried may write.
Tensor copy_of(const Tensor& tensor) {
  std::int64_t extent = tensor.numel() == 0 ? 0 : 1;
  for (std::int64_t i = 0; i < tensor.dim() && extent > 0; ++i)
    extent += (tensor.size(i) - 1) * tensor.strides()[static_cast<std::size_t>(i)];
  Tensor storage = Tensor::empty({extent}, tensor.dtype());
  dispatch(tensor.dtype(), [&]<class T>(T) { std::copy_n(tensor.data<T>(), extent, storage.mutable_data<T>()); });
  return storage.as_strided(tensor.shape(), tensor.strides(), 0);
}

std::string axes_of(const TensorObject& tensor) {
  RecordedValue record;
  record.shape = tensor.tensor.shape();
  for (const Axis& axis : tensor.axes) record.axes.push_back({axis.name, nullptr});
  const std::string text = axes_text(record);
  return text.substr(text.find('['));
}

std::vector<const TensorObject*> tensors_in(const Value& value) {
  if (const auto* tensor = value.as<TensorObject>()) return {tensor};
  const std::vector<Value>* items = value.as<Tuple>()  ? &value.as<Tuple>()->items
                                    : value.as<List>() ? &value.as<List>()->items
                                                       : nullptr;
  std::vector<const TensorObject*> out;
  for (std::size_t i = 0; items && i < items->size(); ++i)
    if (const auto* tensor = (*items)[i].as<TensorObject>()) out.push_back(tensor);
  return out;
}

std::size_t unnamed_axes(const TensorObject& tensor) {
  return static_cast<std::size_t>(
      std::count_if(tensor.axes.begin(), tensor.axes.end(), [](const Axis& axis) { return axis.name.empty(); }));
}

/// "3 x [2, 4]" of what split() gives; "[2, 4], [2, 3]" where they differ.
std::string listed(const std::vector<std::string>& axes) {
  const bool alike = std::adjacent_find(axes.begin(), axes.end(), std::not_equal_to<>()) == axes.end();
  if (axes.size() > 1 && alike) return fmt::format("{} x {}", axes.size(), axes[0]);
  return axes.size() <= 3 ? join(axes, ", ") : axes[0] + ", " + axes[1] + ", ...";
}

/// The place with the brackets around it, where they group and do not call: of "(a + b) @ c" the whole "(a + b)".
Span with_brackets(Span span, Span whole, const std::vector<Source>& sources) {
  if (span.end <= span.begin || span.source != whole.source || span.source >= sources.size()) return span;
  const std::string_view text = sources[span.source].text;
  if (span.begin <= whole.begin || span.end >= whole.end) return span;
  if (text[span.begin - 1] != '(' || text[span.end] != ')') return span;
  const char before = span.begin >= 2 ? text[span.begin - 2] : ' ';
  const bool calls =
      std::isalnum(static_cast<unsigned char>(before)) || before == '_' || before == ')' || before == ']';
  return calls ? span : Span{span.source, span.begin - 1, span.end + 1};
}

}  // namespace

Trial::Trial(const FailedCall& call, const Diagnostic& diagnostic, const std::vector<Source>& sources)
    : call_(call), diagnostic_(diagnostic), sources_(sources) {
  interpreter_.set_grad_enabled(false);  // so that a leaf may be written to
  if (call_.has_self) call_.self = copied(call_.self);
  for (Value& value : call_.arguments.positional) value = copied(value);
  for (auto& keyword : call_.arguments.keywords) keyword.second = copied(keyword.second);
  places_ = operand_places(call_.arguments, call_.has_self ? &call_.self : nullptr, sources);
  for (OperandPlace& place : places_) place.span = with_brackets(place.span, call.arguments.span, sources);
  // Of f(*pair) every argument has the text "pair": a change of one could not be written down.
  const auto text_of = [](const OperandPlace& place) {
    return std::tuple(place.span.source, place.span.begin, place.span.end);
  };
  std::map<decltype(text_of(places_[0])), std::set<int>> arguments_of;
  for (const OperandPlace& place : places_) arguments_of[text_of(place)].insert(place.argument);
  for (OperandPlace& place : places_)
    if (arguments_of[text_of(place)].size() > 1) place.span = {};
}

Value Trial::copied(const Value& value) {
  check_stack();
  if (const TensorObject* tensor = value.as<TensorObject>()) {
    names_known_ = names_known_ && unnamed_axes(*tensor) == 0;
    most_axes_ = std::max(most_axes_, tensor->axes.size());
    fewest_axes_ = std::min(fewest_axes_, tensor->axes.size());
    most_numbers_ = std::max(most_numbers_, tensor->tensor.numel());
    Ref<TensorObject> copy = make<TensorObject>(copy_of(tensor->tensor));
    copy->axes = tensor->axes;
    copy->is_parameter = tensor->is_parameter || (tensor->base && tensor->base->is_parameter);
    if (tensor->history && !copy->is_parameter) computed_.push_back(copy.get());
    return copy;
  }
  const bool is_tuple = value.as<Tuple>() != nullptr;
  if (!is_tuple && !value.as<List>()) return value;
  std::vector<Value> items = is_tuple ? value.as<Tuple>()->items : value.as<List>()->items;
  for (Value& item : items) item = copied(item);
  return is_tuple ? make_tuple(std::move(items)) : make_list(std::move(items));
}

std::optional<std::int64_t> Trial::fact(std::string_view name) const {
  for (const Fact& fact : diagnostic_.facts)
    if (fact.first == name) return fact.second;
  return std::nullopt;
}

bool Trial::is_product_of_rows() const {
  return most_axes_ == 1 && fewest_axes_ == 1 && (op_name() == "mul" || op_name() == "div");
}

std::string_view Trial::code(std::size_t place) const {
  const Span span = places_[place].span;
  return span.source < sources_.size() ? sources_[span.source].slice(span) : std::string_view();
}

std::vector<std::size_t> Trial::tensors() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (value(i).as<TensorObject>() && !code(i).empty() && !is_layer(i)) out.push_back(i);
  return out;
}

std::vector<std::size_t> Trial::ints() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (value(i).as_int() && !code(i).empty()) out.push_back(i);
  return out;
}

bool Trial::is_layer(std::size_t place) const {
  return places_[place].argument == 1 && !call_.has_self && places_[place].span.begin == call_.arguments.span.begin &&
         places_[0].span.begin > places_[place].span.end;
}

bool Trial::is_computed(std::size_t place) const {
  const Object* tensor = value(place).as<TensorObject>();
  return std::find(computed_.begin(), computed_.end(), tensor) != computed_.end();
}

bool Trial::is_of_module(std::size_t place) const {
  const TensorObject* tensor = value(place).as<TensorObject>();
  const std::string_view text = code(place);
  const auto is_path = [](char c) { return c == '.' || continues_name(c); };
  return (tensor && tensor->is_parameter) ||
         (text.starts_with("self.") && std::all_of(text.begin(), text.end(), is_path));
}

std::optional<Value> Trial::compute(std::string_view op, std::vector<Value> arguments) {
  const OpInfo* info = find_op(op);
  if (!info) return std::nullopt;
  CallArguments call;
  call.positional = std::move(arguments);
  try {
    return interpreter_.call_op(*info, call);
  } catch (const CellError&) {
    return std::nullopt;
  }
}

std::optional<Edit> Trial::with(std::size_t place, std::string_view op, std::vector<Value> arguments,
                                const std::string& suffix) {
  arguments.insert(arguments.begin(), value(place));
  const std::optional<Value> made = compute(op, std::move(arguments));
  if (!made) return std::nullopt;
  return Edit{place, as_operand(code(place)) + suffix, *made};
}

Trial::Arguments Trial::edited(const std::vector<Edit>& edits) const {
  Arguments out{call_.arguments, call_.self};
  const auto count = static_cast<int>(out.call.positional.size());
  for (const Edit& edit : edits) {
    const OperandPlace& place = places_[edit.place];
    Value& target = place.argument < 0 ? out.self
                    : place.argument < count
                        ? out.call.positional[static_cast<std::size_t>(place.argument)]
                        : out.call.keywords[static_cast<std::size_t>(place.argument - count)].second;
    if (place.item == OperandPlace::kWhole) {
      target = edit.value;
      continue;
    }
    const bool is_tuple = target.as<Tuple>() != nullptr;
    std::vector<Value> items = is_tuple ? target.as<Tuple>()->items : target.as<List>()->items;
    items[static_cast<std::size_t>(place.item)] = edit.value;
    target = is_tuple ? make_tuple(std::move(items)) : make_list(std::move(items));
  }
  return out;
}

std::string Trial::text(const std::vector<Edit>& edits, std::string_view name, const std::string& added) const {
  const Span whole = call_.arguments.span;
  std::string out(sources_[whole.source].slice(whole));
  struct Change {
    std::size_t begin, end;
    std::string code;
  };
  std::vector<Change> changes;
  for (const Edit& edit : edits) {
    const Span span = places_[edit.place].span;
    if (span.end <= span.begin) continue;
    if (span.source != whole.source || span.begin < whole.begin || span.end > whole.end) return {};
    changes.push_back({span.begin - whole.begin, span.end - whole.begin, edit.code});
  }
  if (!name.empty()) {
    const Span owner = call_.arguments.owner;
    if (owner.end <= owner.begin || owner.source != whole.source) return {};
    const std::size_t dot = owner.end - whole.begin, bracket = out.find('(', dot);
    if (bracket == std::string::npos) return {};
    changes.push_back({dot, bracket, "." + std::string(name)});
  }
  if (!added.empty()) changes.push_back({out.size() - 1, out.size() - 1, ", " + added});
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.begin > b.begin; });
  for (const Change& change : changes) out.replace(change.begin, change.end - change.begin, change.code);
  return on_one_line(out);
}

/// What speaks against a repair that runs: axes that lost their names because two different ones met, a name that came
/// twice, more axes than any operand had.
std::size_t Trial::oddness(const TensorObject& result) const {
  std::size_t odd = names_known_ ? unnamed_axes(result) : 0;
  for (std::size_t i = 0; i < result.axes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!result.axes[i].name.empty() && result.axes[i].name == result.axes[j].name) ++odd;
  return odd + (result.axes.size() > most_axes_ ? 2 * (result.axes.size() - most_axes_) : 0);
}

void Trial::run(const OpInfo& op, const CallArguments& arguments, const Value* self, const std::string& code) {
  if (code.empty() || done()) return;
  try {
    const Value result = interpreter_.call_op(op, arguments, self);
    const std::vector<const TensorObject*> tensors = tensors_in(result);
    std::size_t odd = 0;
    std::vector<std::string> gives;
    for (const TensorObject* tensor : tensors) {
      // Every pair of shapes fits when enough axes are put in, or when each row of one meets each row of the other:
      // nobody means that.
      const bool is_larger = fewest_axes_ > 1 && tensor->tensor.numel() > most_numbers_;
      const bool has_more_axes = tensor->axes.size() > (is_product_of_rows() ? 2 : most_axes_);
      if (diagnostic_.rule == "broadcast" && (is_larger || has_more_axes)) return;
      odd += oddness(*tensor);
      gives.push_back(axes_of(*tensor));
    }
    if (best_ && odd >= oddness_) return;
    best_ = true;
    oddness_ = odd;
    tried_ = {code, listed(gives)};
  } catch (const CellError&) {
  }
}

void Trial::offer(const std::vector<Edit>& edits) {
  const Arguments arguments = edited(edits);
  run(*call_.op, arguments.call, call_.has_self ? &arguments.self : nullptr, text(edits, {}, {}));
}

void Trial::offer_op(std::string_view op, std::string_view name, const std::vector<Edit>& edits) {
  const OpInfo* info = find_op(op);
  if (!info) return;
  const Arguments arguments = edited(edits);
  run(*info, arguments.call, call_.has_self ? &arguments.self : nullptr, text(edits, name, {}));
}

void Trial::offer_keyword(const std::string& name, const Value& value, const std::string& code) {
  Arguments arguments = edited({});
  const auto is_given = [&](const auto& keyword) { return keyword.first == name; };
  if (std::any_of(arguments.call.keywords.begin(), arguments.call.keywords.end(), is_given)) return;
  arguments.call.keywords.emplace_back(name, value);
  arguments.call.spans.clear();
  const std::string whole = text({}, {}, name + "=" + code);
  if (whole.ends_with(")")) run(*call_.op, arguments.call, call_.has_self ? &arguments.self : nullptr, whole);
}

void Trial::offer_whole(std::string_view op, std::vector<Value> arguments, const std::string& code) {
  const OpInfo* info = find_op(op);
  CallArguments call;
  call.positional = std::move(arguments);
  if (info) run(*info, call, nullptr, on_one_line(code));
}

}  // namespace attn
