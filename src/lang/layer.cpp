#include "lang/layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "lang/axis_names.h"
#include "lang/axis_rules.h"
#include "lang/layer_call.h"
#include "lang/signature.h"
#include "tensor/error.h"

namespace attn {

// ---- the object ----

void Layer::clear() { attributes.clear(); }

const Value* Layer::find(std::string_view name) const {
  for (const auto& [known, value] : attributes) {
    if (known == name) return &value;
  }
  return nullptr;
}

namespace {

std::string tensor_type(const Value& value) {
  const TensorObject* object = value.as<TensorObject>();
  if (!object) return type_name(value);
  switch (object->tensor.dtype()) {
    case DType::Float32: return "torch.FloatTensor";
    case DType::Float64: return "torch.DoubleTensor";
    case DType::Int64: return "torch.LongTensor";
    default: return "torch.BoolTensor";
  }
}

bool is_parameter(const Value& value) { return value.as<TensorObject>() && value.as<TensorObject>()->is_parameter; }

}  // namespace

void Layer::set(std::string_view name, Value value) {
  if (name == "training") {
    training = truthy(value);
    return;
  }
  for (auto& [known, held] : attributes) {
    if (known != name) continue;
    if (is_parameter(held) && !is_parameter(value) && !value.is_none()) {
      throw CellError(Code::Type, {},
                      fmt::format("cannot assign '{}' as parameter '{}' (torch.nn.Parameter or None expected)",
                                  tensor_type(value), name),
                      fmt::format("write into it: .{}.data = ...", name));
    }
    held = std::move(value);
    return;
  }
  attributes.emplace_back(name, std::move(value));
}

std::int64_t Layer::integer(std::string_view name) const {
  const Value* value = find(name);
  return value ? as_index(*value).value_or(0) : 0;
}

bool Layer::flag(std::string_view name) const {
  const Value* value = find(name);
  return value && truthy(*value);
}

// ---- the table ----

const LayerInfo* find_layer(std::string_view name) {
  for (const LayerInfo& info : all_layers()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

bool is_sequence(const Layer& layer) { return layer.info->name == "Sequential" || layer.info->name == "ModuleList"; }

std::vector<std::pair<std::string, Ref<Layer>>> children_of(const Layer& layer) {
  std::vector<std::pair<std::string, Ref<Layer>>> out;
  for (const auto& [name, value] : layer.attributes) {
    if (value.as<Layer>()) out.emplace_back(name, value.ref<Layer>());
  }
  return out;
}

std::vector<std::pair<std::string, Ref<TensorObject>>> parameters_of(const Layer& layer) {
  check_stack();
  std::vector<std::pair<std::string, Ref<TensorObject>>> out;
  for (const auto& [name, value] : layer.attributes) {
    if (is_parameter(value)) out.emplace_back(name, value.ref<TensorObject>());
  }
  for (const auto& [name, child] : children_of(layer)) {
    for (auto& [inner, parameter] : parameters_of(*child)) out.emplace_back(name + "." + inner, parameter);
  }
  return out;
}

std::string layer_repr(const Layer& layer) {
  check_stack();
  const auto children = children_of(layer);
  std::string out = std::string(layer.info->name) + "(";
  if (children.empty()) return out + layer.info->settings(layer) + ")";
  for (const auto& [name, child] : children) {
    out += fmt::format("\n  ({}): ", name);
    for (const char c : layer_repr(*child)) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
  }
  return out + "\n)";
}

// ---- arguments ----

namespace {

// 'a', 'b' and 'c' as Python lists names
std::string listed(const std::vector<std::string>& names) {
  if (names.size() == 1) return names[0];
  const std::string last = names.back();
  return join({names.begin(), names.end() - 1}, ", ") + (names.size() > 2 ? ", and " : " and ") + last;
}

[[noreturn]] void refuse(std::string_view function, const CallArguments& arguments, const std::string& what,
                         std::string hint = {}) {
  throw CellError(Code::Type, arguments.span, fmt::format("{}() {}", function, what), std::move(hint));
}

[[noreturn]] void too_many(std::string_view function, const Overload& parameters, const CallArguments& arguments) {
  const std::size_t most = parameters.size() + 1;  // with self
  const auto least = static_cast<std::size_t>(
      1 + std::count_if(parameters.begin(), parameters.end(), [](const auto& p) { return !p.has_default; }));
  const std::string takes = least == most ? fmt::format("{}", most) : fmt::format("from {} to {}", least, most);
  refuse(function, arguments,
         fmt::format("takes {} positional argument{} but {} were given", takes, most == 1 ? "" : "s",
                     arguments.positional.size() + 1));
}

std::size_t place_of(std::string_view function, const Overload& parameters, const CallArguments& arguments,
                     const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) return i;
    known.push_back(parameters[i].name);
  }
  const std::string near = nearest(name, known);
  refuse(function, arguments, fmt::format("got an unexpected keyword argument '{}'", name),
         near.empty() ? "" : fmt::format("did you mean {}?", near));
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
    const std::size_t place = place_of(function, parameters, arguments, name);
    if (bound[place]) refuse(function, arguments, fmt::format("got multiple values for argument '{}'", name));
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
    refuse(function, arguments,
           fmt::format("missing {} required positional argument{}: {}", missing.size(), missing.size() == 1 ? "" : "s",
                       listed(missing)));
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
      OpInfo row{};
      row.name = layer.name;
      row.signature = layer.signature;
      row.doc = layer.doc;
      row.example = layer.example;
      row.axes = axis_rule::none;
      row.element = ElementRule::Source;
      made.push_back(row);
    }
    return made;
  }();
  return rows[static_cast<std::size_t>(&info - all_layers().data())];
}

// The class whose __init__ Python names in its complaints.
std::string initializer_of(const LayerInfo& info) {
  const std::string owner = info.name == "GRU" ? "RNNBase" : info.signature == "()" ? "Module" : std::string(info.name);
  return owner + ".__init__";
}

}  // namespace

Value construct_layer(Interpreter& interpreter, const LayerInfo& info, const CallArguments& arguments) {
  const OpInfo& row = constructor_of(info);
  const Overload& parameters = overloads_of(row.signature).front();
  const bool takes_any_number = !parameters.empty() && parameters.front().variadic;
  if (!takes_any_number) python_arguments(initializer_of(info), row.signature, arguments);
  OpCall call = bind_op(interpreter, row, arguments, nullptr);
  Ref<Layer> layer = make<Layer>(&info);
  try {
    info.construct(*layer, call);
  } catch (const TensorError& error) {
    Diagnostic diagnostic;
    diagnostic.code = error.code();
    diagnostic.span = arguments.span;
    diagnostic.message = error.what();
    diagnostic.rule = error.rule();
    diagnostic.facts = error.facts();
    throw CellError(std::move(diagnostic), error.type());
  }
  return layer;
}

void add_parameter(Layer& layer, std::string name, const Tensor& tensor, const std::vector<Value>& sizes) {
  if (!tensor.defined()) {
    layer.attributes.emplace_back(std::move(name), Value());
    return;
  }
  Ref<TensorObject> parameter = make<TensorObject>(tensor);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    parameter->axes[i] = axis_from(sizes[i], tensor.size(static_cast<std::int64_t>(i)));
  }
  parameter->requires_grad = true;
  parameter->is_parameter = true;
  layer.attributes.emplace_back(std::move(name), parameter);
}

Value construct_parameter(const CallArguments& arguments) {
  const std::vector<Value> given =
      python_arguments("Parameter.__new__", "(data: any? = None, requires_grad: any = True)", arguments);
  const TensorObject* data = given[0].as<TensorObject>();
  if (!data && !given[0].is_none()) {
    throw CellError(Code::Attribute, arguments.span,
                    fmt::format("'{}' object has no attribute 'detach'", type_name(given[0])),
                    "nn.Parameter takes a tensor: torch.tensor([...])");
  }
  Ref<TensorObject> parameter = make<TensorObject>(data ? data->tensor : Tensor::empty({0}, DType::Float32));
  parameter->requires_grad = truthy(given[1]);
  parameter->is_parameter = true;
  if (data) parameter->axes = data->axes;
  if (parameter->requires_grad && !is_floating(parameter->tensor.dtype())) {
    throw CellError(Code::Runtime, arguments.span,
                    "Only Tensors of floating point and complex dtype can require gradients");
  }
  return parameter;
}

void require_float32(OpCall& call) {
  if (call.dtype("dtype").value_or(DType::Float32) == DType::Float32) return;
  throw CellError(Code::Unsupported, call.span(), "layers start as float32 here", "convert it afterwards: .double()");
}

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
  if (!info) throw CellError(Code::Unsupported, call.span, fmt::format("{} is not known here", op));
  const Span input_span = call.spans.empty() ? call.span : call.spans[0];
  CallArguments arguments{{input}, std::move(keywords), {input_span}, call.span};
  arguments.positional.insert(arguments.positional.end(), others.begin(), others.end());
  if (others.size() > 0) arguments.spans.push_back(callee_span(interpreter, call));
  return interpreter.call_op(*info, arguments);
}

}  // namespace attn
