// @dataclass: the methods that it makes from the annotated names.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "python/class.h"
#include "python/interpreter.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/record.h"
#include "text/unsupported.h"

namespace attn {
namespace {

std::vector<std::string> fields_of(const ClassObject& type) {
  std::vector<std::string> fields;
  std::unordered_set<std::string_view> known;
  for (auto base = type.order.rbegin(); base != type.order.rend(); ++base) {
    for (const std::string& field : base->as<ClassObject>()->fields) {
      look();
      if (known.insert(field).second) fields.push_back(field);
    }
  }
  return fields;
}

/// Whether the class or a base names the field among those.
bool is_among(std::vector<std::string> ClassObject::*fields, const ClassObject& type, const std::string& field) {
  return std::any_of(type.order.begin(), type.order.end(), [&](const Value& base) {
    const std::vector<std::string>& names = base.as<ClassObject>()->*fields;
    return std::find(names.begin(), names.end(), field) != names.end();
  });
}
/// Whether only __init__() and __post_init__() are given it.
bool is_init_only(const ClassObject& type, const std::string& field) {
  return is_among(&ClassObject::init_only, type, field);
}
bool is_keyword_only(const ClassObject& type, const std::string& field) {
  return is_among(&ClassObject::keyword_only, type, field);
}

/// What field() gave for a name of the class; null: it has a plain value, or none.
const Instance* field_named(const ClassObject& type, const std::string& name) {
  const Value* given = type.find(name);
  const Instance* field = given ? given->as<Instance>() : nullptr;
  return field && field->type->name == "Field" ? field : nullptr;
}

/// What field() was told of a name of the class; null: nothing.
const Value* setting_of(const ClassObject& type, const std::string& name, const char* setting) {
  const Instance* field = field_named(type, name);
  return field ? field->attributes.find(setting) : nullptr;
}

/// The fields but for those with field(repr=False), field(compare=False).
std::vector<std::string> fields_with(const ClassObject& type, const char* setting) {
  std::vector<std::string> fields = fields_of(type);
  std::erase_if(fields, [&](const std::string& name) {
    const Value* wanted = setting_of(type, name, setting);
    if (std::string_view(setting) != "init" && is_init_only(type, name)) return true;
    return wanted && !truthy(*wanted);
  });
  return fields;
}

/// Nothing: it has to be given.
std::optional<Value> field_default(Interpreter& interpreter, const ClassObject& type, const std::string& name,
                                   Span span) {
  const Instance* field = field_named(type, name);
  const Value* plain = field ? field->attributes.find("default") : type.find(name);
  if (plain) return *plain;
  const Value* factory = field ? field->attributes.find("default_factory") : nullptr;
  return factory ? std::optional(interpreter.call(*factory, {{}, {}, {}, span})) : std::nullopt;
}

/// One that __post_init__() or an __init__() of its own should have set may be missing; then the class may have it.
const Value& value_of(const Instance& object, const std::string& field) {
  const Value* value = object.attributes.find(field);
  const ClassObject& type = *object.type;
  if (!value) value = field_named(type, field) ? setting_of(type, field, "default") : type.find(field);
  if (!value) throw CellError(Code::Attribute, {}, fmt::format("'{}' object has no attribute '{}'", type.name, field));
  return *value;
}

// Of a method that may be called by way of its class, with anything.
Instance& self_of(const CallArguments& arguments) {
  Instance* const self = arguments.positional.at(0).as<Instance>();
  if (!self) throw CellError(Code::Type, arguments.span, "the first argument must be an instance of the class");
  return *self;
}

Value initialize_dataclass(Interpreter& interpreter, CallArguments& arguments) {
  Instance& self = self_of(arguments);
  std::vector<std::string> fields = fields_with(*self.type, "init");
  const auto by_name = std::stable_partition(
      fields.begin(), fields.end(), [&](const std::string& field) { return !is_keyword_only(*self.type, field); });
  const auto positional = static_cast<std::size_t>(by_name - fields.begin());
  if (arguments.positional.size() > positional + 1) {
    throw CellError(
        Code::Type, arguments.span,
        fmt::format("{}.__init__() takes {} positional argument{} but {} were given", self.type->qualified_name,
                    positional + 1, positional == 0 ? "" : "s", arguments.positional.size()));
  }
  std::vector<std::string> missing;  // those that may be given by place, else those that may not
  bool are_by_name = false;
  std::vector<Value> init_only;  // what __post_init__() is given
  const auto take = [&](const std::string& field, const Value& value) {
    if (is_init_only(*self.type, field)) init_only.push_back(value);
    else self.attributes.set(field, value);
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    look();
    const auto keyword = std::find_if(arguments.keywords.begin(), arguments.keywords.end(),
                                      [&](const auto& item) { return item.first == fields[i]; });
    if (i + 1 < arguments.positional.size()) {
      if (keyword != arguments.keywords.end())
        throw CellError(
            Code::Type, arguments.span,
            fmt::format("{}.__init__() got multiple values for argument '{}'", self.type->qualified_name, fields[i]));
      take(fields[i], arguments.positional[i + 1]);
    } else if (keyword != arguments.keywords.end()) {
      take(fields[i], keyword->second);
    } else if (const auto given = field_default(interpreter, *self.type, fields[i], arguments.span)) {
      take(fields[i], *given);
    } else if (missing.empty() || are_by_name == (i >= positional)) {
      are_by_name = i >= positional;
      missing.push_back("'" + fields[i] + "'");
    }
  }
  for (const auto& item : arguments.keywords) {
    look();
    if (std::find(fields.begin(), fields.end(), item.first) == fields.end()) {
      throw CellError(
          Code::Type, arguments.span,
          fmt::format("{}.__init__() got an unexpected keyword argument '{}'", self.type->qualified_name, item.first));
    }
  }
  if (!missing.empty()) {
    const std::string last = missing.back();
    const std::string before = join({missing.begin(), missing.end() - 1}, ", ");
    throw CellError(
        Code::Type, arguments.span,
        fmt::format("{}.__init__() missing {} required {} argument{}: {}{}", self.type->qualified_name, missing.size(),
                    are_by_name ? "keyword-only" : "positional", missing.size() == 1 ? "" : "s",
                    missing.size() == 1   ? ""
                    : missing.size() == 2 ? before + " and "
                                          : before + ", and ",
                    last));
  }
  const std::vector<std::string> all = fields_of(*self.type);
  for (std::size_t i = 0; all.size() > fields.size() && i < all.size(); ++i) {  // field(init=False)
    look();
    const std::string& field = all[i];
    if (is_init_only(*self.type, field) || std::find(fields.begin(), fields.end(), field) != fields.end()) continue;
    if (const auto given = field_default(interpreter, *self.type, field, arguments.span))
      self.attributes.set(field, *given);
  }
  Value ignored;
  call_special(arguments.positional[0], "__post_init__", init_only, ignored);
  return {};
}

Value dataclass_repr(Interpreter&, CallArguments& arguments) {
  const Instance& self = self_of(arguments);
  std::string out = self.type->name + "(";
  const std::size_t start = out.size();
  for (const std::string& field : fields_with(*self.type, "repr")) {
    if (is_cut_off(out)) break;
    charge(1);
    if (out.size() > start) out += ", ";
    out += field;
    out += '=';
    out += repr(value_of(self, field));
  }
  out += ')';
  return make_str(std::move(out));
}

// What a comparison is between, or nothing where they are not of one class.
const Instance* other_of_one_class(CallArguments& arguments) {
  const Instance* self = arguments.positional.at(0).as<Instance>();
  const Instance* other = arguments.positional.at(1).as<Instance>();
  return self && other && self->type == other->type ? other : nullptr;
}

Value dataclass_equal(Interpreter&, CallArguments& arguments) {
  const Instance* other = other_of_one_class(arguments);
  if (!other) return not_implemented();
  const Instance& self = self_of(arguments);
  const std::vector<std::string> fields = fields_with(*self.type, "compare");
  return Value(std::all_of(fields.begin(), fields.end(), [&](const std::string& field) {
    return equals(value_of(self, field), value_of(*other, field));
  }));
}

Value fields_tuple(const Instance& object) {
  std::vector<Value> values;
  for (const std::string& field : fields_with(*object.type, "compare")) values.push_back(value_of(object, field));
  return make_tuple(std::move(values));
}

template <CompareOp Op>
Value dataclass_compare(Interpreter& interpreter, CallArguments& arguments) {
  const Instance* other = other_of_one_class(arguments);
  if (!other) return not_implemented();
  const Instance& self = self_of(arguments);
  const Span span = arguments.span;
  return apply_compare(interpreter, Op, fields_tuple(self), fields_tuple(*other), {span, span, span});
}

}  // namespace

void make_dataclass(ClassObject& type, const DataclassOptions& options) {
  if (!type.builtin.empty()) throw unsupported({}, "unsupported.class.base", {{"base", type.builtin}});
  for (const std::string& field : type.fields) {
    const Value* given = type.members.find(field);
    if (!given || !(given->as<List>() || given->as<Dict>() || given->as<Set>())) continue;
    throw CellError(Code::Value, {},
                    fmt::format("mutable default <class '{}'> for field {} is not allowed: use default_factory",
                                type_name(*given), field));
  }
  // Built-ins are not bound by themselves as functions are, so each stands behind a Method made when it is looked up.
  const std::tuple<bool, const char*, Value (*)(Interpreter&, CallArguments&)> made[] = {
      {options.init, "__init__", initialize_dataclass},
      {options.repr, "__repr__", dataclass_repr},
      {options.eq, "__eq__", dataclass_equal},
      {options.order, "__lt__", dataclass_compare<CompareOp::Less>},
      {options.order, "__le__", dataclass_compare<CompareOp::LessEqual>},
      {options.order, "__gt__", dataclass_compare<CompareOp::Greater>},
      {options.order, "__ge__", dataclass_compare<CompareOp::GreaterEqual>}};
  for (const auto& [is_wanted, name, function] : made) {
    if (is_wanted && !type.members.find(name)) type.members.set(name, make<Builtin>(name, function));
  }
  type.is_dataclass = true;
  type.is_frozen = options.frozen;
  type.has_field_hash = options.unsafe_hash || (options.eq && options.frozen);
  for (const std::string& field : type.fields) {
    const Value* own = setting_of(type, field, "kw_only");
    if (own ? truthy(*own) : options.kw_only) type.keyword_only.push_back(field);
  }
  if (options.slots) {
    std::vector<Value> slots;
    for (const std::string& field : type.fields) slots.push_back(make_str(field));
    type.members.set("__slots__", make_tuple(std::move(slots)));
    type.look_for_slots();
  }
  Ref<Dict> fields = make<Dict>();
  for (const std::string& field : fields_of(type)) {
    if (is_init_only(type, field)) continue;
    const Value* given = type.find(field);
    fields->set(make_str(field), given ? *given : Value());
  }
  type.members.set("__dataclass_fields__", fields);
  std::vector<Value> arguments;
  for (const std::string& field : fields_with(type, "init"))
    if (!is_keyword_only(type, field)) arguments.push_back(make_str(field));
  if (options.match_args && !type.members.find("__match_args__"))
    type.members.set("__match_args__", make_tuple(std::move(arguments)));
}

}  // namespace attn
