// Classes: their bases, the order in which members are looked up, fields, and what their body leaves behind.
#include <algorithm>

#include "base/limits.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/modules/collections.h"
#include "python/modules/unsupported_names.h"
#include "python/natives.h"
#include "python/object_builtins.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// The functions in a class body know their class, for super().
void own(const Value& member, const Value& type) {
  if (Function* function = member.as<Function>()) {
    if (function->owner.is_none()) function->owner = type;
  } else if (const Wrapped* wrapped = member.as<Wrapped>()) {
    own(wrapped->function, type);
    own(wrapped->setter, type);
    own(wrapped->deleter, type);
  }
}

// A base that Python or PyTorch brings: decides what kind of objects the class makes.
bool take_builtin_base(ClassObject& type, const std::string& base) {
  if (base == "object") return true;
  if (base == "dict" || base == "list" || base == "tuple" || base == "str" || base == "int")
    return type.builtin = base, true;
  if (is_exception_name(base)) return type.exception = base, true;
  if (const LayerInfo* layer = native_base(base)) return type.layer = layer, true;
  if (base == "typing.NamedTuple") return type.builtin = "tuple", true;
  if (base == "typing.TypedDict") return type.builtin = "dict", true;
  return type.is_generic = base.starts_with("typing.");
}

// ClassVar, typing.ClassVar[int], dataclasses.InitVar[int], ...
bool is_annotated_as(std::string_view kind, const Expr* annotation) {
  if (const Subscript* of = std::get_if<Subscript>(&annotation->node)) annotation = of->object.get();
  const Name* name = std::get_if<Name>(&annotation->node);
  const Attribute* member = std::get_if<Attribute>(&annotation->node);
  return (name && name->id.text() == kind) || (member && member->name == kind);
}

void collect_fields(const Block& body, ClassObject& type) {
  for (const Stmt& stmt : body) {
    const AnnAssign* field = std::get_if<AnnAssign>(&stmt.node);
    const Name* name = field ? std::get_if<Name>(&field->target->node) : nullptr;
    if (!name || is_annotated_as("ClassVar", field->annotation.get())) continue;
    type.fields.push_back(name->id);
    if (is_annotated_as("InitVar", field->annotation.get())) type.init_only.push_back(name->id);
  }
}

// A class body below typing.NamedTuple: its annotated names are the fields, what they are set to the defaults.
void take_named_fields(ClassObject& type) {
  Ref<Dict> defaults = make<Dict>();
  for (const std::string& field : type.fields) {
    const Value* given = type.members.find(field);
    if (!given) continue;
    defaults->set(make_str(field), *given);
    type.members.erase(field);
  }
  make_named_class(type, type.fields, std::move(defaults));
}

}  // namespace

Ref<ClassObject> Evaluator::make_class(const ClassDef& node, const Stmt& stmt) {
  Ref<ClassObject> type = make<ClassObject>();
  type->name = node.name;
  type->qualified_name = name_prefix(in_.scope_.get()) + node.name;
  type->doc = doc_of(node.body);
  std::vector<Value> bases;
  bool is_named = false;  // derives from typing.NamedTuple itself
  CallArguments rest;     // what the class statement gives to __init_subclass__
  for (const Argument& argument : node.bases) {
    const Value base = evaluate(*argument.value);
    if (argument.kind != ArgumentKind::Positional) {
      if (argument.name != "metaclass") rest.keywords.emplace_back(argument.name, base);
      else if (base.as<ClassObject>()) type->meta = base.ref<ClassObject>();
      continue;
    }
    bases.push_back(base);
    if (const ClassObject* own_base = base.as<ClassObject>()) {
      if (own_base->layer) type->layer = own_base->layer;
      if (!type->meta) type->meta = own_base->meta;
      if (!own_base->exception.empty()) type->exception = own_base->exception;
      if (!own_base->builtin.empty()) type->builtin = own_base->builtin;
      type->is_dataclass = type->is_dataclass || own_base->is_dataclass;
      type->is_generic = type->is_generic || own_base->is_generic;
      continue;
    }
    const TypeObject* builtin = base.as<TypeObject>();
    is_named = is_named || (builtin && builtin->name == "typing.NamedTuple");
    if (const Module* module = base.as<Module>(); module && module->is_unsupported) {
      refuse_name(module->name, argument.value->span);
    } else if (!builtin || !take_builtin_base(*type, builtin->name)) {
      throw unsupported(argument.value->span, "unsupported.class.base",
                        {{"base", builtin ? builtin->name : type_name(base)}});
    }
  }
  const bool is_mixed = type->layer || !type->exception.empty() || type->is_dataclass ||
                        (type->builtin == "int" && !type->meta);  // only members of enumerations are ints
  if (is_mixed && !type->builtin.empty())
    throw unsupported(stmt.header_span, "unsupported.class.base", {{"base", type->builtin}});
  type->bases = bases;
  type->order = resolution_order(type, bases, stmt.header_span);
  type->mro = type->order;
  if (std::erase_if(type->order, [](const Value& each) { return !each.as<ClassObject>(); }) == 0) type->mro.clear();
  collect_fields(node.body, *type);

  const auto outer = in_.scope_;
  auto scope = make<Scope>();
  scope->outer = outer;
  scope->class_name = type->qualified_name;
  struct Restore {
    Ref<Scope>& place;
    Ref<Scope> value;
    ~Restore() { place = value; }
  } restore{in_.scope_, outer};
  in_.scope_ = scope;
  run(node.body);
  for (const auto& [name, value] : scope->names) {
    look();
    type->members.set(name, value);
  }
  if (is_named) take_named_fields(*type);
  for (const std::string_view name :
       {"__new__", "__getattribute__", "__get__", "__set__", "__set_name__", "__class_getitem__"}) {
    if (!type->members.find(name)) continue;
    throw unsupported(stmt.header_span, "unsupported.class.member", {{"name", std::string(name)}});
  }
  type->look_for_slots();
  for (const auto& member : type->members) own(member.second, type);
  if (const Value* hook = type->members.find("__init_subclass__"); hook && hook->as<Function>())
    type->members.set("__init_subclass__", make<Wrapped>(Wrapped::How::Class, *hook));
  rest.span = stmt.header_span;
  rest.spans.assign(rest.keywords.size(), rest.span);
  if (const Value* hook = type->find("__init_subclass__", type.get()))
    in_.call(bind_member(in_, *hook, type, type, rest.span), rest);
  else if (!rest.keywords.empty())
    throw CellError(Code::Type, rest.span, type->name + ".__init_subclass__() takes no keyword arguments");
  return type;
}

Evaluator::Flow Evaluator::execute(const ClassDef& node, const Stmt& stmt) {
  const Value type = make_class(node, stmt);
  assign_name(node.name, decorated(type, node.decorators), stmt.header_span);
  return Flow::Next;
}

}  // namespace attn
