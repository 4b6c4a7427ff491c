// Methods of layers that say what is inside, and those that register it.
#include <fmt/format.h>

#include <algorithm>

#include "python/class.h"
#include "python/exceptions.h"
#include "text/say.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"
#include "torch/nn/layer_methods.h"

namespace attn {

// ---- what is inside ----

namespace {

Value as_generator(std::vector<Value> items) {
  return make<Iterator>("generator", [items = std::move(items), at = std::size_t{0}](Value& out) mutable {
    if (at == items.size()) return false;
    out = items[at++];
    return true;
  });
}

template <class Named>
Value as_generator(const Named& named, bool with_names) {
  std::vector<Value> items;
  for (const auto& [name, object] : named) {
    items.push_back(with_names ? make_tuple({make_str(name), object}) : Value(object));
  }
  return as_generator(std::move(items));
}

}  // namespace

Value parameters(LayerCall& call) {
  return as_generator(parameters_of(*call.layer, {}, truthy(call.arguments[0])), false);
}
Value named_parameters(LayerCall& call) {
  return as_generator(parameters_of(*call.layer, call.text(0), truthy(call.arguments[1])), true);
}
Value buffers(LayerCall& call) { return as_generator(buffers_of(*call.layer, {}, truthy(call.arguments[0])), false); }
Value named_buffers(LayerCall& call) {
  return as_generator(buffers_of(*call.layer, call.text(0), truthy(call.arguments[1])), true);
}
Value children(LayerCall& call) { return as_generator(children_of(*call.layer), false); }
Value named_children(LayerCall& call) { return as_generator(children_of(*call.layer), true); }
Value modules(LayerCall& call) { return as_generator(modules_of(*call.layer), false); }
Value named_modules(LayerCall& call) { return as_generator(modules_of(*call.layer, call.text(1)), true); }

namespace {

Value submodule(const LayerCall& call, const std::string& path) {
  Value found = call.layer;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t dot = std::min(path.find('.', at), path.size());
    const std::string name = path.substr(at, dot - at);
    at = dot + 1;
    const Value* inner = found.as<Layer>()->find(name);
    if (!inner)
      call.fail(Code::Attribute, fmt::format("{} has no attribute `{}`", layer_name(*found.as<Layer>()), name));
    if (!inner->as<Layer>()) call.fail(Code::Attribute, fmt::format("`{}` is not an nn.Module", name));
    found = Value(*inner);
  }
  return found;
}

}  // namespace

Value get_submodule(LayerCall& call) { return submodule(call, call.text(0)); }

// get_parameter("layers.0.weight") and get_buffer(...)
Value member_at(const LayerCall& call, Role role, std::string_view kind) {
  const std::string path = call.text(0);
  const std::size_t dot = path.rfind('.');
  const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
  const Value owner = submodule(call, dot == std::string::npos ? "" : path.substr(0, dot));
  const LayerMember* member = owner.as<Layer>()->member(name);
  if (!member) {
    call.fail(Code::Attribute, fmt::format("{} has no attribute `{}`", layer_name(*owner.as<Layer>()), name));
  }
  const bool is_buffer = member->role == Role::Buffer || member->role == Role::TransientBuffer;
  const bool fits = role == Role::Buffer ? is_buffer : member->role == role && !member->value.is_none();
  if (!fits) call.fail(Code::Attribute, fmt::format("`{}` is not {}", name, kind));
  return member->value;
}
Value get_parameter(LayerCall& call) { return member_at(call, Role::Parameter, "an nn.Parameter"); }
Value get_buffer(LayerCall& call) { return member_at(call, Role::Buffer, "a buffer"); }

// ---- registering ----

namespace {

// The checks that register_buffer(), register_parameter() and add_module() have in common.
std::string new_name(const LayerCall& call, std::string_view kind, bool is_registered) {
  const Value& given = call.arguments[0];
  const Str* name = given.as<Str>();
  if (!name) {
    call.fail(Code::Type, fmt::format("{} name should be a string. Got {}", kind, torch_type_name(given)));
  }
  // A KeyError shows its text as Python writes a str.
  const auto refuse = [&](const std::string& text) { throw key_error(make_str(text), call.given.span); };
  if (name->text.find('.') != std::string::npos) {
    refuse(fmt::format("{} name can't contain \".\"{}", kind, kind == "module" ? ", got: " + name->text : ""));
  }
  if (name->text.empty()) refuse(fmt::format("{} name can't be empty string \"\"", kind));
  Value held;
  const bool is_taken = call.layer->find(name->text) || has_special(call.layer, name->text) ||
                        layer_attribute(call.interpreter, call.layer, name->text, held);
  if (is_taken && !is_registered) refuse(fmt::format("attribute '{}' already exists", name->text));
  return name->text;
}

bool has_role(const LayerCall& call, Role role) {
  const Str* name = call.arguments[0].as<Str>();
  const LayerMember* member = name ? call.layer->member(name->text) : nullptr;
  return member && (member->role == role || (role == Role::Buffer && member->role == Role::TransientBuffer));
}

void require_initialized(const LayerCall& call, std::string_view kind) {
  if (call.layer->is_initialized) return;
  throw CellError(Code::Attribute, call.given.span, fmt::format("cannot assign {} before Module.__init__() call", kind),
                  say("mistake.super"));
}

}  // namespace

Value register_buffer(LayerCall& call) {
  call.require_effects();
  require_initialized(call, "buffer");
  const std::string name = new_name(call, "buffer", has_role(call, Role::Buffer));
  const Value& tensor = call.arguments[1];
  if (!tensor.is_none() && !tensor.as<TensorObject>()) {
    call.fail(Code::Type, fmt::format("cannot assign '{}' object to buffer '{}' (torch Tensor or None required)",
                                      torch_type_name(tensor), name));
  }
  call.layer->add(name, tensor, truthy(call.arguments[2]) ? Role::Buffer : Role::TransientBuffer);
  return {};
}

Value register_parameter(LayerCall& call) {
  call.require_effects();
  require_initialized(call, "parameter");
  const std::string name = new_name(call, "parameter", has_role(call, Role::Parameter));
  const Value& given = call.arguments[1];
  if (!given.is_none() && !(given.as<TensorObject>() && given.as<TensorObject>()->is_parameter)) {
    call.fail(Code::Type,
              fmt::format("cannot assign '{}' object to parameter '{}' (torch.nn.Parameter or None required)",
                          torch_type_name(given), name));
  }
  call.layer->add(name, given, Role::Parameter);
  return {};
}

Value add_module(LayerCall& call) {
  call.require_effects();
  const Value& module = call.arguments[1];
  if (!module.is_none() && !module.as<Layer>()) {
    call.fail(Code::Type, fmt::format("{} is not a Module subclass", torch_type_name(module)));
  }
  require_initialized(call, "module");
  const std::string name = new_name(call, "module", has_role(call, Role::Child));
  call.layer->add(name, module, Role::Child);
  return {};
}

}  // namespace attn
