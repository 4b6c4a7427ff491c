#pragma once
// Classes that cells define, their instances, and how attributes are found on them. A class derived from nn.Module
// makes Layers (layer.h), any other class makes Instances.
#include <string>
#include <utility>
#include <vector>

#include "python/name_table.h"
#include "python/value.h"

namespace attn {

struct LayerInfo;

struct ClassObject : Object {
  static const Type kType;
  ClassObject() : Object(kType) {}
  void clear() override;
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &ClassObject::members); }

  /// A member of the class or of the nearest base that has it, starting behind `after` when that is given.
  const Value* find(std::string_view name, const ClassObject* after = nullptr) const;
  bool derives_from(const ClassObject& other) const;
  /// Sets `slots` from __slots__ of this class and of those that it derives from.
  void look_for_slots();

  std::string name;
  std::string qualified_name;  // "Outer.Inner"
  std::string doc;             // the text that opens its body
  std::vector<Value> bases;    // as written
  std::vector<Value> order;    // the classes of cells in which members are looked for, this one first
  std::vector<Value> mro;      // `order` with built-in types in it; empty if it has none
  Members members;
  std::vector<std::string> fields;                // annotated names of the body, for @dataclass
  std::vector<std::string> init_only;             // those of them that only __post_init__() is given: InitVar
  std::vector<std::string> keyword_only;          // those of them that __init__() takes by name
  std::optional<std::vector<std::string>> slots;  // the only attributes that its objects may have
  const LayerInfo* layer = nullptr;               // the layer of torch.nn that it derives from
  std::string exception;                          // the built-in exception that it derives from
  std::string builtin;  // another built-in type that it derives from ("object", "dict", "list", "tuple", "str"; "int":
                        // an Enum's)
  Ref<ClassObject> meta;  // `metaclass=` of it or of a base: the methods of the class itself
  bool is_dataclass = false;
  bool is_generic = false;      // derives from typing.Generic
  bool is_frozen = false;       // @dataclass(frozen=True)
  bool has_field_hash = false;  // a dataclass whose objects have the hash of what their fields hold
};

struct Instance : Object {
  static const Type kType;
  explicit Instance(Ref<ClassObject> c) : Object(kType), type(std::move(c)) {}
  void clear() override;
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &Instance::attributes); }
  Ref<ClassObject> type;
  Members attributes;
};

/// What an object has beside its items when its class derives from dict, list, tuple or str.
struct Derived {
  explicit Derived(Ref<ClassObject> c) : type(std::move(c)) {}
  Ref<ClassObject> type;
  Members attributes;
  bool is_its_dict = false;  // self.__dict__ = self: attributes are its items
};

/// object.__dict__: what is written into it becomes an attribute of the object.
Value dict_of(const Members& attributes, const Value& object);

/// A function or built-in bound to the object before the dot.
struct BoundMethod : Object {
  static const Type kType;
  BoundMethod(Value f, Value s) : Object(kType), function(std::move(f)), self(std::move(s)) {}
  void clear() override;
  Value function, self;
};

/// What @property, @staticmethod and @classmethod make of a function.
struct Wrapped : Object {
  static const Type kType;
  enum class How { Property, Static, Class };
  Wrapped(How h, Value f) : Object(kType), how(h), function(std::move(f)) {}
  void clear() override;
  How how;
  Value function;
  Value setter, deleter;  // of a property; None: it has none
};

/// super(): attributes of `self` looked for behind the class `after`.
struct Super : Object {
  static const Type kType;
  Super(Ref<ClassObject> c, Value s) : Object(kType), after(std::move(c)), self(std::move(s)) {}
  void clear() override;
  Ref<ClassObject> after;
  Value self;
};

/// An exception of Python's as a value: what `except ... as error` binds.
struct ExceptionObject : Object {
  static const Type kType;
  ExceptionObject(std::string t, std::vector<Value> a) : Object(kType), type(std::move(t)), arguments(std::move(a)) {}
  void clear() override {
    arguments.clear();
    attributes.clear();
  }
  std::optional<std::unique_ptr<Kept>> keep() override {
    return kept_members(*this, &ExceptionObject::arguments, &ExceptionObject::attributes);
  }
  std::string type;  // "ValueError"
  std::vector<Value> arguments;
  Members attributes;  // what else a cell or `raise ... from` put on it
};

/// torch.no_grad() and its like: switches gradients for a `with` block or, as a decorator, for a function.
struct GradMode : Object {
  static const Type kType;
  explicit GradMode(bool e, std::optional<bool> b = {}) : Object(kType), enabled(e), before(b) {}
  std::optional<std::unique_ptr<Kept>> keep() override {
    return kept_members(*this, &GradMode::enabled, &GradMode::before, &GradMode::outer);
  }
  void enter(Interpreter& interpreter);
  void leave(Interpreter& interpreter);
  bool enabled;
  std::optional<bool> before;  // of set_grad_enabled(), which has switched when its block begins
  std::vector<bool> outer;     // of the blocks that it was entered for
};

/// The class of an Instance or of a Layer that a cell's class made; null for anything else.
ClassObject* class_of(const Value& value);

/// A member as it is seen through an object: functions are bound to it, properties are computed.
Value bind_member(Interpreter& interpreter, const Value& member, const Value& self, const Ref<ClassObject>& type,
                  Span span);

/// Hands the value to the property of that name in the object's class; false when it has none.
bool set_property(Interpreter& interpreter, const Value& object, const std::string& name, const Value& value,
                  Span span);
/// Calls the deleter of such a property. Errors: AttributeError if it has none.
bool delete_property(Interpreter& interpreter, const Value& object, const std::string& name, Span span);

/// Calls `object.name(arguments...)` when the object's class defines that method. False when it does not.
bool call_special(const Value& object, std::string_view name, std::vector<Value> arguments, Value& out);
bool has_special(const Value& object, std::string_view name);

/// An object of a class that derives from dict, list or tuple, without items, or from str; and what super() finds in
/// these.
Value make_derived(const Ref<ClassObject>& type, const std::string& text = {});
/// Puts in what the constructor of the container makes of the arguments.
void fill_container(Interpreter& interpreter, const Value& self, const CallArguments& arguments);
bool container_member(const Value& self, const std::string& name, Value& out);

/// Makes an object of the class and runs its __init__.
Value instantiate(Interpreter& interpreter, const Ref<ClassObject>& type, const CallArguments& arguments);

/// What @dataclass(...) may be told, by Python's names.
struct DataclassOptions {
  bool init = true, repr = true, eq = true, order = false, unsafe_hash = false, frozen = false, match_args = true,
       kw_only = false, slots = false;
};
/// The decorator @dataclass: what the options ask for, from the annotated names.
void make_dataclass(ClassObject& type, const DataclassOptions& options);

}  // namespace attn
