// Rows of layers: nn.RNNCell, GRUCell, LSTMCell, one step of a recurrent network.
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "nn/init.h"
#include "text/say.h"
#include "torch/nn/recurrent.h"

namespace attn {
namespace {

const RecurrentKind& cell_kind(const Layer& layer, Span span) {
  if (layer.info->name == "LSTMCell") return lstm_kind();
  if (layer.info->name == "GRUCell") return gru_kind();
  const std::string name = str(setting(layer, "nonlinearity"));
  if (name != "tanh" && name != "relu") throw CellError(Code::Shape, span, "Unknown nonlinearity: " + name);
  return rnn_kind(name == "relu");
}

std::int64_t gates_of(const Layer& layer) {
  return layer.info->name == "LSTMCell" ? 4 : layer.info->name == "GRUCell" ? 3 : 1;
}

void construct_cell(Layer& layer, OpCall& call) {
  require_float32(call);
  call.interpreter().require_effects("wrong_cell.draw", call.span());
  keep(layer, call, {"input_size", "hidden_size"});
  const RecurrentCellParameters made =
      init_recurrent_cell("", gates_of(layer), call.integer("input_size"), call.integer("hidden_size"),
                          call.flag("bias"), call.interpreter().generator());
  keep(layer, call, {"bias"});
  add_cell_parameters(layer, made, call.value("input_size"), call.value("hidden_size"), true);
  if (call.takes("nonlinearity")) keep(layer, call, {"nonlinearity"});
}

const Tensor& checked_input(const Layer& layer, const Value& input, Span span) {
  const TensorObject* tensor = input.as<TensorObject>();
  if (!tensor)
    throw CellError(Code::Attribute, span, fmt::format("'{}' object has no attribute 'dim'", type_name(input)));
  const std::int64_t dims = tensor->tensor.dim();
  if (dims == 1 || dims == 2) return tensor->tensor;
  throw CellError(Code::Assertion, span,
                  fmt::format("{}: Expected input to be 1-D or 2-D but received {}-D tensor", layer.info->name, dims));
}

void check_sizes(const Layer& layer, const Tensor& input, const std::vector<Value>& states, Span span) {
  const auto fail = [&](std::string text) { throw CellError(Code::Shape, span, std::move(text)); };
  if (input.size(1) != layer.integer("input_size")) {
    fail(fmt::format("input has inconsistent input_size: got {} expected {}", input.size(1),
                     layer.integer("input_size")));
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    const TensorObject* state = states[i].as<TensorObject>();
    if (!state || state->tensor.dim() != 2) fail(say("argument.hx"));
    if (state->tensor.size(0) != input.size(0)) {
      fail(fmt::format("Input batch size {} doesn't match hidden{} batch size {}", input.size(0), i,
                       state->tensor.size(0)));
    }
    if (state->tensor.size(1) != layer.integer("hidden_size")) {
      fail(fmt::format("hidden{} has inconsistent hidden_size: got {}, expected {}", i, state->tensor.size(1),
                       layer.integer("hidden_size")));
    }
  }
}

Value forward_cell(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  const std::vector<Value> given =
      python_arguments(std::string(layer.info->name) + ".forward", "(input: any, hx: any? = None)", arguments);
  const RecurrentKind& kind = cell_kind(layer, arguments.span);
  const bool is_batched = checked_input(layer, given[0], arguments.span).dim() == 2;
  const auto batched = [&](const Value& value) {
    return is_batched ? value : call_layer_op(interpreter, "torch.unsqueeze", arguments, value, {int_value(0)});
  };
  const Value input = batched(given[0]);
  std::vector<Value> states;
  if (!given[1].is_none()) {
    states = kind.states == 1 ? std::vector<Value>{given[1]} : interpreter.to_vector(given[1], arguments.span);
    for (Value& state : states) state = batched(state);
  } else {
    const TensorObject& tensor = *input.as<TensorObject>();
    const Value batch = make_size(tensor.tensor.shape(), &tensor.axes).as<Tuple>()->items[0];
    const Value zeros =
        call_layer_op(interpreter, "torch.zeros", arguments, make_tuple({batch, setting(layer, "hidden_size")}), {},
                      {{"dtype", make<DTypeObject>(tensor.tensor.dtype())}});
    states.assign(kind.states, zeros);
  }
  check_sizes(layer, input.as<TensorObject>()->tensor, states, arguments.span);

  std::vector<Value> weights = {setting(layer, "weight_ih"), setting(layer, "weight_hh")};
  if (!setting(layer, "bias_ih").is_none()) {
    weights.push_back(setting(layer, "bias_ih"));
    weights.push_back(setting(layer, "bias_hh"));
  }
  const CallArguments call{{input, make_list(states), make_list(std::move(weights))}, {}, {}, arguments.span};
  std::vector<Value> results = interpreter.call_op(cell_op(kind), call).as<Tuple>()->items;
  for (Value& result : results) {
    if (!is_batched) result = call_layer_op(interpreter, "torch.squeeze", arguments, result, {int_value(0)});
  }
  return results.size() == 1 ? results[0] : make_tuple(std::move(results));
}

std::string cell_settings(const Layer& layer) {
  std::string out = setting_text(layer, "input_size") + ", " + setting_text(layer, "hidden_size");
  if (setting_text(layer, "bias") != "True") out += ", bias=" + setting_text(layer, "bias");
  const Value* nonlinearity = layer.find("nonlinearity");
  if (nonlinearity && str(*nonlinearity) != "tanh") out += ", nonlinearity=" + str(*nonlinearity);
  return out;
}

constexpr std::string_view kCell =
    "(input_size: int, hidden_size: int, bias: bool = True, device: device? = None, dtype: dtype? = None)";

constexpr LayerInfo kRecurrentCells[] = {
    {"RNNCell", "torch.nn.modules.rnn.RNNCell",
     "(input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = 'tanh', device: device? = None, "
     "dtype: dtype? = None)",
     "One step of nn.RNN.", "torch.manual_seed(0)\ncell = nn.RNNCell(3, 4)\nh = cell(torch.ones(2, 3))", construct_cell,
     forward_cell, cell_settings},
    {"GRUCell", "torch.nn.modules.rnn.GRUCell", kCell, "One step of nn.GRU.",
     "torch.manual_seed(0)\ncell = nn.GRUCell(3, 4)\nh = cell(torch.ones(2, 3))", construct_cell, forward_cell,
     cell_settings},
    {"LSTMCell", "torch.nn.modules.rnn.LSTMCell", kCell, "One step of nn.LSTM.",
     "torch.manual_seed(0)\ncell = nn.LSTMCell(3, 4)\nh, c = cell(torch.ones(2, 3))", construct_cell, forward_cell,
     cell_settings},
};

}  // namespace

std::span<const LayerInfo> recurrent_cells() { return kRecurrentCells; }

}  // namespace attn
