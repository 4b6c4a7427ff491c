#include "python/modules/collections.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "python/evaluator.h"
#include "python/natives.h"
#include "python/operators.h"
#include "text/unsupported.h"

namespace attn {
namespace {

constexpr std::string_view kCollectionTypes[] = {"OrderedDict", "defaultdict", "Counter"};

Ref<Dict> dict_from(Interpreter& interpreter, const CallArguments& arguments) {
  return interpreter.call(*find_builtin("dict"), arguments).ref<Dict>();
}

Value make_default_dict(Interpreter& interpreter, const CallArguments& arguments) {
  CallArguments rest = arguments;
  Value factory;
  if (!rest.positional.empty()) {
    factory = rest.positional[0];
    rest.positional.erase(rest.positional.begin());
    rest.spans.erase(rest.spans.begin());
  }
  Ref<Dict> out = dict_from(interpreter, rest);
  out->factory = factory;
  return out;
}

Value make_counter(Interpreter& interpreter, const CallArguments& arguments) {
  Ref<Dict> out = make<Dict>();
  if (!arguments.positional.empty()) count_into(interpreter, *out, arguments.positional[0], arguments.span);
  for (const auto& [name, value] : arguments.keywords) out->set(make_str(name), value);
  return out;
}

Value namedtuple(Interpreter& interpreter, CallArguments& arguments) {
  if (arguments.positional.size() != 2 || !arguments.keywords.empty()) {
    throw unsupported(arguments.span, "unsupported.namedtuple");
  }
  return interpreter.call(library_function(interpreter, "collections", "namedtuple"), arguments);
}

}  // namespace

bool collections_member(const std::string& name, Value& out) {
  if (name == "namedtuple") return out = make<Builtin>(name, namedtuple), true;
  if (std::find(std::begin(kCollectionTypes), std::end(kCollectionTypes), name) == std::end(kCollectionTypes))
    return false;
  return out = make<TypeObject>("collections." + name), true;
}

bool construct_collection(Interpreter& interpreter, const TypeObject& type, const CallArguments& arguments,
                          Value& out) {
  if (!type.name.starts_with("collections.")) return false;
  const std::string name = type.name.substr(type.name.find('.') + 1);
  out = name == "defaultdict" ? make_default_dict(interpreter, arguments)
        : name == "Counter"   ? make_counter(interpreter, arguments)
                              : Value(dict_from(interpreter, arguments));
  out.as<Dict>()->type_name = name;
  return true;
}

void count_into(Interpreter& interpreter, Dict& counter, const Value& items, Span span) {
  const auto count = [&](const Value& key, const Value& number) {
    const Value* held = counter.find(key);
    counter.set(key, held ? apply_binary(interpreter, BinaryOp::Add, *held, number, {span, span, span}) : number);
  };
  if (const Dict* dict = items.as<Dict>()) {
    for (const auto& [key, number] : dict->items) count(key, number);
    return;
  }
  interpreter.for_each(items, span, [&](const Value& item) {
    count(item, Value(std::int64_t{1}));
    return true;
  });
}

}  // namespace attn
