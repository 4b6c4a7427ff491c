// Rows of layers: nn.Conv1d and Conv2d.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "nn/init.h"
#include "text/unsupported.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

std::size_t dims_of(const Layer& layer) { return layer.info->name == "Conv1d" ? 1 : 2; }

[[noreturn]] void refuse_setting(const OpCall& call, std::string text) {
  throw CellError(Code::Value, call.span(), std::move(text));
}

// 3 -> (3, 3)
Value per_dimension(const Layer& layer, const Value& given) {
  if (given.as<Tuple>() || given.as<Str>()) return given;
  if (given.as<List>()) return make_tuple(given.as<List>()->items);
  return make_tuple(std::vector<Value>(dims_of(layer), given));
}

bool is_all(const Value& sizes, std::int64_t number) {
  const std::vector<Value>& items = sizes.as<Tuple>()->items;
  return std::all_of(items.begin(), items.end(), [&](const Value& item) { return as_index(item) == number; });
}

void check_conv_settings(const Layer& layer, const OpCall& call) {
  const std::int64_t groups = call.integer("groups");
  if (groups <= 0) refuse_setting(call, "groups must be a positive integer");
  if (call.integer("in_channels") % groups != 0) refuse_setting(call, "in_channels must be divisible by groups");
  if (call.integer("out_channels") % groups != 0) refuse_setting(call, "out_channels must be divisible by groups");
  const Str* padding = call.value("padding").as<Str>();
  if (padding && padding->text != "same" && padding->text != "valid") {
    refuse_setting(call,
                   fmt::format("Invalid padding string '{}', should be one of {{'valid', 'same'}}", padding->text));
  }
  if (padding && padding->text == "same" && !is_all(setting(layer, "stride"), 1)) {
    refuse_setting(call, "padding='same' is not supported for strided convolutions");
  }
  if (str(call.value("padding_mode")) != "zeros") {
    throw unsupported(call.span(), "unsupported.layer.padding_mode", {{"mode", repr(call.value("padding_mode"))}});
  }
}

std::int64_t kernel_length(const OpCall& call, const Value& size, std::size_t place) {
  if (const auto length = as_index(size)) return *length;
  throw CellError(
      Code::Type, call.span(),
      fmt::format("empty(): argument 'size' must be tuple of SymInts, but found element of type {} at pos {}",
                  type_name(size), place));
}

void construct_conv(Layer& layer, OpCall& call) {
  keep(layer, call, {"in_channels", "out_channels"});
  for (const std::string_view name : {"kernel_size", "stride", "padding", "dilation"})
    layer.add(name, per_dimension(layer, call.value(name)), Role::Setting);
  keep(layer, call, {"groups", "padding_mode"});
  check_conv_settings(layer, call);
  call.interpreter().require_effects("wrong_cell.draw", call.span());
  Shape shape = {call.integer("out_channels"), call.integer("in_channels") / call.integer("groups")};
  std::vector<Value> sizes = {call.value("out_channels"),
                              call.integer("groups") == 1 ? call.value("in_channels") : Value()};
  for (const Value& size : setting(layer, "kernel_size").as<Tuple>()->items) {
    shape.push_back(kernel_length(call, size, shape.size() + 1));
    sizes.emplace_back();
  }
  const ConvParameters made = init_conv(shape, call.flag("bias"), call.interpreter().generator());
  add_parameter(layer, "weight", made.weight, sizes);
  add_parameter(layer, "bias", made.bias, {call.value("out_channels")});
}

Value forward_conv(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  const std::string op = dims_of(layer) == 1 ? "torch.nn.functional.conv1d" : "torch.nn.functional.conv2d";
  return call_layer_op(interpreter, op, arguments, only_input(layer, arguments),
                       {setting(layer, "weight"), setting(layer, "bias"), setting(layer, "stride"),
                        setting(layer, "padding"), setting(layer, "dilation"), setting(layer, "groups")});
}

std::string conv_settings(const Layer& layer) {
  std::string out = fmt::format("{}, {}, kernel_size={}, stride={}", setting_text(layer, "in_channels"),
                                setting_text(layer, "out_channels"), setting_text(layer, "kernel_size"),
                                setting_text(layer, "stride"));
  const Value& padding = setting(layer, "padding");
  if (padding.as<Str>() || !is_all(padding, 0)) out += ", padding=" + str(padding);
  if (!is_all(setting(layer, "dilation"), 1)) out += ", dilation=" + setting_text(layer, "dilation");
  if (layer.integer("groups") != 1) out += ", groups=" + setting_text(layer, "groups");
  if (setting(layer, "bias").is_none()) out += ", bias=False";
  return out;
}

constexpr std::string_view kConvSignature =
    "(in_channels: int, out_channels: int, kernel_size: any, stride: any = 1, padding: any = 0, dilation: any = 1, "
    "groups: int = 1, bias: bool = True, padding_mode: str = 'zeros', device: device? = None, dtype: dtype? = None)";

constexpr LayerInfo kConvLayers[] = {
    {"Conv1d", "torch.nn.modules.conv.Conv1d", kConvSignature, "A window of learned weights slid along sequences.",
     "torch.manual_seed(0)\nconv = nn.Conv1d(2, 3, kernel_size=3, padding=1)\nconv(torch.ones(1, 2, 5))",
     construct_conv, forward_conv, conv_settings},
    {"Conv2d", "torch.nn.modules.conv.Conv2d", kConvSignature,
     "A window of learned weights slid over images; with stride equal to its size it maps patches.",
     "torch.manual_seed(0)\nconv = nn.Conv2d(3, 4, kernel_size=2, stride=2)\nconv(torch.ones(1, 3, 4, 4))",
     construct_conv, forward_conv, conv_settings},
};

}  // namespace

std::span<const LayerInfo> conv_layers() { return kConvLayers; }

}  // namespace attn
