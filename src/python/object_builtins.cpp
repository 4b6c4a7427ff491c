// Built-in functions that look into objects: isinstance, attributes by name, super, decorators, copies. Over 400 lines
// because all of them ask what a class is.
#include "python/object_builtins.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/words.h"
#include "python/argument_count.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/modules/unsupported_names.h"
#include "python/natives.h"
#include "python/type.h"
#include "python/types/iterators.h"
#include "python/types/methods.h"
#include "tensor/core/scalar_type.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// The attribute, or nothing where Python has none. What Python has and is not known here is refused: either answer
// would send the program another way. What newer versions of PyTorch have is not there, as in the version that this one
// is.
std::optional<Value> find_attribute(Interpreter& in, const Value& object, const std::string& name, Span span) {
  const Module* module = object.as<Module>();
  const bool is_listed = module && has_listed_names(module->name) && !name.starts_with('_');
  if (is_listed && !is_name_of(module->name, name)) return std::nullopt;
  try {
    return get_attribute(in, object, name, span, span);
  } catch (const CellError& error) {
    if (error.type() != "AttributeError") throw;
    return std::nullopt;
  }
}

// ---- isinstance ----

bool is_callable(const Value& value) {
  const bool is_called = slot_of(value, &Type::call) && !value.object()->type().stands_in;
  return is_called || has_special(value, "__call__");
}

// typing.List, collections.abc.Sequence: what they stand for, by the name without its module. Nothing: another class.
std::optional<bool> has_abstract_type(const Value& value, const std::string& path) {
  constexpr std::string_view kModules[] = {"typing.", "collections.abc."};
  const auto* const module =
      std::find_if(std::begin(kModules), std::end(kModules), [&](auto name) { return path.starts_with(name); });
  if (module == std::end(kModules)) return std::nullopt;
  const std::string name = path.substr(module->size());
  struct Row {
    std::string_view names, types;
  };
  constexpr Row kRows[] = {{"List MutableSequence", "list"},
                           {"Dict Mapping MutableMapping", "dict"},
                           {"Tuple", "tuple"},
                           {"Set MutableSet", "set"},
                           {"FrozenSet", "frozenset"},
                           {"AbstractSet", "set frozenset"},
                           {"Text", "str"},
                           {"Sequence", "list tuple str range bytes"}};
  const std::string type = class_path(value);
  if (name == "Callable") return is_callable(value);
  for (const Row& row : kRows)
    if (has_word(row.names, name))
      return has_word(row.types, type) || (type == "torch.Size" && has_word(row.types, "tuple")) ||
             (type.starts_with("collections.") && has_word(row.types, "dict"));
  const ClassObject* own = class_of(value);
  const Type* kind = value.object() ? &value.object()->type() : nullptr;
  if (name == "Iterable" || name == "Iterator") {
    const char* const method = name == "Iterable" ? "__iter__" : "__next__";
    const bool steps = value.as<Iterator>() || type == "generator";
    if (own) return own->find(method) != nullptr;
    return steps || (name == "Iterable" && kind && (kind->each || kind->steps));
  }
  if (name == "Hashable") return !has_word("list dict set", type);
  return std::nullopt;
}

// The built-in classes that a class counts as, by name.
bool is_builtin_subclass(const std::string& path, const std::string& type) {
  if (path == type || type == "object") return true;
  if (is_subexception(path, type)) return true;
  if (type == "torch.nn.modules.module.Module") return path.starts_with("torch.nn.modules.");
  return (path == "bool" && type == "int") || (path == "torch.Size" && type == "tuple") ||
         (path == "numpy.float64" && type == "float") ||
         (path == "torch.nn.parameter.Parameter" && type == "torch.Tensor") ||
         (path.starts_with("collections.") && type == "dict") ||
         (path.ends_with(".NonDynamicallyQuantizableLinear") && type == "torch.nn.modules.linear.Linear");
}

// Those of a tuple, or of a union: int | float.
const std::vector<Value>* classes_of(const Value& wanted) {
  if (const UnionObject* either = wanted.as<UnionObject>()) return &either->types;
  const Tuple* tuple = wanted.as<Tuple>();
  return tuple ? &tuple->items : nullptr;
}

// torch.FloatTensor: no class, but isinstance() takes it.
bool is_kind_of_tensor(const Builtin& function) { return function.op && function.name.ends_with("Tensor"); }

bool is_subclass_of(const Value& type, const Value& wanted, Span span) {
  if (const std::vector<Value>* items = classes_of(wanted)) {
    const NestedLevel level(" in __subclasscheck__");
    charge(std::ssize(*items));
    return std::any_of(items->begin(), items->end(),
                       [&](const Value& item) { return is_subclass_of(type, item, span); });
  }
  if (wanted.is_none()) {
    const TypeObject* plain = type.as<TypeObject>();
    return plain && plain->name == "NoneType";
  }
  const ClassObject* own = type.as<ClassObject>();
  if (const ClassObject* own_wanted = wanted.as<ClassObject>()) return own && own->derives_from(*own_wanted);
  const TypeObject* builtin = wanted.as<TypeObject>();
  if (const Builtin* function = wanted.as<Builtin>(); function && (is_class(wanted) || is_kind_of_tensor(*function))) {
    const TypeObject* plain = type.as<TypeObject>();
    return plain && plain->name == function->name;
  }
  if (!builtin) throw CellError(Code::Type, span, "isinstance() arg 2 must be a type, a tuple of types, or a union");
  if (const TypeObject* plain = type.as<TypeObject>()) return is_builtin_subclass(plain->name, builtin->name);
  if (!own) return false;
  if (own->layer && is_builtin_subclass(std::string(native_path(*own->layer)), builtin->name)) return true;
  return builtin->name == "object" || builtin->name == own->builtin ||
         (!own->exception.empty() && is_subexception(own->exception, builtin->name));
}

// Whether the value has every name that stands in the body of a @runtime_checkable class, or of one that it derives
// from.
bool has_members_of_protocol(const Value& value, const ClassObject& protocol, Span span) {
  return std::all_of(protocol.order.begin(), protocol.order.end(), [&](const Value& each) {
    const ClassObject& type = *each.as<ClassObject>();
    const auto has = [&](const std::string& name) {
      return has_word("__init__ __slots__ __annotations__ _is_runtime_protocol", name) ||
             find_attribute(*Interpreter::current(), value, name, span);
    };
    return std::all_of(type.fields.begin(), type.fields.end(), has) &&
           std::all_of(type.members.begin(), type.members.end(), [&](const auto& member) { return has(member.first); });
  });
}

bool is_one_of_abstract(const Value& value, const Value& wanted, Span span) {
  if (const ClassObject* own = wanted.as<ClassObject>())
    return own->members.find("_is_runtime_protocol") && has_members_of_protocol(value, *own, span);
  if (const TypeObject* type = wanted.as<TypeObject>()) return has_abstract_type(value, type->name).value_or(false);
  const TensorObject* const tensor = value.as<TensorObject>();
  if (const Builtin* kind = wanted.as<Builtin>(); kind && tensor && is_kind_of_tensor(*kind))
    return class_name(tensor->tensor.dtype()) == "torch." + kind->name;
  const std::vector<Value>* items = classes_of(wanted);
  const NestedLevel level(" in __instancecheck__");
  charge(1);
  return items && std::any_of(items->begin(), items->end(),
                              [&](const Value& item) { return is_one_of_abstract(value, item, span); });
}

Value isinstance(Interpreter&, CallArguments& arguments) {
  expect(arguments, "isinstance", 2, 2);
  return Value(is_instance(arguments.positional[0], arguments.positional[1], arguments.span));
}

Value issubclass(Interpreter&, CallArguments& arguments) {
  expect(arguments, "issubclass", 2, 2);
  return Value(is_subclass_of(arguments.positional[0], arguments.positional[1], arguments.span));
}

Value type_function(Interpreter&, CallArguments& arguments) {
  if (arguments.positional.size() == 3) throw unsupported(arguments.span, "unsupported.type");
  expect(arguments, "type()", 1, 1);
  return type_value(arguments.positional[0]);
}

// ---- attributes by name ----

std::string attribute_name(const CallArguments& arguments) {
  const Str* name = arguments.positional[1].as<Str>();
  constexpr std::size_t kLongestName = 65'536;  // whoever looks for a name copies it, to say what is not there, too
  if (!name) fail(Code::Type, arguments, "attribute name must be string");
  if (name->text.size() > kLongestName) throw unsupported(arguments.span, "unsupported.attribute.long");
  return name->text;
}

Value getattr(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "getattr", 2, 3);
  if (arguments.positional.size() == 3)
    return find_attribute(in, arguments.positional[0], attribute_name(arguments), arguments.span)
        .value_or(arguments.positional[2]);
  return get_attribute(in, arguments.positional[0], attribute_name(arguments), arguments.span, arguments.span);
}

Value hasattr(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "hasattr", 2, 2);
  return Value(find_attribute(in, arguments.positional[0], attribute_name(arguments), arguments.span).has_value());
}

Value setattr(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "setattr", 3, 3);
  set_attribute(in, arguments.positional[0], attribute_name(arguments), arguments.positional[2], arguments.span);
  return {};
}

Value callable(Interpreter&, CallArguments& arguments) {
  expect(arguments, "callable", 1, 1);
  return Value(is_callable(arguments.positional[0]));
}

// ---- super and decorators ----

Value super_function(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "super()", 0, 2);
  if (arguments.positional.size() == 2) {
    if (!arguments.positional[0].as<ClassObject>()) fail(Code::Type, arguments, "super() argument 1 must be a type");
    return make<Super>(arguments.positional[0].ref<ClassObject>(), arguments.positional[1]);
  }
  const auto& frames = in.frames();
  const ClassObject* owner = frames.empty() ? nullptr : frames.back().function->owner.as<ClassObject>();
  if (!owner) fail(Code::Runtime, arguments, "super(): no arguments");
  return make<Super>(frames.back().function->owner.ref<ClassObject>(), frames.back().first);
}

Value bind_method(Interpreter&, CallArguments& arguments) {
  expect(arguments, "method", 2, 2);
  if (!is_callable(arguments.positional[0])) fail(Code::Type, arguments, "first argument must be callable");
  if (arguments.positional[1].is_none()) fail(Code::Type, arguments, "instance must not be None");
  return make<BoundMethod>(arguments.positional[0], arguments.positional[1]);
}

/// The argument at that place or of that name; None where it is missing.
Value given(const CallArguments& arguments, std::size_t at, std::string_view name) {
  return at < arguments.positional.size() ? arguments.positional[at] : keyword(arguments, name, {});
}

template <Wrapped::How How>
Value wrap_function(Interpreter&, CallArguments& arguments) {
  expect(arguments, "decorator", 1, 1);
  return make<Wrapped>(How, arguments.positional[0]);
}

Value property(Interpreter&, CallArguments& arguments) {
  expect(arguments, "property", 0, 3, {"fget", "fset", "fdel", "doc"});
  Ref<Wrapped> made = make<Wrapped>(Wrapped::How::Property, given(arguments, 0, "fget"));
  made->setter = given(arguments, 1, "fset");
  made->deleter = given(arguments, 2, "fdel");
  return made;
}

Value decorate_dataclass(const CallArguments& arguments, const DataclassOptions& options) {
  ClassObject* type = arguments.positional[0].as<ClassObject>();
  if (!type) fail(Code::Type, arguments, say("argument.dataclass"));
  try {
    make_dataclass(*type, options);
  } catch (CellError& error) {
    add_span(error, arguments.span);
    throw;
  }
  return arguments.positional[0];
}

using DataclassOption = std::pair<std::string_view, bool DataclassOptions::*>;
constexpr DataclassOption kDataclassOptions[] = {{"init", &DataclassOptions::init},
                                                 {"repr", &DataclassOptions::repr},
                                                 {"eq", &DataclassOptions::eq},
                                                 {"order", &DataclassOptions::order},
                                                 {"unsafe_hash", &DataclassOptions::unsafe_hash},
                                                 {"frozen", &DataclassOptions::frozen},
                                                 {"match_args", &DataclassOptions::match_args},
                                                 {"kw_only", &DataclassOptions::kw_only},
                                                 {"slots", &DataclassOptions::slots}};

// @dataclass or @dataclass(frozen=True)
Value dataclass(Interpreter&, CallArguments& arguments) {
  DataclassOptions options;
  for (const auto& [name, value] : arguments.keywords) {
    const DataclassOption* const row = std::ranges::find(kDataclassOptions, name, &DataclassOption::first);
    if (row == std::end(kDataclassOptions))
      fail(Code::Type, arguments, fmt::format("dataclass() got an unexpected keyword argument '{}'", name));
    options.*row->second = truthy(value);
  }
  if (!arguments.positional.empty()) return decorate_dataclass(arguments, options);
  return make<Builtin>("dataclass",
                       [options](Interpreter&, CallArguments& inner) { return decorate_dataclass(inner, options); });
}

Value field(Interpreter&, CallArguments& arguments) {
  Ref<ClassObject> type = make<ClassObject>();
  type->name = "Field";
  Ref<Instance> out = make<Instance>(type);
  for (const auto& [name, value] : arguments.keywords) out->attributes.set(name, value);
  return out;
}

// ---- iterators ----

Value iter(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "iter", 1, 2);
  if (arguments.positional.size() == 2) {  // calls until a value comes: iter(lambda: file.read(4096), '')
    if (!is_callable(arguments.positional[0])) fail(Code::Type, arguments, "iter(v, w): v must be callable");
    return make<Iterator>("callable_iterator", [&in, arguments, ended = false](Value& out) mutable {
      if (!ended) out = in.call(arguments.positional[0], {}, arguments.span);
      ended = ended || equals(out, arguments.positional[1]);
      return !ended;
    });
  }
  return make_iterator(in, arguments.positional[0], arguments.span);
}

Value next(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "next", 1, 2);
  const Value& value = arguments.positional[0];
  if (!value.as<Iterator>() && !has_special(value, "__next__"))
    fail(Code::Type, arguments, fmt::format("'{}' object is not an iterator", type_name(value)));
  Value out;
  if (next_of(in, value, out)) return out;
  if (arguments.positional.size() == 2) return arguments.positional[1];
  throw stop_iteration(value, arguments.span);
}

// ---- gradients, copies ----

// torch.no_grad()(model.forward): whatever can be called, with gradients switched while it runs.
Value called_under(bool enabled, const CallArguments& arguments) {
  const Value called = arguments.positional.empty() ? Value() : arguments.positional[0];
  if (!is_callable(called) && !is_class(called)) throw CellError(Code::Type, arguments.span, say("argument.no_grad"));
  return make<Builtin>("decorate_context", [called, enabled](Interpreter& in, CallArguments& given) {
    const GradientSwitch switched(in, enabled);
    return in.call(called, given);
  });
}

// @torch.no_grad(): the function with gradients switched.
Value under_grad_mode(Interpreter&, const Value& self, const CallArguments& arguments) {
  const Function* function = arguments.positional.empty() ? nullptr : arguments.positional[0].as<Function>();
  if (!function) return called_under(self.as<GradMode>()->enabled, arguments);
  Ref<Function> copy = make<Function>();
  copy->name = function->name;
  copy->qualified_name = function->qualified_name;
  copy->doc = function->doc;
  copy->parameters = function->parameters;
  copy->defaults = function->defaults;
  copy->has_default = function->has_default;
  copy->body = function->body;
  copy->block = function->block;
  copy->locals = function->locals;
  copy->is_generator = function->is_generator;
  copy->scope = function->scope;
  copy->grad = self.as<GradMode>()->enabled;
  return copy;
}

// For whoever enters it by hand or by an ExitStack.
Value enter_grad_mode(MethodCall& call) { return call.self.as<GradMode>()->enter(call.interpreter), Value(); }
Value leave_grad_mode(MethodCall& call) {
  GradMode& mode = *call.self.as<GradMode>();
  if (mode.outer.empty()) call.fail(Code::Runtime, "__exit__() of what was not entered");
  return mode.leave(call.interpreter), Value(false);
}

constexpr Method kGradMode[] = {{"__enter__", 0, 0, enter_grad_mode}, {"__exit__", 0, 3, leave_grad_mode}};

template <bool Enabled>
Value grad_mode(Interpreter&, CallArguments& arguments) {
  // @torch.no_grad without brackets is called with the function itself.
  const Value mode = make<GradMode>(Enabled);
  return arguments.positional.empty() || !arguments.positional[0].as<Function>()
             ? mode
             : Interpreter::current()->call(mode, arguments);
}

Value set_grad_enabled(Interpreter& in, CallArguments& arguments) {
  expect(arguments, "set_grad_enabled", 1, 1);
  const bool enabled = truthy(arguments.positional[0]);
  Ref<GradMode> mode = make<GradMode>(enabled, in.grad_enabled());
  in.set_grad_enabled(enabled);
  return mode;
}

Value is_grad_enabled(Interpreter& in, CallArguments&) { return Value(in.grad_enabled()); }

// No op: what it is asked about may be any object, however deep.
Value is_tensor(Interpreter&, CallArguments& arguments) {
  expect(arguments, "is_tensor", arguments.keywords.empty() ? 1 : 0, 1, {"obj"});
  return Value(given(arguments, 0, "obj").as<TensorObject>() != nullptr);
}

Value deepcopy(Interpreter&, CallArguments& arguments) {
  expect(arguments, "deepcopy", 1, 2, {"memo"});
  const Value memo = arguments.positional.size() > 1 ? arguments.positional[1] : Value();
  return Copier(memo.as<Dict>() ? memo : Value()).copy(arguments.positional[0]);
}

// A new container with the same items, or an object with the same attributes; what cannot change is its own copy.
Value shallow_copy(Interpreter&, CallArguments& arguments) {
  expect(arguments, "copy", 1, 1);
  const Value& value = arguments.positional[0];
  if (Value made; call_special(value, "__copy__", {}, made)) return made;
  const auto copy = slot_of(value, &Type::copy);
  return copy ? copy(value, arguments.span) : value;
}

constexpr NativeRow kObjectFunctions[] = {
    {"isinstance", isinstance},
    {"issubclass", issubclass},
    {"type", type_function},
    {"getattr", getattr},
    {"hasattr", hasattr},
    {"setattr", setattr},
    {"callable", callable},
    {"super", super_function},
    {"property", property},
    {"staticmethod", wrap_function<Wrapped::How::Static>},
    {"classmethod", wrap_function<Wrapped::How::Class>},
    {"iter", iter},
    {"next", next},
    {"types.MethodType", bind_method},
    {"dataclasses.dataclass", dataclass},
    {"dataclasses.field", field},
    {"copy.copy", shallow_copy},
    {"copy.deepcopy", deepcopy},
    {"torch.no_grad", grad_mode<false>},
    {"torch.inference_mode", grad_mode<false>},
    {"torch.enable_grad", grad_mode<true>},
    {"torch.set_grad_enabled", set_grad_enabled},
    {"torch.is_grad_enabled", is_grad_enabled},
    {"torch.is_tensor", is_tensor},
};

}  // namespace

void GradMode::enter(Interpreter& interpreter) {
  outer.push_back(before.value_or(interpreter.grad_enabled()));
  interpreter.set_grad_enabled(enabled);
}

void GradMode::leave(Interpreter& interpreter) {
  interpreter.set_grad_enabled(outer.back());
  outer.pop_back();
}

const Type GradMode::kType = {.name = "no_grad",
                              .methods = [](const Value&) { return std::span<const Method>(kGradMode); },
                              .call = under_grad_mode};

std::span<const NativeRow> object_functions() { return kObjectFunctions; }

bool is_class(const Value& value) {
  const Builtin* function = value.as<Builtin>();
  return value.as<ClassObject>() || value.as<TypeObject>() ||
         (function && has_word("type slice range zip map", function->name));
}

bool is_instance(const Value& value, const Value& type, Span span) {
  if (is_one_of_abstract(value, type, span) || is_subclass_of(type_value(value), type, span)) return true;
  const bool is_named_tuple = value.as<Tuple>() && !value.as<Tuple>()->fields.empty();
  return is_named_tuple && is_subclass_of(make<TypeObject>("tuple"), type, span);
}

Value type_value(const Value& value) {
  if (ClassObject* type = class_of(value)) return Ref<ClassObject>(type);
  return make<TypeObject>(class_path(value));
}

std::string class_path(const Value& value) {
  const auto path = slot_of(value, &Type::path);
  return path ? path(value) : type_name(value);
}

namespace {

// What a type that Python or PyTorch brings derives from, it first.
std::vector<Value> order_of_native(const TypeObject& type) {
  std::vector<Value> order;
  if (type.name == "object") return order;
  for (std::string_view name = type.name; !name.empty(); name = exception_base(name))
    order.push_back(make<TypeObject>(std::string(name)));
  constexpr const char* kModule = "torch.nn.modules.module.Module";
  if (native_base(type.name) && type.name != kModule) order.push_back(make<TypeObject>(kModule));
  return order;
}

// What two handles of one class share: a built-in type is known by its name.
std::pair<const Object*, std::string> identity_of(const Value& type) {
  const TypeObject* const native = type.as<TypeObject>();
  return native ? std::pair(static_cast<const Object*>(nullptr), native->name)
                : std::pair(type.object(), std::string());
}

/// Those that are next in these lists.
std::string names_of_next(const std::vector<std::vector<Value>>& lists) {
  std::vector<std::string> names;
  for (const std::vector<Value>& list : lists) {
    const ClassObject* const own = list.back().as<ClassObject>();
    const std::string name = own ? own->name : list.back().as<TypeObject>()->last_name();
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return join(names, ", ");
}

}  // namespace

// Python's C3: the first of those that are next in their lists and behind nothing else in any.
std::vector<Value> resolution_order(const Value& type, const std::vector<Value>& bases, Span span) {
  std::vector<std::vector<Value>> lists;
  for (const Value& base : bases) {
    const ClassObject* const own = base.as<ClassObject>();
    lists.push_back(!own ? order_of_native(*base.as<TypeObject>()) : own->mro.empty() ? own->order : own->mro);
  }
  lists.push_back(bases);
  std::erase_if(lists.back(),
                [](const Value& base) { return base.as<TypeObject>() && base.as<TypeObject>()->name == "object"; });
  std::map<decltype(identity_of(type)), int> behind;  // in how many lists it waits behind others
  for (std::vector<Value>& list : lists) {
    charge(std::ssize(list));
    std::ranges::reverse(list);  // what comes next is at the end
    for (std::size_t i = 0; i + 1 < list.size(); ++i) ++behind[identity_of(list[i])];
  }
  std::vector<Value> order = {type};
  while (std::erase_if(lists, [](const auto& list) { return list.empty(); }), !lists.empty()) {
    charge(std::ssize(lists));
    const auto free =
        std::ranges::find_if(lists, [&](const auto& list) { return behind[identity_of(list.back())] == 0; });
    if (free == lists.end())
      throw CellError(Code::Type, span,
                      "Cannot create a consistent method resolution\norder (MRO) for bases " + names_of_next(lists));
    const Value next = free->back();
    for (std::vector<Value>& list : lists) {
      if (list.empty() || identity_of(list.back()) != identity_of(next)) continue;
      list.pop_back();
      if (!list.empty()) --behind[identity_of(list.back())];
    }
    order.push_back(next);
  }
  return order;
}

}  // namespace attn
