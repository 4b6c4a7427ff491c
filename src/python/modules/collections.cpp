#include "python/modules/collections.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"
#include "python/evaluator.h"
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

// ---- namedtuple ----

std::vector<std::string> field_names(Interpreter& interpreter, const CallArguments& arguments) {
  std::vector<std::string> names;
  if (const Str* text = arguments.positional[1].as<Str>()) {
    std::string word;
    for (const char c : text->text + " ") {
      if (c != ' ' && c != ',') {
        word += c;
      } else if (!word.empty()) {
        names.push_back(std::move(word));
        word.clear();
      }
    }
    return names;
  }
  for (const Value& name : interpreter.to_vector(arguments.positional[1], arguments.span)) names.push_back(str(name));
  return names;
}

Value make_named(const std::string& type, const std::vector<std::string>& fields, const CallArguments& arguments) {
  if (arguments.positional.size() > fields.size()) {
    throw CellError(Code::Type, arguments.span,
                    fmt::format("{}.__new__() takes {} positional arguments but {} were given", type, fields.size() + 1,
                                arguments.positional.size() + 1));
  }
  std::vector<Value> items = arguments.positional;
  std::vector<std::string> missing;
  for (std::size_t i = items.size(); i < fields.size(); ++i) {
    const auto given = std::find_if(arguments.keywords.begin(), arguments.keywords.end(),
                                    [&](const auto& item) { return item.first == fields[i]; });
    if (given == arguments.keywords.end()) missing.push_back("'" + fields[i] + "'");
    items.push_back(given == arguments.keywords.end() ? Value() : given->second);
  }
  for (const auto& [name, value] : arguments.keywords) {
    if (std::find(fields.begin(), fields.end(), name) == fields.end())
      throw CellError(Code::Type, arguments.span,
                      fmt::format("{}.__new__() got an unexpected keyword argument '{}'", type, name));
  }
  if (!missing.empty()) {
    throw CellError(Code::Type, arguments.span,
                    fmt::format("{}.__new__() missing {} required positional argument{}: {}", type, missing.size(),
                                missing.size() == 1 ? "" : "s", join(missing, ", ")));
  }
  Ref<Tuple> out = make<Tuple>(std::move(items));
  out->type_name = type;
  out->fields = fields;
  return out;
}

Value namedtuple(Interpreter& interpreter, CallArguments& arguments) {
  if (arguments.positional.size() != 2 || !arguments.keywords.empty()) {
    throw unsupported(arguments.span, "unsupported.namedtuple");
  }
  const std::string type = str(arguments.positional[0]);
  return make<Builtin>(type, [type, fields = field_names(interpreter, arguments)](Interpreter&, CallArguments& inner) {
    return make_named(type, fields, inner);
  });
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
