// Objects of classes that cells derive from dict, list, tuple or str: each is such a container, with a class and
// attributes. What the class defines comes first, then what the container does.
#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/words.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/interpreter.h"
#include "python/object_builtins.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/changing.h"
#include "python/types/iterators.h"

namespace attn {

bool derives_from(const Object& object, const Type& kind) { return object.type().base == &kind; }

namespace {

class KeptTwo : public Kept {
 public:
  KeptTwo(std::unique_ptr<Kept> a, std::unique_ptr<Kept> b) : a_(std::move(a)), b_(std::move(b)) {}
  void put_back() const override {
    if (a_) a_->put_back();
    b_->put_back();
  }
  void for_each_object(const std::function<void(Object&)>& visit) const override {
    if (a_) a_->for_each_object(visit);
    b_->for_each_object(visit);
  }

 private:
  std::unique_ptr<Kept> a_, b_;
};

template <class Container>
struct DerivedFrom : Container, Derived {
  template <class... Items>
  DerivedFrom(const Type& kind, Ref<ClassObject> c, Items... items) : Container(items...), Derived(std::move(c)) {
    this->derive(kind);
  }
  void clear() override {
    Container::clear();
    attributes.clear();
  }
  std::optional<std::unique_ptr<Kept>> keep() override {
    return std::make_unique<KeptTwo>(*Container::keep(),
                                     kept_members(*this, static_cast<Members DerivedFrom::*>(&Derived::attributes)));
  }
};

Derived& derived(const Value& self) {
  return self.as<Dict>()   ? static_cast<Derived&>(*static_cast<DerivedFrom<Dict>*>(self.as<Dict>()))
         : self.as<List>() ? static_cast<Derived&>(*static_cast<DerivedFrom<List>*>(self.as<List>()))
         : self.as<Str>()  ? static_cast<Derived&>(*static_cast<DerivedFrom<Str>*>(self.as<Str>()))
                           : static_cast<Derived&>(*static_cast<DerivedFrom<Tuple>*>(self.as<Tuple>()));
}
const Type& base_of(const Value& self) { return type_of(self)->base ? *type_of(self)->base : *type_of(self); }

OperatorSpans spans_at(Span span) { return {span, span, span}; }

// ---- what super() finds in the container ----

}  // namespace

void fill_container(Interpreter& interpreter, const Value& self, const CallArguments& arguments) {
  const Value made = interpreter.call(*find_builtin(Symbol(base_of(self).name)), arguments);
  if (Dict* dict = self.as<Dict>())
    each_pair(*made.as<Dict>(), [&](const Value& key, const Value& value) { dict->set(key, value); });
  if (List* list = self.as<List>()) list->items = made.as<List>()->items;
  if (Tuple* tuple = self.as<Tuple>()) tuple->items = made.as<Tuple>()->items;
}

namespace {

Value call_of_container(Interpreter& interpreter, const Value& self, const std::string& name,
                        const CallArguments& arguments) {
  const Type& base = base_of(self);
  const OperatorSpans spans = spans_at(arguments.span);
  const auto argument = [&](std::size_t i) { return arguments.positional.at(i); };
  if (name == "__init__") {
    if (!self.as<Tuple>() && !self.as<Str>()) fill_container(interpreter, self, arguments);
    return {};
  }
  if (name == "__getitem__") return base.get_item(interpreter, self, argument(0), spans);
  if (name == "__setitem__") return base.set_item(interpreter, self, argument(0), argument(1), spans), Value();
  if (name == "__delitem__") return base.delete_item(interpreter, self, argument(0), spans), Value();
  if (name == "__len__") return *base.length(self);
  if (name == "__iter__") return make<Iterator>(std::string(base.iterator), base.steps(self, arguments.span));
  if (name == "__eq__") return Value(base.equals(self, argument(0)).value_or(false));
  if (name == "__contains__" && self.as<Str>())
    return Value(base.contains(interpreter, self, argument(0), spans.whole));
  if (name == "__str__" && self.as<Str>()) return make_str(base.str(self));
  if (name == "__contains__") {
    const std::vector<Value>* items = items_of(self);
    const auto differs = [&](const Value& item) { return !equals(item, argument(0)); };
    return Value(items ? !all_items(*items, differs) : self.as<Dict>()->find(argument(0)) != nullptr);
  }
  return make_str(base.repr(self));  // __repr__, __str__
}

constexpr std::string_view kSpecials =
    "__init__ __getitem__ __setitem__ __delitem__ __len__ __iter__ __eq__ __contains__ __repr__ __str__";

}  // namespace

bool container_member(const Value& self, const std::string& name, Value& out) {
  if (container_method(self, name, out)) return true;
  const bool is_container = self.as<Dict>() || self.as<List>() || self.as<Tuple>() || self.as<Str>();
  const bool is_fixed = (self.as<Tuple>() || self.as<Str>()) && (name == "__setitem__" || name == "__delitem__");
  if (self.as<Str>() && name == "__iter__") return false;
  if (!is_container || !has_word(kSpecials, name) || is_fixed) return false;
  out = make<Builtin>(name, [self, name](Interpreter& interpreter, CallArguments& arguments) {
    return call_of_container(interpreter, self, name, arguments);
  });
  return true;
}

namespace {

// ---- slots ----

bool attribute_of_derived(Interpreter& interpreter, const Value& self, const std::string& name, Span self_span,
                          Span span, Value& out) {
  const Derived& object = derived(self);
  const Value* member = object.type->find(name);
  const Wrapped* wrapped = member ? member->as<Wrapped>() : nullptr;
  if (!wrapped || wrapped->how != Wrapped::How::Property) {
    const Value* own = object.is_its_dict ? self.as<Dict>()->find(make_str(name)) : object.attributes.find(name);
    if (own) return out = *own, true;
  }
  if (member) return out = bind_member(interpreter, *member, self, object.type, span), true;
  if (name == "__class__") return out = object.type, true;
  if (name == "__dict__") return out = object.is_its_dict ? self : dict_of(object.attributes, self), true;
  if (const auto own = base_of(self).attribute; own && own(interpreter, self, name, self_span, span, out)) return true;
  return container_member(self, name, out) || call_special(self, "__getattr__", {make_str(name)}, out);
}

bool set_attribute_of_derived(Interpreter& interpreter, const Value& self, const std::string& name, const Value& value,
                              Span span) {
  Derived& object = derived(self);
  if (name == "__dict__" && self.as<Dict>() && value.object() == self.object()) return object.is_its_dict = true;
  if (set_property(interpreter, self, name, value, span)) return true;
  if (const Tuple* named = self.as<Tuple>(); named && std::ranges::count(named->fields, name) > 0)
    throw CellError(Code::Attribute, span, "can't set attribute");
  if (object.is_its_dict) self.as<Dict>()->set(make_str(name), value);
  else object.attributes.set(name, value);
  return true;
}

std::vector<std::string> names_of_derived(const Value& self) {
  std::vector<std::string> names = attribute_names(derived(self).type);
  for (const auto& item : derived(self).attributes) names.push_back(item.first);
  return names;
}

std::string repr_of_derived(const Value& self) {
  Value own;
  return call_special(self, "__repr__", {}, own) ? str(own) : base_of(self).repr(self);
}

std::optional<Value> length_of_derived(const Value& self) {
  Value own;
  return call_special(self, "__len__", {}, own) ? own : base_of(self).length(self);
}

Iterator::Next steps_of_derived(const Value& self, Span span) {
  Value own;
  return call_special(self, "__iter__", {}, own) ? step_with(*Interpreter::current(), own, span)
                                                 : base_of(self).steps(self, span);
}

void each_of_derived(Interpreter& interpreter, const Value& self, Span span, const Visit& visit) {
  Value own;
  if (!call_special(self, "__iter__", {}, own)) return base_of(self).each(interpreter, self, span, visit);
  const Iterator::Next next = step_with(interpreter, own, span);
  for (Value item; next(item) && visit(item);) charge(1);
}

Value item_of_derived(Interpreter& interpreter, const Value& self, const Value& index, const OperatorSpans& spans) {
  Value own;
  if (call_special(self, "__getitem__", {index}, own)) return own;
  const Dict* dict = self.as<Dict>();
  if (dict && !dict->find(index) && call_special(self, "__missing__", {index}, own)) return own;
  return base_of(self).get_item(interpreter, self, index, spans);
}

void set_item_of_derived(Interpreter& interpreter, const Value& self, const Value& index, const Value& value,
                         const OperatorSpans& spans) {
  Value own;
  if (!call_special(self, "__setitem__", {index, value}, own))
    base_of(self).set_item(interpreter, self, index, value, spans);
}

void delete_item_of_derived(Interpreter& interpreter, const Value& self, const Value& index,
                            const OperatorSpans& spans) {
  Value own;
  if (!call_special(self, "__delitem__", {index}, own)) base_of(self).delete_item(interpreter, self, index, spans);
}

bool derived_contains(Interpreter& interpreter, const Value& self, const Value& item, Span span) {
  Value own;
  if (!call_special(self, "__contains__", {item}, own))
    own = call_of_container(interpreter, self, "__contains__", {{item}, {}, {span}, span});
  return truthy(own);
}

Value empty_like(const Value& self) {
  const Value made = make_derived(derived(self).type, self.as<Str>() ? self.as<Str>()->text : std::string());
  derived(made).is_its_dict = derived(self).is_its_dict;
  return made;
}

Value copy_of_derived(const Value& self, Span span) {
  const Value made = empty_like(self);
  derived(made).attributes = derived(self).attributes;
  if (!self.as<Str>()) fill_container(*Interpreter::current(), made, {{self}, {}, {span}, span});
  return made;
}

Value deep_copy_of_derived(const Value& self, Copier& copier) {
  const Value made = copier.remember(self, empty_like(self));
  for (const auto& [name, item] : Members(derived(self).attributes))
    derived(made).attributes.set(name, copier.copy(item));
  if (const Dict* dict = self.as<Dict>())
    each_pair(*dict,
              [&](const Value& key, const Value& item) { made.as<Dict>()->set(copier.copy(key), copier.copy(item)); });
  if (const List* list = self.as<List>()) {
    std::vector<Value>& out = made.as<List>()->items;
    all_items(list->items, [&](const Value& item) { return out.push_back(copier.copy(item)), true; });
  }
  if (const Tuple* tuple = self.as<Tuple>())
    for (const Value& item : tuple->items) made.as<Tuple>()->items.push_back(copier.copy(item));
  return made;
}

Type derived_kind(const Type& base) {
  Type kind = base;
  kind.base = &base;
  kind.name_of = [](const Value& self) {
    const std::string& name = derived(self).type->name;  // "torch.return_types.linalg_qr" of a named tuple
    return name.substr(name.rfind('.') + 1);
  };
  kind.path = nullptr;
  kind.listed_as = base.name;
  kind.repr = repr_of_derived;
  kind.class_of = [](const Value& self) { return derived(self).type.get(); };
  kind.length = length_of_derived;
  kind.each = each_of_derived;
  kind.steps = base.steps ? steps_of_derived : nullptr;
  kind.attribute = attribute_of_derived;
  kind.set_attribute = set_attribute_of_derived;
  kind.delete_attribute = [](Interpreter&, const Value& self, const std::string& name, Span) {
    return derived(self).is_its_dict ? self.as<Dict>()->erase(make_str(name)) : derived(self).attributes.erase(name);
  };
  kind.attribute_names = names_of_derived;
  kind.get_item = item_of_derived;
  if (base.set_item) kind.set_item = set_item_of_derived;
  if (base.delete_item) kind.delete_item = delete_item_of_derived;
  kind.contains = derived_contains;
  kind.copy = copy_of_derived;
  kind.deep_copy = deep_copy_of_derived;
  return kind;
}

}  // namespace

Value make_derived(const Ref<ClassObject>& type, const std::string& text) {
  static const Type dict = derived_kind(Dict::kType), list = derived_kind(List::kType),
                    tuple = derived_kind(Tuple::kType), str = derived_kind(Str::kType);
  if (type->builtin == "dict") return make<DerivedFrom<Dict>>(dict, type);
  if (type->builtin == "list") return make<DerivedFrom<List>>(list, type);
  if (type->builtin == "str") return make<DerivedFrom<Str>>(str, type, text);
  Ref<DerivedFrom<Tuple>> out = make<DerivedFrom<Tuple>>(tuple, type);
  if (const Value* fields = type->find("_fields"); fields && fields->as<Tuple>()) {
    out->type_name = type->name;
    for (const Value& field : fields->as<Tuple>()->items) out->fields.push_back(attn::str(field));
  }
  return out;
}

}  // namespace attn
