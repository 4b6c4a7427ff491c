#pragma once
// What nn.RNN, GRU and LSTM and their cells share: the steps through a sequence, as ops.
#include <string_view>
#include <vector>

#include "torch/nn/layer_call.h"

namespace attn {

/// Parameters of one layer in one direction; biases are None without.
struct CellWeights {
  Value weight_ih, weight_hh, bias_ih, bias_hh;
};

/// A kind of recurrent network.
struct RecurrentKind {
  std::string_view name;  // "gru": of the op
  std::int64_t gates;     // rows of the weights per hidden unit
  std::size_t states;     // that go from step to step: h, for LSTM also c
  /// The states after a step. `gates_of_input`: the linear map of the input, (batch, gates * hidden).
  std::vector<Value> (*step)(OpCall& call, const CellWeights& weights, const Value& gates_of_input,
                             const std::vector<Value>& states);
};

const RecurrentKind& rnn_kind(bool is_relu);
const RecurrentKind& gru_kind();
const RecurrentKind& lstm_kind();

/// The op that runs a whole sequence: (input, hx, params, has_biases, num_layers, dropout, train, bidirectional,
/// batch_first) -> (output, final states...). `hx`: a list of the states, each (layers * directions, batch, hidden).
const OpInfo& sequence_op(const RecurrentKind& kind);

/// The op of one step: (input, hx, params) -> the states.
const OpInfo& cell_op(const RecurrentKind& kind);

/// Adds weight_ih, weight_hh, bias_ih, bias_hh with the suffix of a layer of the network. A bias that is missing is
/// None for cells and not there at all for networks.
struct RecurrentCellParameters;
void add_cell_parameters(Layer& layer, const RecurrentCellParameters& cell, const Value& input, const Value& hidden,
                         bool keeps_missing);

}  // namespace attn
