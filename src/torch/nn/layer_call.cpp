// Making layers and what their rows share: arguments of Python functions, parameters, calls of ops.
#include "torch/nn/layer_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "base/diagnostic.h"
#include "base/text.h"
#include "python/argument_count.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/object_builtins.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/random.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/axis_names.h"
#include "torch/axis_rules.h"
#include "torch/lib.h"
#include "torch/signature.h"

namespace attn {

// ---- arguments ----

namespace {

[[noreturn]] void refuse_call(std::string_view function, const CallArguments& arguments, const std::string& what,
                              std::string hint = {}) {
  throw CellError(Code::Type, arguments.span, fmt::format("{}() {}", function, what), std::move(hint));
}

[[noreturn]] void too_many(std::string_view function, const Overload& parameters, const CallArguments& arguments) {
  const std::size_t most = parameters.size() + 1;  // with self
  const auto least = static_cast<std::size_t>(
      1 + std::count_if(parameters.begin(), parameters.end(), [](const auto& p) { return !p.has_default; }));
  const std::string takes = least == most ? fmt::format("{}", most) : fmt::format("from {} to {}", least, most);
  refuse_call(function, arguments,
              fmt::format("takes {} positional argument{} but {} were given", takes, most == 1 ? "" : "s",
                          arguments.positional.size() + 1));
}

std::size_t parameter_place(std::string_view function, const Overload& parameters, const CallArguments& arguments,
                            const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) return i;
    known.push_back(parameters[i].name);
  }
  const std::string near = nearest(name, known);
  refuse_call(function, arguments, fmt::format("got an unexpected keyword argument '{}'", name), did_you_mean(near));
}

}  // namespace

std::vector<Value> python_arguments(std::string_view function, std::string_view signature,
                                    const CallArguments& arguments) {
  const Overload& parameters = overloads_of(signature).front();
  if (arguments.positional.size() > parameters.size()) too_many(function, parameters, arguments);
  std::vector<Value> values = arguments.positional;
  std::vector<bool> bound(values.size(), true);
  values.resize(parameters.size());
  bound.resize(parameters.size(), false);
  for (const auto& [name, value] : arguments.keywords) {
    const std::size_t place = parameter_place(function, parameters, arguments, name);
    if (bound[place]) refuse_call(function, arguments, fmt::format("got multiple values for argument '{}'", name));
    values[place] = value;
    bound[place] = true;
  }
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (bound[i]) continue;
    if (!parameters[i].has_default) missing.push_back("'" + parameters[i].name + "'");
    if (parameters[i].has_default) values[i] = default_value(parameters[i]);
  }
  if (!missing.empty()) {
    refuse_call(function, arguments,
                fmt::format("missing {} required positional argument{}: {}", missing.size(),
                            missing.size() == 1 ? "" : "s", listed(missing)));
  }
  return values;
}

// ---- making one ----

namespace {

// A row of ops for each row of layers, so that the arguments are bound and checked by the same machinery.
const OpInfo& constructor_of(const LayerInfo& info) {
  static const std::deque<OpInfo> rows = [] {
    std::deque<OpInfo> made;
    for (const LayerInfo& layer : all_layers()) {
      made.push_back(OpInfo("", layer.signature, layer.doc, layer.example, nullptr,
                            {.name = layer.name, .axes = axis_rule::none, .element = ElementRule::Source}));
    }
    return made;
  }();
  return rows[static_cast<std::size_t>(&info - all_layers().data())];
}

// The class whose __init__ Python names in its complaints, where it is a base of the layer.
constexpr std::pair<std::string_view, std::string_view> kInitializers[] = {{"GRU", "RNNBase"},
                                                                           {"LSTM", "RNNBase"},
                                                                           {"RNN", "RNNBase"},
                                                                           {"BatchNorm1d", "_BatchNorm"},
                                                                           {"BatchNorm2d", "_BatchNorm"}};

std::string initializer_of(const LayerInfo& info) {
  for (const auto& [name, owner] : kInitializers) {
    if (name == info.name) return std::string(owner) + ".__init__";
  }
  return (info.signature == "()" ? "Module" : std::string(info.name)) + ".__init__";
}

// Parameters of another type are not known here.
void require_float32(OpCall& call) {
  if (call.dtype("dtype").value_or(DType::Float32) == DType::Float32) return;
  throw unsupported(call.span(), "unsupported.layer.dtype");
}

void construct_from_row(Interpreter& interpreter, const LayerInfo& info, Layer& layer, const CallArguments& arguments) {
  const OpInfo& row = constructor_of(info);
  const Overload& parameters = overloads_of(row.signature).front();
  const bool takes_any_number = !parameters.empty() && parameters.front().variadic;
  if (!takes_any_number) python_arguments(initializer_of(info), row.signature, arguments);
  OpCall call = bind_op(interpreter, row, arguments, nullptr);
  require_float32(call);
  try {
    if (info.construct) return info.construct(layer, call);
    CallArguments given{{Ref<Layer>(&layer)}, {}, {}, call.span()};
    for (const OpParameter& parameter : call.parameters()) given.positional.push_back(call.value(parameter.name));
    interpreter.call(library_function(interpreter, info.file, std::string(info.name) + ".__init__"), given);
  } catch (const TensorError& error) {
    throw to_cell_error(error, arguments.span);
  }
}
}  // namespace

bool draws_anew(const Layer& layer) {
  if (layer.info->name == "Module" || layer.info->name == "PReLU" || is_container(layer)) return false;
  const auto has = [&](Role role) {
    return std::any_of(layer.attributes.begin(), layer.attributes.end(),
                       [&](const LayerMember& member) { return member.role == role; });
  };
  return has(Role::Parameter) && !has(Role::Child);
}

void initialize_layer(Interpreter& interpreter, Layer& layer, const CallArguments& arguments) {
  layer.is_initialized = true;
  layer.training = true;
  std::erase_if(layer.attributes, [](const LayerMember& member) { return member.role != Role::Setting; });
  const ClassObject* type = layer.type.as<ClassObject>();
  const Value* const own = type ? type->find("reset_parameters") : nullptr;
  const std::optional<Generator> before = own ? std::optional(interpreter.generator()) : std::nullopt;
  construct_from_row(interpreter, *layer.info, layer, arguments);
  if (!own || !draws_anew(layer)) return;
  interpreter.generator() = *before;  // nothing else draws
  interpreter.call(*own, {Ref<Layer>(&layer)}, arguments.span);
}

Value construct_layer(Interpreter& interpreter, const LayerInfo& info, const CallArguments& arguments) {
  Ref<Layer> layer = make<Layer>(&info);
  layer->made_in = interpreter.fork_number();
  construct_from_row(interpreter, info, *layer, arguments);
  return layer;
}

void add_parameter(Layer& layer, const std::string& name, const Tensor& tensor, const std::vector<Value>& sizes) {
  if (!tensor.defined()) return layer.add(name, Value(), Role::Parameter);
  Ref<TensorObject> parameter = make<TensorObject>(tensor);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    parameter->axes[i] = axis_from(sizes[i], tensor.size(static_cast<std::int64_t>(i)));
  }
  parameter->requires_grad = true;
  parameter->is_parameter = true;
  layer.add(name, parameter, Role::Parameter);
}

Ref<Layer> make_layer(Interpreter& interpreter, std::string_view name,
                      std::vector<std::pair<std::string, Value>> keywords, Span span) {
  const CallArguments arguments{{}, std::move(keywords), {}, span};
  return construct_layer(interpreter, *find_layer(name), arguments).ref<Layer>();
}

Value run_forward(Interpreter& interpreter, const Ref<Layer>& layer, const CallArguments& arguments) {
  if (const Value* set = layer->find("forward")) return interpreter.call(*set, arguments);  // layer.forward = f
  ClassObject* type = layer->type.as<ClassObject>();
  if (const Value* own = type ? type->find("forward") : nullptr) {
    return interpreter.call(bind_member(interpreter, *own, layer, Ref<ClassObject>(type), arguments.span), arguments);
  }
  return plain_forward(interpreter, layer, arguments);
}

Value plain_forward(Interpreter& interpreter, const Ref<Layer>& layer, const CallArguments& arguments) {
  const LayerInfo& info = *layer->info;
  CallArguments given = arguments;
  try {
    if (info.forward) return info.forward(interpreter, *layer, given);
  } catch (const TensorError& error) {  // of parts that the program has replaced
    throw to_cell_error(error, arguments.span);
  }
  given.positional.insert(given.positional.begin(), layer);
  given.spans.insert(given.spans.begin(), given.span);
  return interpreter.call(library_function(interpreter, info.file, std::string(info.name) + ".forward"), given);
}

std::string plain_settings(const Layer& layer) {
  if (layer.info->settings) return layer.info->settings(layer);
  Interpreter& in = *Interpreter::current();
  const Value extra_repr = library_function(in, layer.info->file, std::string(layer.info->name) + ".extra_repr");
  return extra_repr.is_none() ? "" : str(in.call(extra_repr, {Ref<Layer>(const_cast<Layer*>(&layer))}, {}));
}

void require_change(const Interpreter& interpreter, const Layer& layer, Span span) {
  if (layer.made_in != interpreter.fork_number()) interpreter.require_effects("wrong_cell.layer", span);
}

// ---- what rows share ----

void keep(Layer& layer, const OpCall& call, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) layer.add(name, call.value(name), Role::Setting);
}

const Value& setting(const Layer& layer, std::string_view name) {
  const Value* value = layer.find(name);
  if (!value)
    throw CellError(Code::Attribute, {}, fmt::format("'{}' object has no attribute '{}'", layer_name(layer), name));
  return *value;
}

std::string setting_text(const Layer& layer, std::string_view name) { return repr(setting(layer, name)); }

Value only_input(const Layer& layer, const CallArguments& arguments) {
  return python_arguments(std::string(layer.info->name) + ".forward", "(input: any)", arguments)[0];
}

// A method that was to be forward(), by its name: "foward".
std::string misspelled_forward(const Layer& layer) {
  const ClassObject* own = layer.type.as<ClassObject>();
  if (!own) return "";
  std::vector<std::string> methods;
  for (const auto& [name, value] : own->members)
    if (value.as<Function>()) methods.push_back(name);
  return nearest("forward", methods);
}

std::string hint_on_forward(const Layer& layer) {
  if (is_container(layer)) return say("mistake.container");
  const std::string name = misspelled_forward(layer);
  return name.empty() ? "" : say("mistake.forward", {{"name", name}});
}

Value forward_missing(Interpreter&, Layer& layer, CallArguments& arguments) {
  throw python_error("NotImplementedError", arguments.span,
                     fmt::format("Module [{}] is missing the required \"forward\" function", layer_name(layer)),
                     hint_on_forward(layer));
}

void refuse_in_place(OpCall& call) {
  if (!call.flag("inplace")) return;
  throw unsupported(call.span(), "unsupported.layer.inplace", {{"layer", std::string(call.info().name)}});
}

std::string no_settings(const Layer&) { return {}; }
void construct_plain(Layer&, OpCall&) {}

namespace {

// Where the layer stands that is called: "attend.query" in "attend.query(x)".
Span callee_span(const Interpreter& interpreter, const CallArguments& call) {
  Span span = call.span;
  if (call.spans.empty() || span.source >= interpreter.sources().size()) return span;
  const std::string_view text = interpreter.sources()[span.source].slice(span);
  if (call.spans[0].begin < span.begin || call.spans[0].begin > span.end) return span;
  const std::size_t bracket = text.substr(0, call.spans[0].begin - span.begin).rfind('(');
  if (bracket != std::string_view::npos) span.end = span.begin + static_cast<std::uint32_t>(bracket);
  return span;
}

}  // namespace

Value call_layer_op(Interpreter& interpreter, std::string_view op, const CallArguments& call, const Value& input,
                    std::initializer_list<Value> others, std::vector<std::pair<std::string, Value>> keywords) {
  const OpInfo* info = find_op(op);
  if (!info) throw unsupported(call.span, "unsupported.name", {{"name", std::string(op)}});
  const Span input_span = call.spans.empty() ? call.span : call.spans[0];
  CallArguments arguments{{input}, std::move(keywords), {input_span}, call.span};
  arguments.positional.insert(arguments.positional.end(), others.begin(), others.end());
  if (others.size() > 0) arguments.spans.push_back(callee_span(interpreter, call));
  return interpreter.call_op(*info, arguments);
}

}  // namespace attn
