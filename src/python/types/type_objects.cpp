// What types do that Python and PyTorch bring: their methods as functions, and their texts, alone and in annotations.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/limits.h"
#include "base/words.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/modules/library.h"
#include "python/natives.h"
#include "python/type.h"
#include "python/types/bytes.h"
#include "python/types/methods.h"

namespace attn {
namespace {

// str.upper: the method as a function of its object.
bool unbound_method(const std::string& type, const std::string& name, Value& out) {
  const Ref<Set> frozen = make<Set>();
  frozen->is_frozen = true;
  const Value samples[] = {make_str(""),       make_list({}), make_tuple({}), Value(make<Dict>()),
                           Value(make<Set>()), Value(frozen), make_bytes("")};
  for (const Value& sample : samples) {
    Value ignored;
    if (type_name(sample) != type || !container_member(sample, name, ignored)) continue;
    auto native = [type, name](Interpreter& interpreter, CallArguments& arguments) {
      const Type* derived = arguments.positional.empty() ? nullptr : type_of(arguments.positional[0]);
      if (!derived || (derived->base ? derived->base->name : type_name(arguments.positional[0])) != type) {
        const std::string given = arguments.positional.empty()
                                      ? fmt::format("unbound method {}.{}() needs an argument", type, name)
                                      : fmt::format("descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
                                                    name, type, type_name(arguments.positional[0]));
        throw CellError(Code::Type, arguments.span, given);
      }
      CallArguments rest = arguments;
      rest.positional.erase(rest.positional.begin());
      if (!rest.spans.empty()) rest.spans.erase(rest.spans.begin());
      Value method;
      container_member(arguments.positional[0], name, method);
      return interpreter.call(method, rest);
    };
    return out = make<Builtin>(name, native), true;
  }
  return false;
}

// list of list[int] and of List[int].
Value origin_of(const TypeObject& type) {
  constexpr std::string_view kPlain = "List Dict Tuple Set FrozenSet Type";
  const std::string name = type.last_name();
  if (!type.name.starts_with("typing.") || !has_word(kPlain, name)) return make<TypeObject>(type.name);
  return make<TypeObject>(lower_case(name));
}

bool type_attribute(Interpreter& interpreter, const Value& self, const std::string& name, Span, Span, Value& out) {
  const TypeObject& type = *self.as<TypeObject>();
  if (native_type_member(type, name, out)) return true;
  if (name == "__name__" || name == "__qualname__") return out = make_str(type.last_name()), true;
  if (name == "__args__" && !type.arguments.empty()) return out = make_tuple(type.arguments), true;
  if (name == "__origin__" && !type.arguments.empty()) return out = origin_of(type), true;
  if (name == "__module__") {
    const std::size_t dot = type.name.rfind('.');
    return out = make_str(dot == std::string::npos ? "builtins" : type.name.substr(0, dot)), true;
  }
  if (name == "fromkeys" && (type.name == "dict" || type.name == "collections.OrderedDict"))
    return out = keys_method(type.name == "dict" ? "" : type.last_name()), true;
  constexpr std::string_view kWrittenInPython = "str.maketrans bytes.maketrans int.from_bytes bytes.fromhex";
  if (has_word(kWrittenInPython, type.name + "." + name))
    return out = library_function(interpreter, "operator", name), true;
  return unbound_method(type.name, name, out);
}

// ---- as annotations have them: int | None, list[int], Optional[Tensor] ----

bool is_of_typing(const Value& value) {
  const TypeObject* type = value.as<TypeObject>();
  const UnionObject* joined = value.as<UnionObject>();
  return (type && type->name.starts_with("typing.")) || (joined && joined->is_of_typing);
}

// Each type once, without brackets of their own: int | (str | None) is int | str | None.
Value union_of(const std::vector<Value>& given, bool is_typing) {
  std::vector<Value> types;
  const auto add = [&](const Value& type) {
    if (std::none_of(types.begin(), types.end(), [&](const Value& known) { return equals(known, type); }))
      types.push_back(type);
  };
  for (const Value& each : given) {
    const UnionObject* joined = each.as<UnionObject>();
    for (const Value& type : joined ? joined->types : std::vector{each}) add(type);
  }
  return types.size() == 1 ? types[0] : Value(make<UnionObject>(std::move(types), is_typing));
}

std::optional<Value> join_types(Interpreter&, BinaryOp op, const Value& a, const Value& b, const OperatorSpans&) {
  for (const Value& each : {a, b})
    if (op != BinaryOp::BitOr ||
        !(each.as<UnionObject>() || each.as<TypeObject>() || each.as<ClassObject>() || each.is_none()))
      return std::nullopt;
  return union_of({a, b}, is_of_typing(a) || is_of_typing(b));
}

// What stands between the brackets, as one of typing's types or a plain one shows it.
std::string annotation_text(const Value& part, bool in_typing) {
  const NestedLevel level(" while getting the repr of an object");
  charge(1);
  const TypeObject* type = part.as<TypeObject>();
  const ClassObject* own = part.as<ClassObject>();
  const List* list = part.as<List>();
  const auto joined = [&](const std::vector<Value>& parts) {
    std::string text;
    for (const Value& each : parts) text += (text.empty() ? "" : ", ") + annotation_text(each, in_typing);
    return text;
  };
  if (part.is_none()) return in_typing ? "NoneType" : "None";
  if (part.as<EllipsisObject>()) return "...";
  if (part.as<Str>() && in_typing) return "ForwardRef(" + repr(part) + ")";
  if (own) return "__main__." + own->qualified_name;
  if (list) return "[" + joined(list->items) + "]";
  return type && type->arguments.empty() ? type->name : repr(part);
}

std::string arguments_text(const std::vector<Value>& arguments, bool in_typing) {
  std::string text;
  for (const Value& each : arguments) text += (text.empty() ? "" : ", ") + annotation_text(each, in_typing);
  return text;
}

std::string type_repr(const Value& self) {
  const TypeObject& type = *self.as<TypeObject>();
  const bool is_literal = type.name == "typing.Literal", in_typing = is_of_typing(self);
  if (!type.arguments.empty())
    return type.name + "[" + (is_literal ? items_repr(type.arguments) : arguments_text(type.arguments, in_typing)) +
           "]";
  const bool is_class = !in_typing || has_word("Generic Protocol ForwardRef TypeVar", type.last_name());
  return is_class ? fmt::format("<class '{}'>", type.name) : type.name;
}

// list[int]: the type, which knows what stands between the brackets.
Value type_with_arguments(Interpreter&, const Value& self, const Value& index, const OperatorSpans&) {
  const TypeObject& type = *self.as<TypeObject>();
  const Tuple* several = index.as<Tuple>();
  std::vector<Value> arguments = several ? several->items : std::vector{index};
  if (type.name == "typing.Optional") arguments.emplace_back();
  if (type.name == "typing.Optional" || type.name == "typing.Union") return union_of(arguments, true);
  const Ref<TypeObject> made = make<TypeObject>(type.name);
  made->arguments = std::move(arguments);
  return made;
}

std::string union_repr(const Value& self) {
  const UnionObject& joined = *self.as<UnionObject>();
  std::string text;
  if (!joined.is_of_typing) {
    for (const Value& type : joined.types) text += (text.empty() ? "" : " | ") + annotation_text(type, false);
    return text;
  }
  std::vector<Value> types = joined.types;
  const bool is_optional = types.size() == 2 && std::erase_if(types, [](const Value& type) { return type.is_none(); });
  return (is_optional ? "typing.Optional[" : "typing.Union[") + arguments_text(types, true) + "]";
}

}  // namespace

const Type UnionObject::kType = {
    .name = "UnionType",
    .repr = union_repr,
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      const UnionObject *x = a.as<UnionObject>(), *y = b.as<UnionObject>();
      if (!x || !y) return std::nullopt;
      const auto has = [&](const Value& type) {
        return std::any_of(y->types.begin(), y->types.end(), [&](const Value& other) { return equals(type, other); });
      };
      return x->types.size() == y->types.size() && std::all_of(x->types.begin(), x->types.end(), has);
    },
    .attribute =
        [](Interpreter&, const Value& self, const std::string& name, Span, Span, Value& out) {
          if (name == "__origin__") return out = make<TypeObject>("typing.Union"), true;
          if (name != "__args__") return false;
          std::vector<Value> joined = self.as<UnionObject>()->types;
          for (Value& type : joined)
            if (type.is_none()) type = make<TypeObject>("NoneType");
          return out = make_tuple(std::move(joined)), true;
        },
    .binary = join_types,
};

const Type TypeObject::kType = {
    .name = "type",
    .repr = type_repr,
    .hash = [](const Value& self) { return std::hash<std::string>()(self.as<TypeObject>()->name); },
    .equals = [](const Value& a, const Value& b) -> std::optional<bool> {
      const TypeObject *x = a.as<TypeObject>(), *y = b.as<TypeObject>();
      if (!x || !y) return std::nullopt;
      return x->name == y->name && std::equal(x->arguments.begin(), x->arguments.end(), y->arguments.begin(),
                                              y->arguments.end(), [](auto& p, auto& q) { return equals(p, q); });
    },
    .is_singleton = true,
    .attribute = type_attribute,
    .get_item = type_with_arguments,
    .binary = join_types,
    .call = [](Interpreter& interpreter, const Value& self,
               const CallArguments& given) { return construct(interpreter, *self.as<TypeObject>(), given); },
};

}  // namespace attn
