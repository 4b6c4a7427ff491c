#include "torch/op.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <unordered_map>

#include "base/limits.h"
#include "python/interpreter.h"
#include "tensor/core/read.h"
#include "tensor/ops/join.h"
#include "torch/ops/families.h"
#include "torch/signature.h"

namespace attn {
namespace {

constexpr std::span<const OpInfo> (*kOpFamilies[])() = {
    create_ops,    new_ops,    random_ops,    query_ops,  layout_ops,     arrange_ops,    grid_ops,       join_ops,
    index_ops,     gather_ops, pointwise_ops, math_ops,   compare_ops,    inplace_ops,    reduce_ops,     fold_ops,
    matmul_ops,    linalg_ops, length_ops,    einsum_ops, functional_ops, activation_ops, class_loss_ops, loss_ops,
    attention_ops, init_ops,   conv_ops,      norm_ops,   composed_ops,   gradient_ops};

// As a method it has a tensor for its first operand.
std::string in_place_signature(std::string_view signature) {
  constexpr std::string_view kNumberToo = "(input: Operand";
  if (!signature.starts_with(kNumberToo)) return std::string(signature);
  return "(input: Tensor" + std::string(signature.substr(kNumberToo.size()));
}

OpInfo in_place_op(const OpInfo& pure, std::string_view signature) {
  const InPlace& own = pure.in_place;
  OpFacts facts = pure;
  facts.name = {};
  facts.flags |= kInPlace;
  if (!own.grad_fn.empty()) facts.grad_fn = own.grad_fn;
  OpInfo op(own.spellings, signature, own.doc, own.example, own.function ? own.function : write_result, pure.formula,
            facts);
  op.pure = &pure;
  return op;
}

struct Registry {
  std::vector<const OpInfo*> rows;
  std::unordered_map<std::string_view, const OpInfo*> by_spelling;
  std::vector<std::string_view> spellings;
  std::deque<OpInfo> in_place;
  std::deque<std::string> signatures;  // of those

  Registry() {
    for (const auto family : kOpFamilies)
      for (const OpInfo& row : family()) add(row);
  }

  void add(const OpInfo& row) {
    rows.push_back(&row);
    std::string_view rest = row.spellings;
    while (!rest.empty()) {
      const auto blank = std::min(rest.find(' '), rest.size());
      const std::string_view spelling = rest.substr(0, blank);
      rest.remove_prefix(std::min(blank + 1, rest.size()));
      if (!by_spelling.emplace(spelling, &row).second) {
        throw std::logic_error("two rows have the spelling " + std::string(spelling));
      }
      spellings.push_back(spelling);
    }
    if (row.in_place.spellings.empty()) return;
    signatures.push_back(in_place_signature(row.signature));
    add(in_place.emplace_back(in_place_op(row, signatures.back())));
  }
};

const Registry& registry() {
  static const Registry instance;
  return instance;
}

const Value kNone;

// Tensors of a value, in order: itself, or those inside sequences, of which one may hold itself.
void collect_handles(const Value& value, Span span, std::vector<TensorObject*>& out, std::size_t depth = 0) {
  charge(1);
  if (auto* handle = value.as<TensorObject>()) return out.push_back(handle);
  const std::vector<Value>* const items = items_of(value);
  if (!items) return;
  if (depth == kMostAxes) {
    CellError error(Code::Value, span, "too many dimensions 'list'");
    error.diagnostic().rule = "tensor.dims";
    throw error;
  }
  for (const Value& item : *items) collect_handles(item, span, out, depth + 1);
}

}  // namespace

std::span<const OpInfo* const> all_ops() { return registry().rows; }

const OpInfo* find_op(std::string_view spelling) {
  const auto& table = registry().by_spelling;
  const auto place = table.find(spelling);
  return place == table.end() ? nullptr : place->second;
}

std::vector<std::string> names_under(std::string_view prefix) {
  std::vector<std::string> names;
  for (const std::string_view spelling : registry().spellings) {
    if (!spelling.starts_with(prefix)) continue;
    const std::string_view name = spelling.substr(prefix.size());
    if (name.find('.') == std::string_view::npos) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

const std::vector<OpParameter>& parameters_of(const OpInfo& info) { return overloads_of(info.signature).front(); }

OpCall::OpCall(Interpreter& interpreter, const OpInfo& info, const std::vector<OpParameter>& parameters,
               std::vector<Value> values)
    : OpCall(interpreter, info, Span()) {
  parameters_ = &parameters;
  values_ = std::move(values);
  collect_inputs();
}

void OpCall::collect_inputs() {
  for (const Value& value : values_) collect_handles(value, span_, inputs_);
}

const Value& OpCall::value(std::string_view parameter) const {
  for (std::size_t i = 0; i < parameters_->size(); ++i) {
    if ((*parameters_)[i].name == parameter) return values_[i];
  }
  return kNone;  // a parameter of another overload
}

bool OpCall::takes(std::string_view parameter) const {
  return std::any_of(parameters_->begin(), parameters_->end(),
                     [&](const OpParameter& known) { return known.name == parameter; });
}

void OpCall::replace(std::string_view parameter, Value value) {
  for (std::size_t i = 0; i < parameters_->size(); ++i) {
    if ((*parameters_)[i].name != parameter) continue;
    values_[i] = std::move(value);
    return;
  }
}

TensorObject& OpCall::handle(std::string_view parameter) const {
  TensorObject* object = value(parameter).as<TensorObject>();
  if (!object) throw std::logic_error(std::string(info_.name) + " has no tensor " + std::string(parameter));
  return *object;
}

const Tensor& OpCall::tensor(std::string_view parameter) const { return handle(parameter).tensor; }

Operand OpCall::operand(std::string_view parameter) const {
  if (const auto* object = value(parameter).as<TensorObject>()) return object->tensor;
  return number(parameter);
}

Scalar OpCall::number(std::string_view parameter) const {
  const auto scalar = as_scalar(value(parameter));
  if (!scalar) throw std::logic_error(std::string(info_.name) + " has no number " + std::string(parameter));
  return *scalar;
}

std::int64_t OpCall::integer(std::string_view parameter) const { return to_int(number(parameter)); }

std::optional<std::int64_t> OpCall::optional_integer(std::string_view parameter) const {
  if (!has(parameter)) return std::nullopt;
  return integer(parameter);
}

std::vector<Value> OpCall::int_values(std::string_view parameter) const {
  const Value& bound = value(parameter);
  if (bound.is_none()) return {};
  if (const auto* tuple = bound.as<Tuple>()) return tuple->items;
  return {bound};
}

Shape OpCall::ints(std::string_view parameter) const {
  Shape out;
  for (const Value& item : int_values(parameter)) {
    look();
    out.push_back(to_int(*as_scalar(item)));
  }
  return out;
}

bool OpCall::flag(std::string_view parameter) const {
  const bool* flag = value(parameter).as_bool();
  return flag && *flag;
}

double OpCall::real(std::string_view parameter) const { return to_double(number(parameter)); }

std::optional<DType> OpCall::dtype(std::string_view parameter) const {
  const auto* object = value(parameter).as<DTypeObject>();
  return object ? std::optional(object->dtype) : std::nullopt;
}

std::vector<TensorObject*> OpCall::handles(std::string_view parameter) const {
  std::vector<TensorObject*> out;
  collect_handles(value(parameter), span_, out);
  return out;
}

TensorList OpCall::tensors(std::string_view parameter) const {
  TensorList out;
  for (const TensorObject* object : handles(parameter)) out.push_back(&object->tensor);
  return out;
}

Value OpCall::call(std::string_view op, std::vector<Value> positional,
                   std::vector<std::pair<std::string, Value>> keywords) {
  const OpInfo* info = find_op(op);
  if (!info) throw std::logic_error("no op " + std::string(op));
  CallArguments arguments;
  arguments.positional = std::move(positional);
  arguments.keywords = std::move(keywords);
  arguments.span = span_;
  return interpreter_.call_op(*info, arguments);
}

}  // namespace attn
