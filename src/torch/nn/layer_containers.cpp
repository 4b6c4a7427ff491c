// Layers that hold layers or parameters: nn.Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict. Their
// rows, and what len() and loops do with them; the rest is in src/lib/containers.py.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/exceptions.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"

namespace attn {

std::vector<LayerMember> held(const Layer& layer) {
  std::vector<LayerMember> out;
  const bool holds_parameters = layer.info->name == "ParameterList", holds_all = layer.info->name == "ParameterDict";
  for (const LayerMember& member : layer.attributes) {
    const bool is_number =
        std::all_of(member.name.begin(), member.name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (holds_all || (holds_parameters ? is_number : member.role == Role::Child)) out.push_back(member);
  }
  return out;
}

bool has_keys(const Layer& layer) { return layer.info->name == "ModuleDict" || layer.info->name == "ParameterDict"; }

bool is_container(const Layer& layer) { return layer.info->file == "containers"; }

std::vector<Value> container_items(const Layer& layer) {
  std::vector<Value> out;
  for (const LayerMember& item : held(layer)) out.push_back(has_keys(layer) ? make_str(item.name) : item.value);
  return out;
}

Value call_container(Interpreter& interpreter, const Ref<Layer>& layer, std::string_view method,
                     std::vector<Value> arguments, Span span) {
  arguments.insert(arguments.begin(), layer);
  const Value function =
      library_function(interpreter, layer->info->file, fmt::format("{}.{}", layer->info->name, method));
  return interpreter.call(function, std::move(arguments), span);
}

namespace {

Value forward_sequential(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  const NestedLevel level(kWhileCalling);
  check_stack();
  look();
  Value value = only_input(layer, arguments);
  const Span input_span = arguments.spans.empty() ? arguments.span : arguments.spans[0];
  for (const LayerMember& child : held(layer)) {
    charge(1);
    value = interpreter.call(child.value, {{value}, {}, {input_span}, arguments.span});
  }
  return value;
}

Value forward_parameters(Interpreter&, Layer& layer, CallArguments& arguments) {
  throw CellError(Code::Runtime, arguments.span, fmt::format("{} should not be called.", layer.info->name));
}

constexpr LayerInfo kContainerLayers[] = {
    {"Sequential", "torch.nn.modules.container.Sequential", "(*args: any)", "Layers one after another.",
     "torch.manual_seed(0)\nfeed_forward = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 2))\n"
     "feed_forward(torch.ones(3, 2))",
     nullptr, forward_sequential, no_settings, "containers"},
    {"ModuleList", "torch.nn.modules.container.ModuleList", "(modules: any? = None)", "A list of layers.",
     "torch.manual_seed(0)\nlayers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])\nlen(layers)", nullptr,
     forward_missing, no_settings, "containers"},
    {"ModuleDict", "torch.nn.modules.container.ModuleDict", "(modules: any? = None)", "Layers by name.",
     "torch.manual_seed(0)\nlayers = nn.ModuleDict({'up': nn.Linear(2, 4)})\nlayers['up'](torch.ones(2))", nullptr,
     forward_missing, no_settings, "containers"},
    {"ParameterList", "torch.nn.modules.container.ParameterList", "(values: any? = None)", "A list of parameters.",
     "scales = nn.ParameterList([nn.Parameter(torch.ones(2)) for _ in range(3)])\nlen(scales)", nullptr,
     forward_parameters, nullptr, "containers"},
    {"ParameterDict", "torch.nn.modules.container.ParameterDict", "(parameters: any? = None)", "Parameters by name.",
     "scales = nn.ParameterDict({'up': torch.ones(2)})\nscales['up']", nullptr, forward_parameters, nullptr,
     "containers"},
};

}  // namespace

std::span<const LayerInfo> container_layers() { return kContainerLayers; }

}  // namespace attn
