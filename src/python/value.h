#pragma once
// What a name of a cell can be bound to: Python's numbers by value, everything else as a counted object.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/letters.h"
#include "base/source.h"
#include "python/object.h"
#include "python/origin.h"
#include "python/place_table.h"
#include "python/set_order.h"
#include "syntax/ast.h"
#include "tensor/core/tensor.h"

namespace attn {

struct None {
  friend bool operator==(None, None) { return true; }
};
struct Int {
  std::int64_t value;
  const Origin* origin;  // counted by the Value that holds the number; null where nothing is known
};

/// Whether an object of a class that a cell derives from a container is of that kind.
bool derives_from(const Object& object, const Type& kind);

class Value {
 public:
  Value() = default;  // None
  Value(None) {}
  Value(bool value) : kind_(Kind::Bool) { held_.truth = value; }
  Value(std::int64_t value, const OriginPtr& origin = nullptr) : kind_(Kind::Int) {
    held_.whole = {value, origin.get()};
    retain();
  }
  Value(double value) : kind_(Kind::Float) { held_.real = value; }
  template <class T>
  Value(const Ref<T>& object) : kind_(Kind::Object) {
    held_.object = object.get();
    retain();
  }
  Value(int) = delete;  // would be ambiguous between bool, int and float
  Value(const char*) = delete;

  Value(const Value& other) noexcept : held_(other.held_), kind_(other.kind_) { retain(); }
  Value(Value&& other) noexcept : held_(other.held_), kind_(std::exchange(other.kind_, Kind::None)) {}
  Value& operator=(const Value& other) noexcept { return *this = Value(other); }
  // What was held is let go last: it may hold what holds this value.
  Value& operator=(Value&& other) noexcept {
    const Held old = held_;
    const Kind old_kind = kind_;
    held_ = other.held_;
    kind_ = std::exchange(other.kind_, Kind::None);
    release(old, old_kind);
    return *this;
  }
  [[gnu::always_inline]] ~Value() { release(held_, kind_); }

  bool is_none() const { return kind_ == Kind::None; }
  const bool* as_bool() const { return kind_ == Kind::Bool ? &held_.truth : nullptr; }
  const Int* as_int() const { return kind_ == Kind::Int ? &held_.whole : nullptr; }
  const double* as_float() const { return kind_ == Kind::Float ? &held_.real : nullptr; }
  Object* object() const { return kind_ == Kind::Object ? held_.object : nullptr; }
  /// The object as T when it is one (T has a static kType), else null.
  template <class T>
  T* as() const {
    Object* o = object();
    return o && (&o->type() == &T::kType || (o->is_derived() && derives_from(*o, T::kType))) ? static_cast<T*>(o)
                                                                                             : nullptr;
  }
  template <class T>
  Ref<T> ref() const {
    return Ref<T>(as<T>());
  }
  bool is_number() const { return kind_ >= Kind::Bool && kind_ <= Kind::Int; }

 private:
  enum class Kind : unsigned char { None, Bool, Float, Int, Object };  // what may be counted comes last
  union Held {
    bool truth;
    double real;
    Int whole;
    Object* object;
  };

  void retain() const {
    if (kind_ < Kind::Int) return;
    if (kind_ == Kind::Object && held_.object) held_.object->retain();
    if (kind_ == Kind::Int && held_.whole.origin) held_.whole.origin->retain();
  }
  static void release(const Held& held, Kind kind) {
    if (kind < Kind::Int) return;
    if (kind == Kind::Object && held.object) held.object->release();
    if (kind == Kind::Int && held.whole.origin) held.whole.origin->release();
  }

  Held held_{};
  Kind kind_ = Kind::None;
};

struct Str : Object {
  static const Type kType;
  explicit Str(std::string t) : Object(kType), text(std::move(t)) {}
  std::size_t length() const;                // in characters
  std::size_t offset(std::size_t at) const;  // the byte at which a character starts; the end when there are fewer
  void append(std::string_view more);
  std::string text;  // UTF-8; changes only where nobody else can see it, by append()

 private:
  const CharacterPlaces& places() const;
  mutable std::unique_ptr<CharacterPlaces> places_;  // of a text that is not short
};

struct List : Object {
  static const Type kType;
  explicit List(std::vector<Value> v = {}) : Object(kType), items(std::move(v)) {}
  void clear() override { items.clear(); }
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &List::items); }
  std::vector<Value> items;
};

/// Items of a list to be, however many: kept in pieces, as moving or freeing tens of millions at one go is deaf to an
/// interrupt, and a list may free its items later.
class ItemCollector {
 public:
  void add(Value item) {
    if (last_.size() == kPiece) full_.push_back(make<List>(std::exchange(last_, {})));
    last_.push_back(std::move(item));
  }
  /// All of them. Errors: LimitReached, when an interrupt is heard.
  std::vector<Value> take();

 private:
  static constexpr std::size_t kPiece = 1 << 20;
  std::vector<Value> last_;
  std::vector<Ref<List>> full_;
};

/// A tuple; torch.Size is one with `is_size`, torch.return_types.max one with `fields`.
struct Tuple : Object {
  static const Type kType;
  explicit Tuple(std::vector<Value> v = {}) : Object(kType), items(std::move(v)) {}
  void clear() override { items.clear(); }
  std::vector<Value> items;
  bool is_size = false;
  std::string type_name;            // "torch.return_types.max"
  std::vector<std::string> fields;  // "values", "indices"
};

/// Python's equality and hash, so that 1, 1.0 and True are one key.
/// Errors: TypeError for what has no hash (lists, dicts, sets).
struct ValueHash {
  std::size_t operator()(const Value& value) const;
};
/// The hash of a kind that has none.
[[noreturn]] std::size_t refuse_hash(const Value& value);

/// hash() of ints, and of what equals them, as CPython computes it; nothing for other values.
std::optional<std::int64_t> python_hash(const Value& value);

/// A mapping that keeps the order of insertion; those of `collections` have a `type_name`.
struct Dict : Object {
  static const Type kType;
  Dict() : Object(kType) {}
  void clear() override;
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &Dict::items, &Dict::factory); }
  const Value* find(const Value& key) const;
  void set(const Value& key, Value value);
  bool erase(const Value& key);
  KeyedItems<std::pair<Value, Value>> items;
  std::string type_name;  // "OrderedDict", "defaultdict", "Counter"; empty: dict
  Value factory;          // of a defaultdict: makes the value of a key that is missing
  Value mirrored;         // of object.__dict__: the object, whose attributes change with the items

 private:
  std::optional<std::size_t> place_of(const Value& key, std::size_t hash) const;
};

/// A set or, frozen, a frozenset: it does not change, and so has a hash.
struct Set : Object {
  static const Type kType;
  Set() : Object(kType) {}
  void clear() override;
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &Set::items, &Set::order_); }
  bool contains(const Value& value) const;
  bool is_subset_of(const Set& other) const;
  /// A new set of what is in `other`, too; of what is not, made as CPython makes `this - other`.
  Ref<Set> shared(const Set& other) const;
  Ref<Set> difference(const Set& other) const;
  void add(const Value& value);
  /// Adds another set as CPython does, which makes room for all of it first: the order of ints depends on that.
  void add_all(const Set& other);
  /// Before so many items are added one by one.
  void make_room(std::size_t count);
  bool erase(const Value& value);
  void erase_all(const Set& other);
  /// Removes what both have and adds what only `other` has.
  void exchange_with(const Set& other);
  void become(const Set& other);
  /// Takes one out, the first that ordered() would give to a loop; there must be one.
  Value pop();
  /// As Python goes over it: ints by the slots of a hash table, everything else in the order of insertion (Python's
  /// order of strings differs from run to run).
  std::vector<Value> ordered() const;
  KeyedItems<Value> items;
  bool is_frozen = false;

 private:
  std::optional<std::size_t> place_of(const Value& key, std::size_t hash) const;
  Value take(std::size_t place);
  std::optional<SetOrder> order_ = SetOrder();  // as long as all are numbers
};

struct Slice : Object {
  static const Type kType;
  Slice(Value a, Value b, Value c) : Object(kType), start(std::move(a)), stop(std::move(b)), step(std::move(c)) {}
  Value start, stop, step;
};

struct Range : Object {
  static const Type kType;
  Range(std::int64_t a, std::int64_t b, std::int64_t c) : Object(kType), start(a), stop(b), step(c) {}
  std::int64_t start, stop, step;
  std::int64_t length() const { return count(start, stop, step).value_or(INT64_MAX); }
  /// How many numbers such a range has; nothing: more than an int64 can say.
  static std::optional<std::int64_t> count(std::int64_t start, std::int64_t stop, std::int64_t step);
};

struct EllipsisObject : Object {
  static const Type kType;
  EllipsisObject() : Object(kType) {}
};

/// d.keys(), d.values() and d.items(): what the dict holds at the moment of looking.
struct DictView : Object {
  static const Type kType;
  enum class Part { Keys, Values, Items };
  DictView(Ref<Dict> d, Part p) : Object(kType), dict(std::move(d)), part(p) {}
  void clear() override { dict = {}; }
  std::size_t size() const { return dict->items.size(); }
  Value item(const std::pair<Value, Value>& entry) const;
  std::vector<Value> items() const;
  std::string type_name() const;  // "dict_keys"
  Ref<Dict> dict;
  Part part;
};

class GeneratorRun;
/// Anything that yields values one after another: enumerate, zip, map, a generator expression.
struct Iterator : Object {
  static const Type kType;
  /// Puts the next value into its argument; false at the end.
  using Next = std::function<bool(Value&)>;
  Iterator(std::string type, Next n) : Object(kType), type_name(std::move(type)), next(std::move(n)) {}
  void clear() override {
    next = nullptr;
    run = nullptr;
  }
  std::optional<std::unique_ptr<Kept>> keep() override { return std::nullopt; }
  std::string type_name;  // "enumerate"
  Next next;
  std::shared_ptr<GeneratorRun> run;  // of a function that yields
};

/// One axis of a tensor: its name (empty: unnamed) and the words on it, if any: one for each index, or a row of them
/// for each index of the axis called `by`.
struct Axis {
  std::string name;
  std::shared_ptr<const std::vector<std::string>> words;
  OriginPtr origin;  // of its size, when known
  std::string by = {};
};
using Axes = std::vector<Axis>;

/// A tensor as Python sees it. The names of its axes live here, on the handle; views have names of their own.
struct TensorObject : Object {
  static const Type kType;
  explicit TensorObject(Tensor t) : Object(kType), tensor(std::move(t)), axes(static_cast<std::size_t>(tensor.dim())) {}
  Tensor tensor;
  Axes axes;
  bool requires_grad = false;
  bool is_parameter = false;
  std::string grad_fn;            // "DivBackward0"; empty for a leaf
  Ref<Object> history;            // the GradNode of the op that made it (torch/gradient.h); null for a leaf
  std::size_t output = 0;         // of that op
  std::uint64_t graph_write = 0;  // of its storage, as of its history
  Ref<TensorObject> base;         // of a view: the tensor whose elements it shows, no view itself
  Ref<TensorObject> grad;
  Value hooks;       // of a leaf: a dict of what is called with its gradient
  Value attributes;  // that a program gave it, as weight.no_decay = True: a dict, or None
  void clear() override {
    hooks = attributes = {};
    history = {};
    base = {};
    grad = {};
  }
  std::optional<std::unique_ptr<Kept>> keep() override;
};

/// A numpy.ndarray: a tensor that is shown and computed with by numpy's rules (array.h).
struct Array : Object {
  static const Type kType;
  explicit Array(Ref<TensorObject> t, bool scalar = false) : Object(kType), tensor(std::move(t)), is_scalar(scalar) {}
  void clear() override { tensor = {}; }
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &Array::tensor); }
  Ref<TensorObject> tensor;
  bool is_scalar;          // a numpy.float64 and its like: no dimensions, and a number to Python and PyTorch
  bool is_turned = false;  // a[::-1]: here a copy, in numpy a view, so nothing is written to it
};

struct DTypeObject : Object {
  static const Type kType;
  explicit DTypeObject(DType d) : Object(kType), dtype(d) {}
  DType dtype;
};

class Interpreter;
struct CallArguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
  std::vector<Span> spans;  // of each, positional first
  Span span;                // of the whole call
  Span owner = {};          // of what stands before the dot of a method; empty where there is none
};

struct Function;
struct OpInfo;
/// A function of Python's or of the table of ops, by itself or bound to a tensor ("x.view").
struct Builtin : Object {
  static const Type kType;
  using Native = std::function<Value(Interpreter&, CallArguments&)>;
  Builtin(std::string n, Native f) : Object(kType), name(std::move(n)), native(std::move(f)) {}
  Builtin(std::string n, const OpInfo* o) : Object(kType), name(std::move(n)), op(o) {}
  void clear() override {
    self = Value();
    native = nullptr;
  }
  std::string name;
  Native native;
  const OpInfo* op = nullptr;
  Value self;  // the object before the dot, of a method
  bool has_self = false;
  std::string path;  // of a function of a module: "torch.relu", which is one however often it is asked for
};

/// torch, torch.nn, math: names that are looked up in a table.
struct Module : Object {
  static const Type kType;
  explicit Module(std::string n, bool unsupported = false)
      : Object(kType), name(std::move(n)), is_unsupported(unsupported) {}
  std::string name;             // "torch.nn.functional"
  bool is_unsupported = false;  // it, or a member of it, was imported and is not known here: refused when it is used
};

/// int, float, list, torch.Tensor, nn.Linear: callable, and the second argument of isinstance.
struct TypeObject : Object {
  static const Type kType;
  explicit TypeObject(std::string n) : Object(kType), name(std::move(n)) {}
  std::string last_name() const { return name.substr(name.rfind('.') + 1); }
  void clear() override { arguments.clear(); }
  std::string name;              // "int", "torch.Tensor", "torch.nn.modules.linear.Linear"
  std::vector<Value> arguments;  // of list[int]: int
};

/// int | None: what isinstance and annotations take.
struct UnionObject : Object {
  static const Type kType;
  explicit UnionObject(std::vector<Value> all, bool t = false)
      : Object(kType), types(std::move(all)), is_of_typing(t) {}
  void clear() override { types.clear(); }
  std::vector<Value> types;
  bool is_of_typing;  // Optional[int]
};

/// "int", "list", "Tensor", "NoneType": what type(x).__name__ says.
std::string type_name(const Value& value);

inline Value int_value(std::int64_t number) { return Value(number); }
Value make_str(std::string text);
Value make_list(std::vector<Value> items);
Value make_tuple(std::vector<Value> items);
Value make_size(const Shape& shape, const Axes* axes = nullptr);  // torch.Size; the ints know their axis
/// "torch.Size([2, 3])"
inline std::string size_text(const Shape& shape) { return "torch.Size(" + shape_text(shape) + ")"; }
Value make_tensor(Tensor tensor);
inline const Tensor& tensor_of(const Value& tensor) { return tensor.as<TensorObject>()->tensor; }

/// The items of a list or tuple; null for anything else.
const std::vector<Value>* items_of(const Value& value);

/// Python's repr() and str(). Containers that hold themselves print as [...].
std::string repr(const Value& value);
std::string str(const Value& value);

/// repr() for a record. It reads no file: a tensor whose elements were not looked at yet is "tensor(..., size=(2, 3))".
/// The items of containers are cut off after `longest` bytes, and 100 levels deep, of short texts 10.
constexpr std::size_t kLongestUnread = std::size_t{1} << 16;
std::string unread_repr(const Value& value, std::size_t longest = kLongestUnread);

/// repr() with everything that is not ASCII as an escape.
std::string ascii_repr(const Value& value);

/// Python's ==, for what is compared inside containers: tensors are equal when they are the same object.
bool equals(const Value& a, const Value& b);

/// bool(value). Errors: RuntimeError for a tensor of several elements, with PyTorch's text.
bool truthy(const Value& value);

/// The value as an int where Python takes it for one: int, bool, an integer tensor with one element.
std::optional<std::int64_t> as_index(const Value& value);
/// The value as a float: int, bool, float, a tensor with one element.
std::optional<double> as_real(const Value& value);
/// int, bool, float or a scalar of numpy's as an operand of a tensor op; nothing for anything else.
std::optional<Scalar> as_scalar(const Value& value);
Value from_scalar(const Scalar& scalar);

}  // namespace attn
