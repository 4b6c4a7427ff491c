// The call of an op: bound, computed, its result named and reported.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/words.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/natives.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/layout.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/backward_pass.h"
#include "torch/generator.h"
#include "torch/gradient.h"
#include "torch/narrow_types.h"
#include "torch/op.h"
#include "torch/operand_notes.h"

namespace attn {
namespace {

// The tensors that came out: the value itself or the items of the tuple or list it is.
std::vector<TensorObject*> outputs_of(const Value& result) {
  if (TensorObject* tensor = result.as<TensorObject>()) return {tensor};
  const std::vector<Value>* items = result.as<Tuple>()  ? &result.as<Tuple>()->items
                                    : result.as<List>() ? &result.as<List>()->items
                                                        : nullptr;
  std::vector<TensorObject*> out;
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    if (TensorObject* tensor = (*items)[i].as<TensorObject>()) out.push_back(tensor);
  }
  return out;
}

bool is_input(const OpCall& call, const TensorObject* tensor) {
  const auto& inputs = call.inputs();
  return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
}

// The operand that it is a view of, or what that is a view of, or what an op inside this one found; null: it has
// elements of its own.
Ref<TensorObject> base_of(const OpCall& call, const TensorObject& output) {
  for (TensorObject* input : call.inputs())
    if (input->tensor.shares_storage(output.tensor)) return input->base ? input->base : Ref<TensorObject>(input);
  if (output.base) return output.base;
  // A linear layer gives three axes as a view of a matrix, which nobody else holds.
  return call.grad_fn() == "ViewBackward0" ? make<TensorObject>(output.tensor) : Ref<TensorObject>();
}

// A view of what requires a gradient requires one even where gradients are off: it has no history, but says so.
bool is_view_of_such(const OpCall& call, const TensorObject& output) {
  const auto& inputs = call.inputs();
  return !call.grad_fn().empty() && std::any_of(inputs.begin(), inputs.end(), [&](const TensorObject* input) {
    return input->requires_grad && input->tensor.shares_storage(output.tensor);
  });
}

// The step that made a tensor. When a view is written to, PyTorch makes its history anew, from that of its base.
std::string_view last_step_grad_fn(const OpCall& call, const TensorObject& output) {
  const bool is_written = (call.info().flags & (kInPlace | kView)) == kInPlace;
  return is_written && output.base ? "AsStridedBackward0" : call.grad_fn();
}

// Names the axes of new tensors and says whether they carry a gradient.
void finish(OpCall& call, const Value& result, bool grad_enabled) {
  const auto& inputs = call.inputs();
  const bool wants_grad =
      grad_enabled && !call.grad_fn().empty() &&
      std::any_of(inputs.begin(), inputs.end(), [](const TensorObject* input) { return input->requires_grad; });
  const std::vector<TensorObject*> outputs = outputs_of(result);
  const bool in_place = call.info().flags & kInPlace;
  bool is_new = in_place;
  if (in_place && (call.info().flags & kView)) outputs.front()->tensor.note_write();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    look();
    TensorObject& output = *outputs[i];
    if (is_input(call, &output) && !in_place) continue;
    is_new = true;
    if (!in_place) output.axes = call.info().axes(call, output.tensor, i);
    if (!in_place) output.graph_write = output.tensor.storage().graph_write;
    if (!in_place && grad_enabled && !call.grad_fn().empty()) output.base = base_of(call, output);
    if (!grad_enabled && !in_place && is_view_of_such(call, output)) output.requires_grad = true;
    if (!wants_grad || !is_floating(output.tensor.dtype())) continue;
    output.requires_grad = true;
    output.grad_fn = last_step_grad_fn(call, output);
  }
  if (!wants_grad || !is_new) return;
  if (const Ref<GradNode> node = record_history(call, outputs)) let_go_of_unasked(call.interpreter(), *node);
  keep_what_may_not_change(call, outputs);
}

CallArguments without_keyword(CallArguments arguments, std::size_t keyword) {
  arguments.keywords.erase(arguments.keywords.begin() + static_cast<std::ptrdiff_t>(keyword));
  const std::size_t place = arguments.positional.size() + keyword;
  if (place < arguments.spans.size())
    arguments.spans.erase(arguments.spans.begin() + static_cast<std::ptrdiff_t>(place));
  return arguments;
}

// The step that made a size by // from one that the other does not divide; null if there is none.
const Origin* uneven_division(const Origin* origin) {
  if (!origin) return nullptr;
  const std::vector<std::int64_t>& values = origin->operand_values;
  const bool divides = origin->source == Origin::Source::Arithmetic && origin->name == "//";
  if (divides && values[1] > 0 && values[0] % values[1] != 0) return origin;
  for (const OriginPtr& operand : origin->operands)
    if (const Origin* found = uneven_division(operand.get())) return found;
  return nullptr;
}

const Origin* uneven_division(const Value& size) {
  if (const Int* number = size.as_int()) return uneven_division(number->origin);
  const std::vector<Value>* items = size.as<Tuple>()  ? &size.as<Tuple>()->items
                                    : size.as<List>() ? &size.as<List>()->items
                                                      : nullptr;
  for (std::size_t i = 0; items && i < items->size(); ++i)
    if (const Int* number = (*items)[i].as_int())
      if (const Origin* found = uneven_division(number->origin)) return found;
  return nullptr;
}

// "50 is not divisible by 8", where that is why the sizes of a view do not fit.
std::string hint_on_sizes(const CallArguments& arguments) {
  for (const Value& size : arguments.positional) {
    const Origin* division = uneven_division(size);
    if (!division) continue;
    const std::int64_t whole = division->operand_values[0], part = division->operand_values[1];
    return say("mistake.divided", {{"whole", std::to_string(whole)},
                                   {"part", std::to_string(part)},
                                   {"product", std::to_string(whole / part * part)}});
  }
  return "";
}

}  // namespace

void Interpreter::explain_failure(CellError error, const OpInfo& op, const CallArguments& arguments,
                                  const Value* self) {
  Diagnostic& diagnostic = error.diagnostic();
  diagnostic.operands = operand_notes(arguments, self, sources_, diagnostic.code == Code::Type);
  if (diagnostic.rule == "view.numel" && diagnostic.hint.empty()) diagnostic.hint = hint_on_sizes(arguments);
  failed_call_ = {&op, arguments, self ? *self : Value(), self != nullptr, diagnostic.message};
  throw error;
}

namespace {

// out=: what the function gives is written into that tensor, which takes its size if it has no elements.
Value write_out(Interpreter& interpreter, const OpInfo& op, const Value& made, const Value& out, Span span) {
  const TensorObject* result = made.as<TensorObject>();
  TensorObject& target = *out.as<TensorObject>();
  const auto refuse = [&](Code code, const std::string& message) { throw CellError(code, span, message); };
  if (!result) throw unsupported(span, "unsupported.out", {{"op", std::string(op.name)}});
  if (result->requires_grad || target.requires_grad)
    refuse(Code::Runtime, fmt::format("{}(): functions with out=... arguments don't support automatic differentiation, "
                                      "but one of the arguments requires grad.",
                                      op.name));
  const DType from = result->tensor.dtype(), to = target.tensor.dtype();
  if ((is_floating(from) && !is_floating(to)) || (from != DType::Bool && to == DType::Bool))
    refuse(Code::Runtime, fmt::format("result type {} can't be cast to the desired output type {}",
                                      scalar_type_name(from), scalar_type_name(to)));
  if (target.tensor.shape() != result->tensor.shape()) {
    if (target.tensor.numel() > 0) throw unsupported(span, "unsupported.out", {{"op", std::string(op.name)}});
    target.tensor = Tensor::empty(result->tensor.shape(), to);
    target.axes = result->axes;
  }
  return call_named_op(interpreter, "Tensor.copy_", {out, made}, {span, span}, span);
}

}  // namespace

Value Interpreter::call_op(const OpInfo& op, const CallArguments& arguments, const Value* self) {
  for (std::size_t i = 0; i < arguments.keywords.size(); ++i) {
    const auto& [name, value] = arguments.keywords[i];
    const bool has_out = name == "out" && value.as<TensorObject>() && !self && !op.spellings.starts_with("torch.nn.");
    if (has_out) {
      const Value target = value;
      return write_out(*this, op, call_op(op, without_keyword(arguments, i)), target, arguments.span);
    }
    const GeneratorObject* given = name == "generator" ? value.as<GeneratorObject>() : nullptr;
    if (!given) continue;
    struct Restore {
      Generator*& place;
      Generator* before;
      ~Restore() { place = before; }
    } restore{drawn_from_, drawn_from_};
    const Value kept = value;
    drawn_from_ = &kept.as<GeneratorObject>()->generator;
    return call_op(op, without_keyword(arguments, i), self);
  }
  if (!is_in_library(arguments.span)) return call_op(op, arguments, self, follower());
  // That the library asks for a size is not seen.
  Observer* const observer = op.element == ElementRule::Query ? nullptr : follower();
  return call_op(op, placed_at_caller(arguments), self, observer);
}

CallArguments Interpreter::placed_at_caller(const CallArguments& arguments) const {
  CallArguments placed{arguments.positional, arguments.keywords, {}, place_of(arguments.span)};
  const std::size_t count = library_call_ ? std::min(library_call_->positional.size(), library_call_->spans.size()) : 0;
  if (count == 0) return placed;
  for (const Value& value : placed.positional) {
    const auto begin = library_call_->positional.begin();
    const auto found = std::find_if(begin, begin + static_cast<std::ptrdiff_t>(count), [&](const Value& given) {
      return value.object() && given.object() == value.object();
    });
    const auto place = static_cast<std::size_t>(found - begin);
    placed.spans.push_back(place < count ? library_call_->spans[place] : Span());
  }
  return placed;
}

namespace {

// What an op in place is about to write to; where no gradient asks for the numbers, its axes and type alone.
Tensor what_was_there(Interpreter& interpreter, const OpInfo& op, const Tensor& target) {
  return asks_what_was_there(interpreter, op) ? clone(target) : like_without_numbers(target);
}

}  // namespace

Value Interpreter::call_op(const OpInfo& op, const CallArguments& arguments, const Value* self, Observer* observer) {
  OpCall call = bind_op(*this, op, arguments, self);
  NarrowTypes types(call);
  if (op.flags & kDraws) require_effects("wrong_cell.draw", arguments.span);
  if (op.flags & kInPlace) require_effects("wrong_cell.write", arguments.span);
  if (observer) observer->op_begins(call);
  try {
    const auto& inputs = call.inputs();
    for (TensorObject* input : inputs) renew_history(*input);
    const auto wants_grad = [](const TensorObject* input) { return input->requires_grad; };
    if ((op.flags & kInPlace) && grad_enabled_ && std::any_of(inputs.begin(), inputs.end(), wants_grad))
      call.keep_before(what_was_there(*this, op, inputs.front()->tensor));
    types.widen();
    Value result = types.narrow(op.function(call));
    finish(call, result, grad_enabled_);
    if (observer) observer->op_ends(call, result);
    return result;
  } catch (const TensorError& error) {
    if (observer) observer->op_fails(call);
    explain_failure(to_cell_error(error, arguments.span), op, arguments, self);
  } catch (const CellError& error) {
    if (observer) observer->op_fails(call);
    // A part of a composite has no place of its own in the source: the operands are those of the whole.
    if (error.diagnostic().rule.empty() || !error.diagnostic().operands.empty()) throw;
    CellError outer = error;
    outer.diagnostic().is_inner = true;
    explain_failure(std::move(outer), op, arguments, self);
  } catch (...) {
    if (observer) observer->op_fails(call);
    throw;
  }
}

Value call_named_op(Interpreter& interpreter, std::string_view op, std::vector<Value> arguments,
                    std::vector<Span> spans, Span whole) {
  const OpInfo* info = find_op(op);
  if (!info) throw unsupported(whole, "unsupported.name", {{"name", std::string(op)}});
  CallArguments call{std::move(arguments), {}, std::move(spans), whole};
  return interpreter.call_op(*info, call);
}

}  // namespace attn
