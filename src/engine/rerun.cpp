#include "engine/rerun.h"

#include <exception>
#include <optional>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/interpreter.h"
#include "torch/op.h"
#include "torch/signature.h"

namespace attn {
namespace {

/// From the record of arguments back to Python's values; tensors are taken in order.
class Arguments {
 public:
  explicit Arguments(const std::vector<Tensor>& inputs) : inputs_(inputs) {}

  /// Nothing when the argument, or a part of it, was of a kind that is not recorded.
  std::optional<Value> value(const OpArgument& argument) {
    using Kind = OpArgument::Kind;
    switch (argument.kind) {
      case Kind::None: return Value();
      case Kind::Bool: return Value(argument.number != 0);
      case Kind::Int: return Value(argument.number);
      case Kind::Float: return Value(argument.real);
      case Kind::Text: return make_str(argument.text);
      case Kind::DType:
        if (const auto dtype = dtype_named(argument.text)) return Value(make<DTypeObject>(*dtype));
        return std::nullopt;
      case Kind::Tensor:
        if (next_ == inputs_.size()) return std::nullopt;
        return make_tensor(inputs_[next_++]);
      case Kind::List: return sequence(argument, [](std::vector<Value> items) { return make_list(std::move(items)); });
      case Kind::Tuple:
        return sequence(argument, [](std::vector<Value> items) { return make_tuple(std::move(items)); });
      case Kind::Slice:
        return sequence(argument, [](const std::vector<Value>& items) {
          return Value(make<Slice>(items.at(0), items.at(1), items.at(2)));
        });
      case Kind::Ellipsis: return Value(make<EllipsisObject>());
      case Kind::Other: break;
    }
    return std::nullopt;
  }

 private:
  template <class Make>
  std::optional<Value> sequence(const OpArgument& argument, Make make_value) {
    std::vector<Value> items;
    for (const OpArgument& item : argument.items) {
      std::optional<Value> made = value(item);
      if (!made) return std::nullopt;
      items.push_back(std::move(*made));
    }
    return make_value(std::move(items));
  }

  const std::vector<Tensor>& inputs_;
  std::size_t next_ = 0;
};

void add_results(const Value& value, std::vector<Tensor>& out) {
  if (const auto* tensor = value.as<TensorObject>()) out.push_back(tensor->tensor);
  if (const auto* list = value.as<List>()) {
    for (const Value& item : list->items) add_results(item, out);
  }
  if (const auto* tuple = value.as<Tuple>()) {
    for (const Value& item : tuple->items) add_results(item, out);
  }
}

}  // namespace

std::optional<DType> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < kDTypes; ++i)
    if (const auto dtype = static_cast<DType>(i); short_name(dtype) == name) return dtype;
  return std::nullopt;
}

struct Rerun::State {
  Interpreter interpreter;
};

Rerun::Rerun() : state_(std::make_unique<State>()) {}
Rerun::~Rerun() = default;

std::vector<Tensor> Rerun::operator()(const Op& op, const std::vector<Tensor>& inputs) {
  const OpInfo* info = find_op(op.spelling);
  if (!info) return {};
  const std::vector<Overload>& overloads = overloads_of(info->signature);
  if (op.overload < 0 || static_cast<std::size_t>(op.overload) >= overloads.size()) return {};
  const Overload& overload = overloads[static_cast<std::size_t>(op.overload)];
  Arguments arguments(inputs);
  std::vector<Value> values;
  for (const OpArgument& argument : op.arguments) {
    std::optional<Value> value = arguments.value(argument);
    if (!value) return {};
    values.push_back(std::move(*value));
  }
  if (values.size() != overload.size()) return {};
  try {
    OpCall call(state_->interpreter, *info, overload, std::move(values));
    std::vector<Tensor> out;
    add_results(info->function(call), out);
    return out;
  } catch (const LimitReached&) {
    throw;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace attn
