// @dataclass: the methods that it makes from the annotated names.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"
#include "python/class.h"
#include "python/interpreter.h"
#include "python/operators.h"
#include "python/types/record.h"
#include "text/unsupported.h"

namespace attn {
namespace {

std::vector<std::string> fields_of(const ClassObject& type) {
  std::vector<std::string> fields;
  for (auto base = type.order.rbegin(); base != type.order.rend(); ++base) {
    for (const std::string& field : base->as<ClassObject>()->fields) {
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
    }
  }
  return fields;
}

Value field_default(Interpreter& interpreter, const Value& given, Span span) {
  const Instance* field = given.as<Instance>();
  if (!field || field->type->name != "Field") return given;
  const Value* factory = field->attributes.find("default_factory");
  return factory ? interpreter.call(*factory, {{}, {}, {}, span}) : *field->attributes.find("default");
}

Value initialize_dataclass(Interpreter& interpreter, CallArguments& arguments) {
  Instance& self = *arguments.positional.at(0).as<Instance>();
  const std::vector<std::string> fields = fields_of(*self.type);
  if (arguments.positional.size() > fields.size() + 1) {
    throw CellError(
        Code::Type, arguments.span,
        fmt::format("{}.__init__() takes {} positional argument{} but {} were given", self.type->qualified_name,
                    fields.size() + 1, fields.empty() ? "" : "s", arguments.positional.size()));
  }
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto keyword = std::find_if(arguments.keywords.begin(), arguments.keywords.end(),
                                      [&](const auto& item) { return item.first == fields[i]; });
    if (i + 1 < arguments.positional.size()) {
      self.attributes.set(fields[i], arguments.positional[i + 1]);
    } else if (keyword != arguments.keywords.end()) {
      self.attributes.set(fields[i], keyword->second);
    } else if (const Value* given = self.type->find(fields[i])) {
      self.attributes.set(fields[i], field_default(interpreter, *given, arguments.span));
    } else {
      missing.push_back("'" + fields[i] + "'");
    }
  }
  for (const auto& item : arguments.keywords) {
    if (std::find(fields.begin(), fields.end(), item.first) == fields.end()) {
      throw CellError(
          Code::Type, arguments.span,
          fmt::format("{}.__init__() got an unexpected keyword argument '{}'", self.type->qualified_name, item.first));
    }
  }
  if (!missing.empty()) {
    const std::string last = missing.back();
    const std::string before = join({missing.begin(), missing.end() - 1}, ", ");
    throw CellError(Code::Type, arguments.span,
                    fmt::format("{}.__init__() missing {} required positional argument{}: {}{}",
                                self.type->qualified_name, missing.size(), missing.size() == 1 ? "" : "s",
                                missing.size() == 1   ? ""
                                : missing.size() == 2 ? before + " and "
                                                      : before + ", and ",
                                last));
  }
  Value ignored;
  call_special(arguments.positional[0], "__post_init__", {}, ignored);
  return {};
}

Value dataclass_repr(Interpreter&, CallArguments& arguments) {
  const Instance& self = *arguments.positional.at(0).as<Instance>();
  std::string out;
  for (const std::string& field : fields_of(*self.type)) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", field, repr(*self.attributes.find(field)));
  }
  return make_str(self.type->name + "(" + out + ")");
}

Value dataclass_equal(Interpreter&, CallArguments& arguments) {
  const Instance& self = *arguments.positional.at(0).as<Instance>();
  const Instance* other = arguments.positional.at(1).as<Instance>();
  if (!other || other->type != self.type) return Value(false);
  const std::vector<std::string> fields = fields_of(*self.type);
  return Value(std::all_of(fields.begin(), fields.end(), [&](const std::string& field) {
    return equals(*self.attributes.find(field), *other->attributes.find(field));
  }));
}

Value fields_tuple(const Instance& object) {
  std::vector<Value> values;
  for (const std::string& field : fields_of(*object.type)) values.push_back(*object.attributes.find(field));
  return make_tuple(std::move(values));
}

template <CompareOp Op>
Value dataclass_compare(Interpreter& interpreter, CallArguments& arguments) {
  const Instance* other = arguments.positional.at(1).as<Instance>();
  const Instance& self = *arguments.positional.at(0).as<Instance>();
  if (!other || other->type != self.type) return not_implemented();
  const Span span = arguments.span;
  return apply_compare(interpreter, Op, fields_tuple(self), fields_tuple(*other), {span, span, span});
}

}  // namespace

void order_dataclass(ClassObject& type) {
  type.is_ordered = true;
  type.members.set("__lt__", make<Builtin>("__lt__", dataclass_compare<CompareOp::Less>));
  type.members.set("__le__", make<Builtin>("__le__", dataclass_compare<CompareOp::LessEqual>));
  type.members.set("__gt__", make<Builtin>("__gt__", dataclass_compare<CompareOp::Greater>));
  type.members.set("__ge__", make<Builtin>("__ge__", dataclass_compare<CompareOp::GreaterEqual>));
}

void make_dataclass(ClassObject& type) {
  if (!type.builtin.empty()) throw unsupported({}, "unsupported.class.base", {{"base", type.builtin}});
  for (const std::string& field : type.fields) {
    const Value* given = type.members.find(field);
    if (!given || !(given->as<List>() || given->as<Dict>() || given->as<Set>())) continue;
    throw CellError(Code::Value, {},
                    fmt::format("mutable default <class '{}'> for field {} is not allowed: use default_factory",
                                type_name(*given), field));
  }
  // Built-ins are not bound by themselves as functions are, so each stands behind a Method made when it is looked up.
  const std::pair<const char*, Value (*)(Interpreter&, CallArguments&)> made[] = {
      {"__init__", initialize_dataclass}, {"__repr__", dataclass_repr}, {"__eq__", dataclass_equal}};
  for (const auto& [name, function] : made) {
    if (!type.members.find(name)) type.members.set(name, make<Builtin>(name, function));
  }
  type.is_dataclass = true;
  Ref<Dict> fields = make<Dict>();
  for (const std::string& field : fields_of(type)) {
    const Value* given = type.find(field);
    fields->set(make_str(field), given ? *given : Value());
  }
  type.members.set("__dataclass_fields__", fields);
}

}  // namespace attn
