// Rows of layers: nn.RNN, GRU, LSTM and their cells, and of the ops that they call; both run in src/lib/rnn.py. A layer
// is made here.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "nn/init.h"
#include "text/unsupported.h"
#include "torch/axis_names.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

// ---- ops ----

constexpr char kRnnFile[] = "rnn";

/// output: the axes of the input, with hidden_size for the last; states: (layers, batch, hidden_size).
Axes sequence_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  const Axes& input = call.handle("input").axes;
  const Axis hidden = call.handles("params").at(1)->axes[1];
  if (call.has("batch_sizes")) return fitted({}, output);
  if (number > 0) return fitted({{}, input[call.flag("batch_first") ? 0 : 1], hidden}, output);
  return fitted({input[0], input[1], call.flag("bidirectional") ? Axis() : hidden}, output);
}

Axes cell_axes(const OpCall& call, const Tensor& output, std::size_t) {
  return fitted({call.handle("input").axes[0], call.handles("params").at(1)->axes[1]}, output);
}

constexpr OpInfo sequence_row(std::string_view name) {
  return OpInfo(
      "",
      "(input: Tensor, hx: Tensors, params: Tensors, has_biases: bool, num_layers: int, dropout: float, train: bool, "
      "bidirectional: bool, batch_first: bool, batch_sizes: any? = None)",
      "Runs a recurrent network over a sequence.", "", library_op<kRnnFile>,
      {.name = name, .axes = sequence_axes, .element = ElementRule::Composite});
}

constexpr OpInfo cell_row(std::string_view name) {
  return OpInfo("", "(input: Tensor, hx: Tensors, params: Tensors)", "One step of a recurrent network.", "",
                library_op<kRnnFile>, {.name = name, .axes = cell_axes, .element = ElementRule::Composite});
}

constexpr OpInfo kRecurrentOps[] = {
    sequence_row("rnn_tanh"),  sequence_row("rnn_relu"),  sequence_row("gru"),  sequence_row("lstm"),
    cell_row("rnn_tanh_cell"), cell_row("rnn_relu_cell"), cell_row("gru_cell"), cell_row("lstm_cell"),
};

// ---- making a layer ----

std::int64_t gates_of(const Layer& layer) {
  return layer.info->name.starts_with("LSTM") ? 4 : layer.info->name.starts_with("GRU") ? 3 : 1;
}

// Adds weight_ih, weight_hh, bias_ih, bias_hh with the suffix of a layer of the network. A bias that is missing is None
// for cells and not there at all for networks.
void add_cell_parameters(Layer& layer, const RecurrentCellParameters& cell, const Value& input, const Value& hidden,
                         bool keeps_missing) {
  const std::string suffix = cell.suffix.empty() ? "" : "_" + cell.suffix;
  add_parameter(layer, "weight_ih" + suffix, cell.weight_ih, {Value(), input});
  add_parameter(layer, "weight_hh" + suffix, cell.weight_hh, {Value(), hidden});
  if (!cell.bias_ih.defined() && !keeps_missing) return;
  add_parameter(layer, "bias_ih" + suffix, cell.bias_ih, {});
  add_parameter(layer, "bias_hh" + suffix, cell.bias_hh, {});
}

void check_recurrent_settings(OpCall& call) {
  const Value& dropout = call.value("dropout");
  const double p = call.real("dropout");
  if (dropout.as_bool() || !(p >= 0 && p <= 1)) {
    throw CellError(
        Code::Value, call.span(),
        "dropout should be a number in range [0, 1] representing the probability of an element being zeroed");
  }
  if (call.takes("proj_size") && call.integer("proj_size") != 0) {
    throw unsupported(call.span(), "unsupported.layer.proj_size");
  }
}

void construct_recurrent(Layer& layer, OpCall& call) {
  if (call.takes("nonlinearity")) {
    keep(layer, call, {"nonlinearity"});
    const std::string text = setting_text(layer, "nonlinearity");
    if (text != "'tanh'" && text != "'relu'") throw CellError(Code::Value, call.span(), "Unknown nonlinearity " + text);
  }
  check_recurrent_settings(call);
  call.interpreter().require_effects("wrong_cell.draw", call.span());
  keep(layer, call, {"input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional"});
  layer.set("dropout", Value(call.real("dropout")));
  const Value input = call.value("input_size"), hidden = call.value("hidden_size");
  init_recurrent(gates_of(layer), call.integer("input_size"), call.integer("hidden_size"),
                 {call.integer("num_layers"), call.flag("bias"), call.flag("bidirectional")},
                 call.interpreter().generator(), [&](const RecurrentCellParameters& cell) {
                   const bool is_first = cell.suffix == "l0" || cell.suffix == "l0_reverse";
                   add_cell_parameters(layer, cell, is_first ? input : hidden, hidden, false);
                 });
}

void construct_cell(Layer& layer, OpCall& call) {
  call.interpreter().require_effects("wrong_cell.draw", call.span());
  keep(layer, call, {"input_size", "hidden_size"});
  const RecurrentCellParameters made =
      init_recurrent_cell("", gates_of(layer), call.integer("input_size"), call.integer("hidden_size"),
                          call.flag("bias"), call.interpreter().generator());
  keep(layer, call, {"bias"});
  add_cell_parameters(layer, made, call.value("input_size"), call.value("hidden_size"), true);
  if (call.takes("nonlinearity")) keep(layer, call, {"nonlinearity"});
}

// ---- rows ----

#define ATTN_RECURRENT                                                                                               \
  "(input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: " \
  "float = 0.0, bidirectional: bool = False, "
constexpr std::string_view kGru = ATTN_RECURRENT "device: device? = None, dtype: dtype? = None)",
                           kLstm = ATTN_RECURRENT "proj_size: int = 0, device: device? = None, dtype: dtype? = None)",
                           kRnn = ATTN_RECURRENT
                           "*, nonlinearity: str = 'tanh', device: device? = None, dtype: dtype? = None)";
#undef ATTN_RECURRENT

constexpr std::string_view kCell =
    "(input_size: int, hidden_size: int, bias: bool = True, device: device? = None, dtype: dtype? = None)";

constexpr LayerInfo kRecurrentLayers[] = {
    {"RNN", "torch.nn.modules.rnn.RNN", kRnn,
     "A recurrent network: reads a sequence step by step, h = tanh(W x + U h).",
     "torch.manual_seed(0)\nrnn = nn.RNN(3, 4, batch_first=True)\noutput, h_n = rnn(torch.ones(2, 5, 3))",
     construct_recurrent, nullptr, nullptr, "rnn"},
    {"GRU", "torch.nn.modules.rnn.GRU", kGru,
     "A gated recurrent network: reads a sequence step by step, keeping a hidden state.",
     "torch.manual_seed(0)\nrnn = nn.GRU(3, 4, batch_first=True)\noutput, h_n = rnn(torch.ones(2, 5, 3))",
     construct_recurrent, nullptr, nullptr, "rnn"},
    {"LSTM", "torch.nn.modules.rnn.LSTM", kLstm, "A recurrent network with a memory cell beside its hidden state.",
     "torch.manual_seed(0)\nrnn = nn.LSTM(3, 4, batch_first=True)\noutput, (h_n, c_n) = rnn(torch.ones(2, 5, 3))",
     construct_recurrent, nullptr, nullptr, "rnn"},
    {"RNNCell", "torch.nn.modules.rnn.RNNCell",
     "(input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = 'tanh', device: device? = None, "
     "dtype: dtype? = None)",
     "One step of nn.RNN.", "torch.manual_seed(0)\ncell = nn.RNNCell(3, 4)\nh = cell(torch.ones(2, 3))", construct_cell,
     nullptr, nullptr, "rnn"},
    {"GRUCell", "torch.nn.modules.rnn.GRUCell", kCell, "One step of nn.GRU.",
     "torch.manual_seed(0)\ncell = nn.GRUCell(3, 4)\nh = cell(torch.ones(2, 3))", construct_cell, nullptr, nullptr,
     "rnn"},
    {"LSTMCell", "torch.nn.modules.rnn.LSTMCell", kCell, "One step of nn.LSTM.",
     "torch.manual_seed(0)\ncell = nn.LSTMCell(3, 4)\nh, c = cell(torch.ones(2, 3))", construct_cell, nullptr, nullptr,
     "rnn"},
};

}  // namespace

std::span<const OpInfo> recurrent_ops() { return kRecurrentOps; }
std::span<const LayerInfo> recurrent_layers() { return kRecurrentLayers; }

}  // namespace attn
