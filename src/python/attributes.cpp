// What stands after a dot: by the slot of the kind, else a method of the kind; and what is said where nothing does.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/diagnostic.h"
#include "base/text.h"
#include "base/words.h"
#include "python/argument_count.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/modules/library.h"
#include "python/modules/unsupported_names.h"
#include "python/natives.h"
#include "python/object_builtins.h"
#include "python/type.h"
#include "text/say.h"

namespace attn {
namespace {

Value giving(const std::string& name, const Value& result) {
  return make<Builtin>(name, [name, result](Interpreter&, CallArguments& arguments) {
    expect(arguments, name, 0, 0);
    return result;
  });
}

// (5).bit_length(), (2.5).is_integer(), x.real
bool number_attribute(const Value& object, const std::string& name, Value& out) {
  const double* real = object.as_float();
  const std::int64_t whole = real ? 0 : *as_index(object);
  const Value itself = real ? object : object.as_bool() ? Value(whole) : object;
  const Value zero = real ? Value(0.0) : Value(std::int64_t{0});
  const std::pair<std::string_view, Value> plain[] = {{"real", itself}, {"imag", zero}};
  for (const auto& [part, value] : plain) {
    if (part == name) return out = value, true;
  }
  if (name == "conjugate") return out = giving(name, itself), true;
  if (real && name == "is_integer")
    return out = giving(name, Value(std::isfinite(*real) && *real == std::floor(*real))), true;
  if (real) return false;
  if (name == "numerator") return out = itself, true;
  if (name == "denominator") return out = Value(std::int64_t{1}), true;
  const auto magnitude = whole < 0 ? 0 - static_cast<std::uint64_t>(whole) : static_cast<std::uint64_t>(whole);
  if (name == "to_bytes") {
    out = make<Builtin>(name, [itself](Interpreter& in, CallArguments& arguments) {
      arguments.positional.insert(arguments.positional.begin(), itself);
      arguments.spans.insert(arguments.spans.begin(), arguments.span);
      return in.call(library_function(in, "operator", "to_bytes"), arguments);
    });
    return true;
  }
  if (name == "bit_length")
    return out = giving(name, Value(static_cast<std::int64_t>(std::bit_width(magnitude)))), true;
  if (name == "bit_count") return out = giving(name, Value(static_cast<std::int64_t>(std::popcount(magnitude)))), true;
  return false;
}

// What data/names.txt calls the object: "torch.nn", "Tensor", "str".
std::string listed_owner(const Value& object) {
  if (const Module* module = object.as<Module>()) return module->name;
  if (object.as<Instance>()) return "";
  if (const TypeObject* type = object.as<TypeObject>()) return native_base(type->name) ? "Module" : type->last_name();
  return type_of(object) && !type_of(object)->listed_as.empty() ? std::string(type_of(object)->listed_as)
                                                                : type_name(object);
}

// Whether an object of Python has a name with underscores, by what its kind can do.
bool has_special_name(const Value& object, const std::string& name) {
  const Type* type = type_of(object);
  const bool is_class = object.as<TypeObject>() != nullptr;
  if (has_word("__repr__ __str__ __hash__ __eq__ __ne__ __format__ __dir__", name)) return true;
  if (name == "__next__") return object.as<Iterator>() != nullptr;
  if (name == "__call__") return type && type->call;
  if (type && !is_class && name == "__iter__") return type->each || type->steps;
  if (type && !is_class && name == "__len__") return type->length;
  if (type && !is_class && name == "__getitem__") return type->get_item;
  return is_name_of(listed_owner(object), name);
}

// [1].__len__ and list.__len__, which few programs ask for: what the operator does, as a function of the library.
bool special_method(Interpreter& in, const Value& object, const std::string& name, Value& out) {
  const bool is_special = name.size() > 4 && name.starts_with("__") && name.ends_with("__");
  if (!is_special || object.as<Module>() || object.as<ClassObject>() || object.as<Instance>()) return false;
  const TypeObject* type = object.as<TypeObject>();
  const Value asked = make_str(name.substr(2, name.size() - 4));
  const Value function = in.call(library_function(in, "operator", "special"), CallArguments{{asked}, {}, {{}}, {}});
  if (function.is_none()) return false;
  if (type) return out = function, true;
  out = make<Builtin>(name, [object, function](Interpreter& interpreter, CallArguments& arguments) {
    arguments.positional.insert(arguments.positional.begin(), object);
    arguments.spans.insert(arguments.spans.begin(), arguments.span);
    return interpreter.call(function, arguments);
  });
  return true;
}

// What Python or PyTorch has and no row names.
void refuse_listed(const Value& object, const std::string& name, Span span) {
  const Module* module = object.as<Module>();
  const std::string owner = listed_owner(object);
  const bool is_private = module && name.starts_with('_');
  const bool is_stood_in_for =
      (type_of(object) && type_of(object)->stands_in) || (module && is_library(owner) && !has_listed_names(owner));
  if (!is_name_of(owner, name) && !is_private && !is_stood_in_for) return;
  const std::string near = is_stood_in_for ? nearest(name, attribute_names(object)) : "";
  if (near.empty()) refuse_name(owner + "." + name, span);
  throw CellError(Code::Unsupported, span, say("unsupported.name", {{"name", owner + "." + name}}),
                  did_you_mean(owner + "." + near));
}

// "'list' object", as an error calls it.
std::string owner_text(const Value& object) {
  if (const Module* module = object.as<Module>()) return fmt::format("module '{}'", module->name);
  if (const ClassObject* type = object.as<ClassObject>()) return fmt::format("type object '{}'", type->name);
  if (const TypeObject* type = object.as<TypeObject>()) return fmt::format("type object '{}'", type->last_name());
  const auto own = slot_of(object, &Type::attribute);
  if (Value name; type_name(object) == "module" && own(*Interpreter::current(), object, "__name__", {}, {}, name))
    return fmt::format("module '{}'", str(name));  // a file
  return fmt::format("'{}' object", type_name(object));
}

}  // namespace

std::vector<std::string> attribute_names(const Value& object) {
  std::vector<std::string> names = container_method_names(object);
  const auto own = slot_of(object, &Type::attribute_names);
  const std::vector<std::string> more = own ? own(object) : std::vector<std::string>();
  names.insert(names.end(), more.begin(), more.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Value get_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span object_span,
                    Span span) {
  Value out;
  const auto own = slot_of(object, &Type::attribute);
  if (own && own(interpreter, object, name, object_span, span, out)) return out;
  if (object.is_number() && number_attribute(object, name, out)) return out;
  if (container_method(object, name, out)) return out;
  if (name == "__class__" && !object.as<Module>()) return type_value(object);
  if (has_special_name(object, name) && special_method(interpreter, object, name, out)) return out;
  refuse_listed(object, name, span);
  if (is_in_library(object_span))
    throw CellError(Code::Attribute, span, fmt::format("{} has no attribute '{}'", owner_text(object), name));
  if (object.is_number() && is_name_of("Tensor", name))
    throw CellError(Code::Attribute, span, fmt::format("{} has no attribute '{}'", owner_text(object), name),
                    say("attribute.of.number"));
  const std::string near = nearest(name, attribute_names(object));
  const std::string_view written = interpreter.sources()[object_span.source].slice(object_span);
  const bool is_own = class_of(object) || object.as<ClassObject>();  // of the program
  throw CellError(Code::Attribute, span, fmt::format("{} has no attribute '{}'", owner_text(object), name),
                  !near.empty() ? did_you_mean(fmt::format("{}.{}", written, near))
                  : is_own      ? ""
                                : say("unsupported.name.ops"));
}

}  // namespace attn
