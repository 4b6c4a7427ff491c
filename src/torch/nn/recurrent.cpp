// The ops of recurrent networks. Their steps are recorded one by one below them.
//
// A step reads one element of the sequence (after its linear map, done for the whole sequence at once) and the state h,
// for LSTM also c. With the gates one after another in the weights:
//   RNN:   h' = tanh(W x + U h)
//   GRU:   reset = sigmoid(Wr x + Ur h)    update = sigmoid(Wu x + Uu h)    new = tanh(Wn x + reset * (Un h))
//          h' = (h - new) * update + new
//   LSTM:  in, forget, out = sigmoid(W x + U h)    cell = tanh(Wc x + Uc h)
//          c' = forget * c + in * cell    h' = out * tanh(c')
// written in the order of operations in which PyTorch does it, so that the digits are the same.
#include "torch/nn/recurrent.h"

#include <algorithm>
#include <deque>

#include "base/diagnostic.h"
#include "nn/init.h"
#include "torch/axis_names.h"

namespace attn {
namespace {

// ---- steps ----

Value linear_step(OpCall& call, const Value& x, const Value& weight, const Value& bias) {
  return call.call("torch.nn.functional.linear", {x, weight, bias});
}

std::vector<Value> chunks(OpCall& call, const Value& gates, std::int64_t count) {
  return call.call("torch.chunk", {gates, int_value(count), int_value(1)}).as<Tuple>()->items;
}

constexpr char kTanh[] = "torch.tanh", kRelu[] = "torch.relu";

template <const char* Activation>
std::vector<Value> rnn_step(OpCall& call, const CellWeights& weights, const Value& x,
                            const std::vector<Value>& states) {
  const Value h = linear_step(call, states[0], weights.weight_hh, weights.bias_hh);
  return {call.call(Activation, {call.call("torch.add", {h, x})})};
}

std::vector<Value> gru_step(OpCall& call, const CellWeights& weights, const Value& gates,
                            const std::vector<Value>& states) {
  const Value& hidden = states[0];
  const auto h = chunks(call, linear_step(call, hidden, weights.weight_hh, weights.bias_hh), 3);
  const auto x = chunks(call, gates, 3);
  const Value reset = call.call("torch.sigmoid", {call.call("torch.add", {h[0], x[0]})});
  const Value update = call.call("torch.sigmoid", {call.call("torch.add", {h[1], x[1]})});
  const Value kept = call.call("torch.mul", {h[2], reset});
  const Value fresh = call.call("torch.tanh", {call.call("torch.add", {x[2], kept})});
  const Value change = call.call("torch.mul", {call.call("torch.sub", {hidden, fresh}), update});
  return {call.call("torch.add", {change, fresh})};
}

std::vector<Value> lstm_step(OpCall& call, const CellWeights& weights, const Value& x,
                             const std::vector<Value>& states) {
  const Value h = linear_step(call, states[0], weights.weight_hh, weights.bias_hh);
  const auto gates = chunks(call, call.call("torch.add", {h, x}), 4);
  const Value in = call.call("torch.sigmoid", {gates[0]});
  const Value forget = call.call("torch.sigmoid", {gates[1]});
  const Value cell = call.call("torch.tanh", {gates[2]});
  const Value out = call.call("torch.sigmoid", {gates[3]});
  const Value kept = call.call("torch.mul", {forget, states[1]}), fresh = call.call("torch.mul", {in, cell});
  const Value memory = call.call("torch.add", {kept, fresh});
  return {call.call("torch.mul", {out, call.call("torch.tanh", {memory})}), memory};
}

constexpr RecurrentKind kRecurrentKinds[] = {{"rnn_tanh", 1, 1, rnn_step<kTanh>},
                                             {"rnn_relu", 1, 1, rnn_step<kRelu>},
                                             {"gru", 3, 1, gru_step},
                                             {"lstm", 4, 2, lstm_step}};

const RecurrentKind& kind_of_op(const OpCall& call) {
  const std::string_view name = call.info().name;
  return *std::find_if(std::begin(kRecurrentKinds), std::end(kRecurrentKinds),
                       [&](const auto& kind) { return name == kind.name || name == std::string(kind.name) + "_cell"; });
}

// ---- sequences ----

struct Outcome {
  Value outputs;              // (steps, batch, hidden)
  std::vector<Value> states;  // (batch, hidden)
};

Outcome run_direction(OpCall& call, const CellWeights& weights, const Value& input, std::vector<Value> states,
                      bool backwards) {
  const Value gates = linear_step(call, input, weights.weight_ih, weights.bias_ih);
  std::vector<Value> steps = call.call("torch.unbind", {gates}).as<Tuple>()->items;
  if (backwards) std::reverse(steps.begin(), steps.end());
  std::vector<Value> outputs;
  for (const Value& step : steps) {
    states = kind_of_op(call).step(call, weights, step, states);
    outputs.push_back(states[0]);
  }
  if (outputs.empty()) {
    throw CellError(Code::Shape, call.span(), "Expected sequence length to be larger than 0 in RNN");
  }
  if (backwards) std::reverse(outputs.begin(), outputs.end());
  return {call.call("torch.stack", {make_list(std::move(outputs))}), states};
}

// What PyTorch calls the last step of the result: but for LSTM the axes are swapped in place there.
void swap_back(OpCall& call, Value& output) {
  output = call.call("torch.transpose", {output, int_value(0), int_value(1)});
  TensorObject& tensor = *output.as<TensorObject>();
  if (!tensor.grad_fn.empty() && kind_of_op(call).states == 1) tensor.grad_fn = "TransposeBackward1";
}

/// The layers one above another; each kind of state is kept per layer and direction.
struct Network {
  OpCall& call;
  std::vector<std::vector<Value>> first, last;  // [h or c][layer and direction]
  std::size_t cells = 0, weights_used = 0;

  CellWeights next_weights() {
    const std::vector<Value>& all = call.value("params").as<List>()->items;
    const std::size_t at = weights_used;
    if (!call.flag("has_biases")) return weights_used += 2, CellWeights{all[at], all[at + 1], {}, {}};
    weights_used += 4;
    return {all[at], all[at + 1], all[at + 2], all[at + 3]};
  }

  Value run_layer(const Value& input, std::int64_t directions) {
    std::vector<Value> outputs;
    for (std::int64_t direction = 0; direction < directions; ++direction, ++cells) {
      std::vector<Value> states;
      for (const auto& state : first) states.push_back(state[cells]);
      const CellWeights weights = next_weights();
      const Outcome outcome = run_direction(call, weights, input, std::move(states), direction == 1);
      outputs.push_back(outcome.outputs);
      for (std::size_t i = 0; i < last.size(); ++i) last[i].push_back(outcome.states[i]);
    }
    return directions == 1 ? outputs[0] : call.call("torch.cat", {make_list(outputs), int_value(2)});
  }
};

Value run_sequence(OpCall& call) {
  const bool batch_first = call.flag("batch_first");
  const std::int64_t layers = call.integer("num_layers");
  const double p = call.real("dropout");
  Network network{call, {}, {}};
  for (const Value& state : call.value("hx").as<List>()->items)
    network.first.push_back(call.call("torch.unbind", {state}).as<Tuple>()->items);
  network.last.resize(network.first.size());
  Value input = call.value("input");
  if (batch_first) input = call.call("torch.transpose", {input, int_value(0), int_value(1)});
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    input = network.run_layer(input, call.flag("bidirectional") ? 2 : 1);
    if (p != 0 && call.flag("train") && layer + 1 < layers)
      input = call.call("torch.nn.functional.dropout", {input, Value(p)});
  }
  if (batch_first) swap_back(call, input);
  std::vector<Value> results = {input};
  for (auto& states : network.last) results.push_back(call.call("torch.stack", {make_list(std::move(states))}));
  return make_tuple(std::move(results));
}

/// output: the axes of the input, with hidden_size for the last; states: (layers, batch, hidden_size).
Axes sequence_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  const Axes& input = call.handle("input").axes;
  const Axis hidden = call.handles("params").at(1)->axes[1];
  if (number > 0) return fitted({{}, input[call.flag("batch_first") ? 0 : 1], hidden}, output);
  return fitted({input[0], input[1], call.flag("bidirectional") ? Axis() : hidden}, output);
}

// ---- cells ----

Value run_cell(OpCall& call) {
  const std::vector<Value>& all = call.value("params").as<List>()->items;
  const bool has_biases = all.size() == 4;
  const CellWeights weights{all[0], all[1], has_biases ? all[2] : Value(), has_biases ? all[3] : Value()};
  const Value gates = linear_step(call, call.value("input"), weights.weight_ih, weights.bias_ih);
  return make_tuple(kind_of_op(call).step(call, weights, gates, call.value("hx").as<List>()->items));
}

Axes cell_axes(const OpCall& call, const Tensor& output, std::size_t) {
  return fitted({call.handle("input").axes[0], call.handles("params").at(1)->axes[1]}, output);
}

OpInfo recurrent_row(std::string_view name, std::string_view signature, std::string_view doc, OpFunction function,
                     AxisRule axes) {
  return {name, "", signature, doc, "", function, axes, ElementRule::Composite};
}

const OpInfo& row_of(const std::deque<OpInfo>& rows, const RecurrentKind& kind) {
  return rows[static_cast<std::size_t>(&kind - std::begin(kRecurrentKinds))];
}

}  // namespace

const RecurrentKind& rnn_kind(bool is_relu) { return kRecurrentKinds[is_relu ? 1 : 0]; }
const RecurrentKind& gru_kind() { return kRecurrentKinds[2]; }
const RecurrentKind& lstm_kind() { return kRecurrentKinds[3]; }

const OpInfo& sequence_op(const RecurrentKind& kind) {
  static const std::deque<OpInfo> rows = [] {
    std::deque<OpInfo> made;
    for (const RecurrentKind& each : kRecurrentKinds) {
      made.push_back(
          recurrent_row(each.name,
                        "(input: Tensor, hx: Tensors, params: Tensors, has_biases: bool, num_layers: int, dropout: "
                        "float, train: bool, bidirectional: bool, batch_first: bool)",
                        "Runs a recurrent network over a sequence.", run_sequence, sequence_axes));
    }
    return made;
  }();
  return row_of(rows, kind);
}

const OpInfo& cell_op(const RecurrentKind& kind) {
  static const std::string names[] = {"rnn_tanh_cell", "rnn_relu_cell", "gru_cell", "lstm_cell"};
  static const std::deque<OpInfo> rows = [] {
    std::deque<OpInfo> made;
    for (const std::string& name : names) {
      made.push_back(recurrent_row(name, "(input: Tensor, hx: Tensors, params: Tensors)",
                                   "One step of a recurrent network.", run_cell, cell_axes));
    }
    return made;
  }();
  return row_of(rows, kind);
}

void add_cell_parameters(Layer& layer, const RecurrentCellParameters& cell, const Value& input, const Value& hidden,
                         bool keeps_missing) {
  const std::string suffix = cell.suffix.empty() ? "" : "_" + cell.suffix;
  add_parameter(layer, "weight_ih" + suffix, cell.weight_ih, {Value(), input});
  add_parameter(layer, "weight_hh" + suffix, cell.weight_hh, {Value(), hidden});
  if (!cell.bias_ih.defined() && !keeps_missing) return;
  add_parameter(layer, "bias_ih" + suffix, cell.bias_ih, {});
  add_parameter(layer, "bias_hh" + suffix, cell.bias_hh, {});
}

}  // namespace attn
