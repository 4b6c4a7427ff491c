// Rows of layers: nn.RNN, GRU, LSTM. They check what they are given and call the op of their kind (recurrent.h).
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "nn/init.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/nn/recurrent.h"

namespace attn {
namespace {

[[noreturn]] void refuse_shape(Span span, std::string message) {
  throw CellError(Code::Shape, span, std::move(message));
}

const RecurrentKind& sequence_kind(const Layer& layer) {
  if (layer.info->name == "LSTM") return lstm_kind();
  if (layer.info->name == "GRU") return gru_kind();
  return rnn_kind(setting_text(layer, "nonlinearity") == "'relu'");
}

// ---- making one ----

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
  require_float32(call);
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
  const auto cells = init_recurrent(sequence_kind(layer).gates, call.integer("input_size"), call.integer("hidden_size"),
                                    {call.integer("num_layers"), call.flag("bias"), call.flag("bidirectional")},
                                    call.interpreter().generator());
  for (const RecurrentCellParameters& cell : cells) {
    const bool is_first = cell.suffix == "l0" || cell.suffix == "l0_reverse";
    add_cell_parameters(layer, cell, is_first ? input : hidden, hidden, false);
  }
}

// ---- calling one ----

std::vector<Value> weights_of(const Layer& layer) {
  std::vector<Value> weights;
  for (const LayerMember& member : layer.attributes) {
    if (member.role == Role::Parameter && member.value.as<TensorObject>()) weights.push_back(member.value);
  }
  return weights;
}

void check_sequence(const Layer& layer, const Tensor& input, Span span) {
  if (input.dim() != 3) refuse_shape(span, fmt::format("input must have 3 dimensions, got {}", input.dim()));
  if (input.size(2) == layer.integer("input_size")) return;
  refuse_shape(span, fmt::format("input.size(-1) must be equal to input_size. Expected {}, got {}",
                                 layer.integer("input_size"), input.size(2)));
}

void check_states(const Shape& wanted, const std::vector<Value>& states, Span span) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Tensor& state = states[i].as<TensorObject>()->tensor;
    if (state.shape() == wanted) continue;
    refuse_shape(span, fmt::format("Expected hidden{} size ({}, {}, {}), got {}",
                                   states.size() == 1 ? "" : fmt::format("[{}]", i), wanted[0], wanted[1], wanted[2],
                                   shape_text(state.shape())));
  }
}

void check_state_dims(const std::vector<std::int64_t>& dims, bool is_batched, Span span) {
  const std::int64_t wanted = is_batched ? 3 : 2;
  if (std::all_of(dims.begin(), dims.end(), [&](std::int64_t d) { return d == wanted; })) return;
  const std::string_view which = is_batched ? "batched 3-D" : "unbatched 2-D";
  if (dims.size() == 1) {
    refuse_shape(span, fmt::format("For {} input, hx should also be {}-D but got {}-D tensor", which, wanted, dims[0]));
  }
  refuse_shape(span, fmt::format("For {} input, hx and cx should also be {}-D but got ({}-D, {}-D) tensors", which,
                                 wanted, dims[0], dims[1]));
}

// The states that the call brings, with an axis for the batch; none when it brings none.
std::vector<Value> given_states(Interpreter& interpreter, const CallArguments& arguments, const RecurrentKind& kind,
                                const Value& hx, bool is_batched) {
  if (hx.is_none()) return {};
  const std::vector<Value> states =
      kind.states == 1 ? std::vector<Value>{hx} : interpreter.to_vector(hx, arguments.span);
  if (states.size() < kind.states) {
    throw CellError(Code::Index, arguments.span,
                    hx.as<TensorObject>() ? fmt::format("index {} is out of bounds for dimension 0 with size {}",
                                                        states.size(), states.size())
                                          : std::string("tuple index out of range"),
                    say("mistake.lstm"));
  }
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < kind.states; ++i)
    dims.push_back(tensor_argument(states[i], arguments.span, "mistake.input").tensor.dim());
  check_state_dims(dims, is_batched, arguments.span);
  std::vector<Value> out;
  for (std::size_t i = 0; i < kind.states; ++i) {
    out.push_back(is_batched ? states[i]
                             : call_layer_op(interpreter, "torch.unsqueeze", arguments, states[i], {int_value(1)}));
  }
  return out;
}

Value zero_state(Interpreter& interpreter, const Layer& layer, const CallArguments& arguments,
                 const TensorObject& input, std::int64_t batch_dim, std::int64_t cells) {
  const auto batch = static_cast<std::size_t>(batch_dim);
  const Value batch_size = make_size(input.tensor.shape(), &input.axes).as<Tuple>()->items[batch];
  const Value sizes = make_tuple({int_value(cells), batch_size, setting(layer, "hidden_size")});
  return call_layer_op(interpreter, "torch.zeros", arguments, sizes, {},
                       {{"dtype", make<DTypeObject>(input.tensor.dtype())}});
}

// (output, h) of RNN and GRU, (output, (h, c)) of LSTM
Value bundled(std::vector<Value> results) {
  if (results.size() == 2) return make_tuple(std::move(results));
  return make_tuple({results[0], make_tuple({results[1], results[2]})});
}

Value forward_recurrent(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  const RecurrentKind& kind = sequence_kind(layer);
  const std::vector<Value> given =
      python_arguments(std::string(layer.info->name) + ".forward", "(input: any, hx: any? = None)", arguments);
  const bool is_batched = tensor_argument(given[0], arguments.span, "mistake.input").tensor.dim() == 3;
  const std::int64_t batch_dim = layer.flag("batch_first") ? 0 : 1;
  const Value input = is_batched
                          ? given[0]
                          : call_layer_op(interpreter, "torch.unsqueeze", arguments, given[0], {int_value(batch_dim)});
  std::vector<Value> states = given_states(interpreter, arguments, kind, given[1], is_batched);
  const TensorObject& sequence = *input.as<TensorObject>();
  check_sequence(layer, sequence.tensor, arguments.span);
  const std::int64_t cells = layer.integer("num_layers") * (layer.flag("bidirectional") ? 2 : 1);
  while (states.size() < kind.states)
    states.push_back(zero_state(interpreter, layer, arguments, sequence, batch_dim, cells));
  check_states({cells, sequence.tensor.size(batch_dim), layer.integer("hidden_size")}, states, arguments.span);

  CallArguments call{{input, make_list(states), make_list(weights_of(layer)), setting(layer, "bias"),
                      setting(layer, "num_layers"), setting(layer, "dropout"), Value(layer.training),
                      setting(layer, "bidirectional"), setting(layer, "batch_first")},
                     {},
                     {arguments.spans.empty() ? arguments.span : arguments.spans[0]},
                     arguments.span};
  std::vector<Value> results = interpreter.call_op(sequence_op(kind), call).as<Tuple>()->items;
  for (std::size_t i = 0; i < results.size() && !is_batched; ++i) {
    results[i] =
        call_layer_op(interpreter, "torch.squeeze", arguments, results[i], {int_value(i == 0 ? batch_dim : 1)});
  }
  return bundled(std::move(results));
}

std::string recurrent_settings(const Layer& layer) {
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

#define ATTN_RECURRENT                                                                                               \
  "(input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: " \
  "float = 0.0, bidirectional: bool = False, "
constexpr std::string_view kGru = ATTN_RECURRENT "device: device? = None, dtype: dtype? = None)",
                           kLstm = ATTN_RECURRENT "proj_size: int = 0, device: device? = None, dtype: dtype? = None)",
                           kRnn = ATTN_RECURRENT
                           "*, nonlinearity: str = 'tanh', device: device? = None, dtype: dtype? = None)";
#undef ATTN_RECURRENT

constexpr LayerInfo kRecurrentLayers[] = {
    {"RNN", "torch.nn.modules.rnn.RNN", kRnn,
     "A recurrent network: reads a sequence step by step, h = tanh(W x + U h).",
     "torch.manual_seed(0)\nrnn = nn.RNN(3, 4, batch_first=True)\noutput, h_n = rnn(torch.ones(2, 5, 3))",
     construct_recurrent, forward_recurrent, recurrent_settings},
    {"GRU", "torch.nn.modules.rnn.GRU", kGru,
     "A gated recurrent network: reads a sequence step by step, keeping a hidden state.",
     "torch.manual_seed(0)\nrnn = nn.GRU(3, 4, batch_first=True)\noutput, h_n = rnn(torch.ones(2, 5, 3))",
     construct_recurrent, forward_recurrent, recurrent_settings},
    {"LSTM", "torch.nn.modules.rnn.LSTM", kLstm, "A recurrent network with a memory cell beside its hidden state.",
     "torch.manual_seed(0)\nrnn = nn.LSTM(3, 4, batch_first=True)\noutput, (h_n, c_n) = rnn(torch.ones(2, 5, 3))",
     construct_recurrent, forward_recurrent, recurrent_settings},
};

}  // namespace

std::span<const LayerInfo> recurrent_layers() { return kRecurrentLayers; }

}  // namespace attn
