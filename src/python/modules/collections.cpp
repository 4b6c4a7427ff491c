#include "python/modules/collections.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/text.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/operators.h"
#include "python/types/changing.h"
#include "syntax/lexer.h"
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

// What is wrong with one of the names, which stands behind `before`; empty: nothing.
std::string fault_of(const std::string& name, std::span<const std::string> before) {
  if (!is_python_identifier(name))
    return fmt::format("Type names and field names must be valid identifiers: '{}'", name);
  if (is_keyword(name)) return fmt::format("Type names and field names cannot be a keyword: '{}'", name);
  if (name.starts_with('_')) return fmt::format("Field names cannot start with an underscore: '{}'", name);
  if (std::ranges::count(before, name) > 0) return fmt::format("Encountered duplicate field name: '{}'", name);
  return {};
}

// With rename=True a name that cannot be one gives way to its place.
void check_names(std::vector<std::string>& names, bool rename, Span span) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string fault = fault_of(names[i], std::span(names).first(i));
    if (!fault.empty() && !rename) throw CellError(Code::Value, span, fault);
    if (!fault.empty()) names[i] = fmt::format("_{}", i);
  }
}

}  // namespace

Value make_named(const Ref<ClassObject>& type, const CallArguments& arguments) {
  const Value made = make_derived(type);
  Tuple& out = *made.as<Tuple>();
  const std::vector<std::string>& fields = out.fields;
  const Value* const kept = type->find("_field_defaults");  // unless the program has changed the class
  const Ref<Dict> of_class = kept && kept->as<Dict>() ? kept->ref<Dict>() : make<Dict>();
  const Dict& defaults = *of_class;
  if (arguments.positional.size() > fields.size()) {
    throw CellError(
        Code::Type, arguments.span,
        fmt::format("{}.__new__() takes {}{} positional arguments but {} were given", type->name,
                    defaults.items.empty() ? "" : fmt::format("from {} to ", fields.size() - defaults.items.size() + 1),
                    fields.size() + 1, arguments.positional.size() + 1));
  }
  std::vector<Value> items = arguments.positional;
  std::vector<std::string> missing;
  for (std::size_t i = items.size(); i < fields.size(); ++i) {
    const auto given = std::find_if(arguments.keywords.begin(), arguments.keywords.end(),
                                    [&](const auto& item) { return item.first == fields[i]; });
    const Value* otherwise = defaults.find(make_str(fields[i]));
    if (given == arguments.keywords.end() && !otherwise) missing.push_back("'" + fields[i] + "'");
    items.push_back(given != arguments.keywords.end() ? given->second : otherwise ? *otherwise : Value());
  }
  for (const auto& [name, value] : arguments.keywords) {
    if (std::find(fields.begin(), fields.end(), name) == fields.end())
      throw CellError(Code::Type, arguments.span,
                      fmt::format("{}.__new__() got an unexpected keyword argument '{}'", type->name, name));
  }
  if (!missing.empty()) {
    throw CellError(Code::Type, arguments.span,
                    fmt::format("{}.__new__() missing {} required positional argument{}: {}", type->name,
                                missing.size(), missing.size() == 1 ? "" : "s", join(missing, ", ")));
  }
  out.items = std::move(items);
  return made;
}

void make_named_class(ClassObject& type, const std::vector<std::string>& fields, Ref<Dict> defaults) {
  std::vector<Value> names;
  for (const std::string& field : fields) names.push_back(make_str(field));
  type.builtin = "tuple";
  type.members.set("__match_args__", make_tuple(names));
  type.members.set("_fields", make_tuple(std::move(names)));
  type.members.set("_field_defaults", std::move(defaults));
  const auto from_items = [](Interpreter& interpreter, CallArguments& arguments) {
    const std::vector<Value> items = interpreter.to_vector(arguments.positional.at(1), arguments.span);
    return interpreter.call(arguments.positional[0], items, arguments.span);
  };
  type.members.set("_make", make<Wrapped>(Wrapped::How::Class, make<Builtin>("_make", from_items)));
}

namespace {

// The last fields have the defaults.
Ref<Dict> last_defaults(Interpreter& interpreter, const std::vector<std::string>& fields, const Value& defaults,
                        Span span) {
  Ref<Dict> out = make<Dict>();
  if (defaults.is_none()) return out;
  const std::vector<Value> values = interpreter.to_vector(defaults, span);
  if (values.size() > fields.size()) throw CellError(Code::Type, span, "Got more default values than field names");
  for (std::size_t i = 0; i < values.size(); ++i)
    out->set(make_str(fields[fields.size() - values.size() + i]), values[i]);
  return out;
}

Value namedtuple(Interpreter& interpreter, CallArguments& arguments) {
  Value defaults;
  bool rename = false;
  std::vector<std::pair<std::string, Value>> rest;
  for (const auto& [name, value] : arguments.keywords) {
    if (name == "defaults") defaults = value;
    else if (name == "rename") rename = truthy(value);
    else if (name == "field_names") arguments.positional.push_back(value);
    else if (name != "module") rest.emplace_back(name, value);
  }
  if (arguments.positional.size() != 2 || !rest.empty()) throw unsupported(arguments.span, "unsupported.namedtuple");
  Ref<ClassObject> type = make<ClassObject>();
  type->name = type->qualified_name = str(arguments.positional[0]);
  type->order = {type};
  std::vector<std::string> fields = field_names(interpreter, arguments);
  check_names(fields, rename, arguments.span);
  make_named_class(*type, fields, last_defaults(interpreter, fields, defaults, arguments.span));
  type->doc = type->name + "(" + join(fields, ", ") + ")";
  return type;
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
    const Value* found = counter.find(key);
    const Value held = found ? *found : Value();
    counter.set(key, found ? apply_binary(interpreter, BinaryOp::Add, held, number, {span, span, span}) : number);
  };
  if (const Dict* dict = items.as<Dict>()) {
    each_pair(*dict, count);
    return;
  }
  interpreter.for_each(items, span, [&](const Value& item) {
    count(item, Value(std::int64_t{1}));
    return true;
  });
}

}  // namespace attn
