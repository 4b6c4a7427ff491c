// nn.GRU: the layer, and the op it calls, whose steps are recorded one by one below it.
//
// A step reads one element of the sequence (after its linear map, done for the whole sequence at once) and the hidden
// state h. With the three gates one after another in the weights:
//   reset = sigmoid(Wr x + Ur h)    update = sigmoid(Wu x + Uu h)    new = tanh(Wn x + reset * (Un h))
//   h' = (h - new) * update + new
// written in the order of operations in which PyTorch does it, so that the digits are the same.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "lang/axis_names.h"
#include "lang/layer_call.h"
#include "nn/init.h"
#include "tensor/error.h"

namespace attn {
namespace {

[[noreturn]] void fail(Span span, std::string message) { throw CellError(Code::Shape, span, std::move(message)); }

Value integer(std::int64_t value) { return Value(value); }

// ---- the op ----

/// Parameters of one layer in one direction; biases are None without.
struct Cell {
  Value weight_ih, weight_hh, bias_ih, bias_hh;
};

Value gru_step(OpCall& call, const Cell& cell, const Value& gates_of_input, const Value& hidden) {
  const Value gates_of_hidden = call.call("torch.nn.functional.linear", {hidden, cell.weight_hh, cell.bias_hh});
  const auto x = call.call("torch.chunk", {gates_of_input, integer(3), integer(1)}).as<Tuple>()->items;
  const auto h = call.call("torch.chunk", {gates_of_hidden, integer(3), integer(1)}).as<Tuple>()->items;
  const Value reset = call.call("torch.sigmoid", {call.call("torch.add", {h[0], x[0]})});
  const Value update = call.call("torch.sigmoid", {call.call("torch.add", {h[1], x[1]})});
  const Value kept = call.call("torch.mul", {h[2], reset});
  const Value fresh = call.call("torch.tanh", {call.call("torch.add", {x[2], kept})});
  const Value change = call.call("torch.mul", {call.call("torch.sub", {hidden, fresh}), update});
  return call.call("torch.add", {change, fresh});
}

struct Outcome {
  Value outputs;  // (steps, batch, hidden)
  Value hidden;   // (batch, hidden)
};

Outcome run_direction(OpCall& call, const Cell& cell, const Value& input, Value hidden, bool backwards) {
  const Value gates = call.call("torch.nn.functional.linear", {input, cell.weight_ih, cell.bias_ih});
  std::vector<Value> steps = call.call("torch.unbind", {gates}).as<Tuple>()->items;
  if (backwards) std::reverse(steps.begin(), steps.end());
  std::vector<Value> outputs;
  for (const Value& step : steps) {
    hidden = gru_step(call, cell, step, hidden);
    outputs.push_back(hidden);
  }
  if (outputs.empty()) fail(call.span(), "Expected sequence length to be larger than 0 in RNN");
  if (backwards) std::reverse(outputs.begin(), outputs.end());
  return {call.call("torch.stack", {make_list(std::move(outputs))}), hidden};
}

// What PyTorch calls the last step of the result: there the axes are swapped in place.
void swap_back(OpCall& call, Value& output) {
  output = call.call("torch.transpose", {output, integer(0), integer(1)});
  TensorObject& tensor = *output.as<TensorObject>();
  if (!tensor.grad_fn.empty()) tensor.grad_fn = "TransposeBackward1";
}

Value gru_op(OpCall& call) {
  const bool batch_first = call.flag("batch_first"), has_biases = call.flag("has_biases");
  const std::int64_t directions = call.flag("bidirectional") ? 2 : 1, layers = call.integer("num_layers");
  const double p = call.real("dropout");
  const std::vector<Value> parameters = call.value("params").as<List>()->items;
  const std::vector<Value> hidden = call.call("torch.unbind", {call.value("hx")}).as<Tuple>()->items;
  Value input = call.value("input");
  if (batch_first) input = call.call("torch.transpose", {input, integer(0), integer(1)});
  std::vector<Value> final_hidden;
  std::size_t at = 0;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    std::vector<Value> outputs;
    for (std::int64_t direction = 0; direction < directions; ++direction) {
      Cell cell{parameters[at], parameters[at + 1], {}, {}};
      if (has_biases) cell.bias_ih = parameters[at + 2], cell.bias_hh = parameters[at + 3];
      at += has_biases ? 4 : 2;
      Outcome outcome = run_direction(call, cell, input, hidden[final_hidden.size()], direction == 1);
      outputs.push_back(outcome.outputs);
      final_hidden.push_back(outcome.hidden);
    }
    input = directions == 1 ? outputs[0] : call.call("torch.cat", {make_list(outputs), integer(2)});
    if (p != 0 && call.flag("train") && layer + 1 < layers) {
      input = call.call("torch.nn.functional.dropout", {input, Value(p)});
    }
  }
  if (batch_first) swap_back(call, input);
  return make_tuple({input, call.call("torch.stack", {make_list(std::move(final_hidden))})});
}

/// output: the axes of the input, with hidden_size for the last; h_n: (layers, batch, hidden_size).
Axes gru_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  const Axes& input = call.handle("input").axes;
  const Axis hidden = call.handles("params").at(1)->axes[1];
  if (number == 1) return fitted({{}, input[call.flag("batch_first") ? 0 : 1], hidden}, output);
  return fitted({input[0], input[1], call.flag("bidirectional") ? Axis() : hidden}, output);
}

const OpInfo kGru{"gru",
                  "",
                  "(input: Tensor, hx: Tensor, params: Tensors, has_biases: bool, num_layers: int, dropout: float, "
                  "train: bool, bidirectional: bool, batch_first: bool)",
                  "Runs the gates of nn.GRU over a sequence.",
                  "",
                  gru_op,
                  gru_axes,
                  ElementRule::Composite};

// ---- the layer ----

void check_settings(OpCall& call) {
  const Value dropout = call.value("dropout");
  const double p = call.real("dropout");
  if (dropout.as_bool() || !(p >= 0 && p <= 1)) {
    throw CellError(
        Code::Value, call.span(),
        "dropout should be a number in range [0, 1] representing the probability of an element being zeroed");
  }
}

std::vector<Value> weights_of(const Layer& layer) {
  std::vector<Value> weights;
  for (const auto& item : parameters_of(layer)) weights.push_back(item.second);
  return weights;
}

TensorObject& tensor_argument(const Value& value, const CallArguments& arguments) {
  if (TensorObject* tensor = value.as<TensorObject>()) return *tensor;
  throw CellError(Code::Attribute, arguments.span, fmt::format("'{}' object has no attribute 'dim'", type_name(value)),
                  "the input has to be a tensor");
}

void check_input(const Layer& layer, const Tensor& input, Span span) {
  if (input.dim() != 3) fail(span, fmt::format("input must have 3 dimensions, got {}", input.dim()));
  if (input.size(2) == layer.integer("input_size")) return;
  fail(span, fmt::format("input.size(-1) must be equal to input_size. Expected {}, got {}", layer.integer("input_size"),
                         input.size(2)));
}

void check_hidden(const Shape& wanted, const Tensor& hidden, Span span) {
  if (hidden.shape() == wanted) return;
  fail(span, fmt::format("Expected hidden size ({}, {}, {}), got {}", wanted[0], wanted[1], wanted[2],
                         shape_text(hidden.shape())));
}

// The hidden state that the call brings, with an axis for the batch; None when it brings none.
Value given_hidden(Interpreter& interpreter, const CallArguments& arguments, const Value& hx, bool is_batched) {
  if (hx.is_none()) return {};
  const std::int64_t dims = tensor_argument(hx, arguments).tensor.dim();
  if (is_batched && dims != 3) {
    fail(arguments.span, fmt::format("For batched 3-D input, hx should also be 3-D but got {}-D tensor", dims));
  }
  if (!is_batched && dims != 2) {
    fail(arguments.span, fmt::format("For unbatched 2-D input, hx should also be 2-D but got {}-D tensor", dims));
  }
  return is_batched ? hx : call_layer_op(interpreter, "torch.unsqueeze", arguments, hx, {integer(1)});
}

Value zero_hidden(Interpreter& interpreter, const Layer& layer, const CallArguments& arguments,
                  const TensorObject& input, std::int64_t batch_dim, std::int64_t cells) {
  const auto batch = static_cast<std::size_t>(batch_dim);
  const Value batch_size = make_size(input.tensor.shape(), &input.axes).as<Tuple>()->items[batch];
  const Value sizes = make_tuple({integer(cells), batch_size, *layer.find("hidden_size")});
  return call_layer_op(interpreter, "torch.zeros", arguments, sizes, {},
                       {{"dtype", make<DTypeObject>(input.tensor.dtype())}});
}

Value squeezed(Interpreter& interpreter, const CallArguments& arguments, const Value& tensor, std::int64_t dim) {
  return call_layer_op(interpreter, "torch.squeeze", arguments, tensor, {integer(dim)});
}

}  // namespace

void construct_gru(Layer& layer, OpCall& call) {
  require_float32(call);
  check_settings(call);
  call.interpreter().require_effects("draw random numbers", call.span());
  for (const std::string_view name :
       {"input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional"}) {
    layer.attributes.emplace_back(name, call.value(name));
  }
  const Value input = call.value("input_size"), hidden = call.value("hidden_size");
  const auto cells = init_gru(call.integer("input_size"), call.integer("hidden_size"),
                              {call.integer("num_layers"), call.flag("bias"), call.flag("bidirectional")},
                              call.interpreter().generator());
  for (const GruCellParameters& cell : cells) {
    const bool is_first = cell.suffix == "l0" || cell.suffix == "l0_reverse";
    add_parameter(layer, "weight_ih_" + cell.suffix, cell.weight_ih, {Value(), is_first ? input : hidden});
    add_parameter(layer, "weight_hh_" + cell.suffix, cell.weight_hh, {Value(), hidden});
    if (!call.flag("bias")) continue;
    add_parameter(layer, "bias_ih_" + cell.suffix, cell.bias_ih, {});
    add_parameter(layer, "bias_hh_" + cell.suffix, cell.bias_hh, {});
  }
}

Value forward_gru(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  const std::vector<Value> given = python_arguments("GRU.forward", "(input: any, hx: any? = None)", arguments);
  const bool is_batched = tensor_argument(given[0], arguments).tensor.dim() == 3;
  const std::int64_t batch_dim = layer.flag("batch_first") ? 0 : 1;
  const Value input =
      is_batched ? given[0] : call_layer_op(interpreter, "torch.unsqueeze", arguments, given[0], {integer(batch_dim)});
  Value hidden = given_hidden(interpreter, arguments, given[1], is_batched);
  const TensorObject& sequence = *input.as<TensorObject>();
  check_input(layer, sequence.tensor, arguments.span);
  const std::int64_t cells = layer.integer("num_layers") * (layer.flag("bidirectional") ? 2 : 1);
  if (hidden.is_none()) hidden = zero_hidden(interpreter, layer, arguments, sequence, batch_dim, cells);
  check_hidden({cells, sequence.tensor.size(batch_dim), layer.integer("hidden_size")},
               hidden.as<TensorObject>()->tensor, arguments.span);

  CallArguments call{
      {input, hidden, make_list(weights_of(layer)), *layer.find("bias"), *layer.find("num_layers"),
       *layer.find("dropout"), Value(layer.training), *layer.find("bidirectional"), *layer.find("batch_first")},
      {},
      {arguments.spans.empty() ? arguments.span : arguments.spans[0]},
      arguments.span};
  const Value results = interpreter.call_op(kGru, call);
  if (is_batched) return results;
  const std::vector<Value> items = results.as<Tuple>()->items;
  return make_tuple(
      {squeezed(interpreter, arguments, items[0], batch_dim), squeezed(interpreter, arguments, items[1], 1)});
}

std::string gru_settings(const Layer& layer) {
  std::string out = fmt::format("{}, {}", layer.integer("input_size"), layer.integer("hidden_size"));
  const auto add = [&](std::string_view name, std::string_view usual) {
    const std::string text = repr(*layer.find(name));
    if (text != usual) out += fmt::format(", {}={}", name, text);
  };
  add("num_layers", "1");
  add("bias", "True");
  add("batch_first", "False");
  if (as_real(*layer.find("dropout")).value_or(0) != 0) add("dropout", "");
  add("bidirectional", "False");
  return out;
}

}  // namespace attn
