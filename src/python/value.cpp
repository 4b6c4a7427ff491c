#include "python/value.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/number.h"
#include "python/class.h"
#include "python/modules/library.h"
#include "python/python_builtins.h"
#include "python/types/record.h"
#include "tensor/core/read.h"
#include "text/say.h"
#include "torch/nn/layer.h"
#include "torch/numpy/array.h"

namespace attn {
namespace {

// Python's True == 1 == 1.0: one number for hashing and comparing, exact for ints.
std::optional<double> number_of(const Value& value) {
  if (const bool* b = value.as_bool()) return *b ? 1.0 : 0.0;
  if (const Int* i = value.as_int()) return static_cast<double>(i->value);
  if (const double* d = value.as_float()) return *d;
  if (const Array* array = value.as<Array>(); array && array->is_scalar) return to_double(item(array->tensor->tensor));
  return std::nullopt;
}

bool equal_items(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), equals);
}

bool equal_dicts(const Dict& a, const Dict& b) {
  return a.items.size() == b.items.size() && std::all_of(a.items.begin(), a.items.end(), [&](const auto& item) {
           const Value* other = b.find(item.first);
           return other && equals(item.second, *other);
         });
}

// The elements of a set, or of a view that compares like one; the values of a dict are equal only to themselves.
std::optional<std::vector<Value>> set_elements(const Value& value) {
  if (const Set* set = value.as<Set>()) return set->items;
  const DictView* view = value.as<DictView>();
  if (view && view->part != DictView::Part::Values) return view->items();
  return std::nullopt;
}

bool equal_views(const Value& a, const Value& b) {
  const auto x = set_elements(a), y = set_elements(b);
  return x && y && x->size() == y->size() && std::all_of(x->begin(), x->end(), [&](const Value& item) {
           return std::any_of(y->begin(), y->end(), [&](const Value& other) { return equals(item, other); });
         });
}

bool equal_objects(const Value& a, const Value& b) {
  switch (a.object()->kind()) {
    case Kind::Str: return a.as<Str>()->text == b.as<Str>()->text;
    case Kind::List: return equal_items(a.as<List>()->items, b.as<List>()->items);
    case Kind::Tuple: return equal_items(a.as<Tuple>()->items, b.as<Tuple>()->items);
    case Kind::Dict: return equal_dicts(*a.as<Dict>(), *b.as<Dict>());
    case Kind::Set: {
      const Set& other = *b.as<Set>();
      const auto& items = a.as<Set>()->items;
      return items.size() == other.items.size() &&
             std::all_of(items.begin(), items.end(), [&](const Value& item) { return other.contains(item); });
    }
    case Kind::DType: return a.as<DTypeObject>()->dtype == b.as<DTypeObject>()->dtype;
    case Kind::Range: {
      const Range &x = *a.as<Range>(), &y = *b.as<Range>();
      return x.length() == y.length() &&
             (x.length() == 0 || (x.start == y.start && (x.length() == 1 || x.step == y.step)));
    }
    case Kind::Type: return a.as<TypeObject>()->name == b.as<TypeObject>()->name;
    case Kind::Module: return a.as<Module>()->name == b.as<Module>()->name;
    case Kind::Record: return a.as<Record>()->repr == b.as<Record>()->repr;
    case Kind::Ellipsis: return true;
    default: return false;
  }
}

}  // namespace

bool equals(const Value& a, const Value& b) {
  check_stack();
  charge(1);
  if (a.is_none() && b.is_none()) return true;
  if ((a.is_none() || b.is_none()) && !class_of(a) && !class_of(b)) return false;
  const auto x = number_of(a), y = number_of(b);
  if (x && y) {
    if (a.as_int() && b.as_int()) return a.as_int()->value == b.as_int()->value;
    const Int* whole = a.as_int() ? a.as_int() : b.as_int();
    const double real = a.as_int() ? *y : *x;
    if (whole && (a.as_float() || b.as_float())) {  // exactly: 2**53 + 1 is no float
      return real >= -9223372036854775808.0 && real < 9223372036854775808.0 && *x == *y &&
             static_cast<std::int64_t>(real) == whole->value;
    }
    return *x == *y;
  }
  if (a.object() && a.object() == b.object()) return true;
  for (const auto& [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (Value own; call_special(*one, "__eq__", {*other}, own) && !is_not_implemented(own)) return truthy(own);
  }
  if (x || y) return false;
  if (const auto same = same_numpy_dtype(a, b)) return *same;
  if (a.as<DictView>() || b.as<DictView>()) return equal_views(a, b);
  return a.object() && b.object() && a.object()->kind() == b.object()->kind() && equal_objects(a, b);
}

std::size_t ValueHash::operator()(const Value& value) const {
  check_stack();
  if (const auto number = number_of(value)) return std::hash<double>()(*number);
  if (value.is_none()) return 1;
  switch (value.object()->kind()) {
    case Kind::Str: return std::hash<std::string>()(value.as<Str>()->text);
    case Kind::Tuple: {
      std::size_t hash = 7;
      for (const Value& item : value.as<Tuple>()->items) hash = hash * 1000003 + (*this)(item);
      return hash;
    }
    case Kind::DType: return static_cast<std::size_t>(value.as<DTypeObject>()->dtype) + 11;
    case Kind::Type: return std::hash<std::string>()(value.as<TypeObject>()->name);
    case Kind::Record: return std::hash<std::string>()(value.as<Record>()->repr);
    case Kind::List:
    case Kind::Dict:
    case Kind::Set:
    case Kind::View:
    case Kind::Array:
    case Kind::Slice: throw CellError(Code::Type, {}, "unhashable type: '" + type_name(value) + "'");
    default: break;
  }
  if (Value own; call_special(value, "__hash__", {}, own)) {
    if (!own.as_int() && !own.as_bool()) throw CellError(Code::Type, {}, "__hash__ method should return an integer");
    return static_cast<std::size_t>(*as_index(own));
  }
  if (has_special(value, "__eq__") && !(class_of(value)->is_dataclass && class_of(value)->is_frozen))
    throw CellError(Code::Type, {}, "unhashable type: '" + type_name(value) + "'");
  if (const ClassObject* type = class_of(value); type && type->is_dataclass && type->is_frozen) {
    std::size_t hash = 11;
    for (const auto& item : value.as<Instance>()->attributes.items) hash = hash * 1000003 + (*this)(item.second);
    return hash;
  }
  return std::hash<const void*>()(value.object());
}

bool ValueEqual::operator()(const Value& a, const Value& b) const { return equals(a, b); }

// ---- Dict and Set ----

void Dict::clear() {
  items.clear();
  places_.clear();
  factory = mirrored = Value();
}

const Value* Dict::find(const Value& key) const {
  if (places_.empty()) ValueHash()(key);  // an empty table does not ask, but what has no hash is refused all the same
  const auto place = places_.find(key);
  return place == places_.end() ? nullptr : &items[place->second].second;
}

void Dict::set(const Value& key, Value value) {
  if (Instance* object = mirrored.as<Instance>()) object->attributes.set(str(key), value);
  const auto [place, is_new] = places_.try_emplace(key, items.size());
  if (is_new) {
    items.emplace_back(key, std::move(value));
  } else {
    items[place->second].second = std::move(value);
  }
}

bool Dict::erase(const Value& key) {
  if (Instance* object = mirrored.as<Instance>()) object->attributes.erase(str(key));
  const auto place = places_.find(key);
  if (place == places_.end()) return false;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(place->second));
  places_.clear();
  for (std::size_t i = 0; i < items.size(); ++i) places_.emplace(items[i].first, i);
  return true;
}

Value DictView::item(std::size_t at) const {
  const auto& [key, value] = dict->items[at];
  if (part == Part::Items) return make_tuple({key, value});
  return part == Part::Keys ? key : value;
}

std::vector<Value> DictView::items() const {
  std::vector<Value> out;
  for (std::size_t i = 0; i < size(); ++i) out.push_back(item(i));
  return out;
}

std::string DictView::type_name() const {
  const std::string owner = dict->type_name == "OrderedDict" ? "odict" : "dict";
  return owner + (part == Part::Keys ? "_keys" : part == Part::Values ? "_values" : "_items");
}

void Set::clear() {
  items.clear();
  places_.clear();
}

bool Set::is_subset_of(const Set& other) const {
  return std::all_of(items.begin(), items.end(), [&](const Value& item) { return other.contains(item); });
}
bool Set::contains(const Value& value) const {
  if (places_.empty()) ValueHash()(value);
  return places_.contains(value);
}

void Set::add(const Value& value) {
  if (places_.try_emplace(value, items.size()).second) items.push_back(value);
}

bool Set::erase(const Value& value) {
  const auto place = places_.find(value);
  if (place == places_.end()) return false;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(place->second));
  places_.clear();
  for (std::size_t i = 0; i < items.size(); ++i) places_.emplace(items[i], i);
  return true;
}

std::int64_t Range::length() const {
  if (step > 0) return start < stop ? (stop - start - 1) / step + 1 : 0;
  return start > stop ? (start - stop - 1) / -step + 1 : 0;
}

void Function::clear() {
  defaults.clear();
  scope.reset();
  owner = Value();
}

// ---- making values ----

Value make_str(std::string text) { return make<Str>(std::move(text)); }
Value make_list(std::vector<Value> items) { return make<List>(std::move(items)); }
Value make_tuple(std::vector<Value> items) { return make<Tuple>(std::move(items)); }
Value make_tensor(Tensor tensor) { return make<TensorObject>(std::move(tensor)); }

const std::vector<Value>* items_of(const Value& value) {
  if (const List* list = value.as<List>()) return &list->items;
  if (const Tuple* tuple = value.as<Tuple>()) return &tuple->items;
  return nullptr;
}

Value make_size(const Shape& shape, const Axes* axes) {
  std::vector<Value> items;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    OriginPtr origin;
    if (axes && !(*axes)[i].name.empty()) {
      Origin made;
      made.source = Origin::Source::AxisSize;
      made.name = (*axes)[i].name;
      made.value = shape[i];
      if (const OriginPtr& born = (*axes)[i].origin; born && born->depth < kMaxOriginDepth) {
        made.operands = {born};
        made.depth = born->depth + 1;
      }
      origin = std::make_shared<const Origin>(std::move(made));
    }
    items.emplace_back(shape[i], std::move(origin));
  }
  Ref<Tuple> size = make<Tuple>(std::move(items));
  size->is_size = true;
  return size;
}

// ---- asking values ----

namespace {

const Tensor* one_element(const Value& value) {
  const Array* array = value.as<Array>();
  const TensorObject* object = array ? array->tensor.get() : value.as<TensorObject>();
  return object && object->tensor.numel() == 1 ? &object->tensor : nullptr;
}

}  // namespace

std::optional<std::int64_t> as_index(const Value& value) {
  if (const Int* i = value.as_int()) return i->value;
  if (const bool* b = value.as_bool()) return *b;
  if (Value own; call_special(value, "__index__", {}, own)) return as_index(own);
  const Tensor* tensor = one_element(value);
  if (tensor && !is_floating(tensor->dtype())) return to_int(item(*tensor));
  return std::nullopt;
}

std::optional<double> as_real(const Value& value) {
  if (const auto number = number_of(value)) return number;
  if (const Tensor* tensor = one_element(value)) return to_double(item(*tensor));
  return std::nullopt;
}

std::optional<Scalar> as_scalar(const Value& value) {
  if (const bool* b = value.as_bool()) return Scalar(*b);
  if (const Int* i = value.as_int()) return Scalar(i->value);
  if (const double* d = value.as_float()) return Scalar(*d);
  if (const Array* array = value.as<Array>(); array && array->is_scalar) return item(array->tensor->tensor);
  return std::nullopt;
}

Value from_scalar(const Scalar& scalar) {
  return std::visit([](auto value) { return Value(value); }, scalar);
}

bool truthy(const Value& value) {
  if (const auto number = number_of(value)) return *number != 0;
  if (value.is_none()) return false;
  switch (value.object()->kind()) {
    case Kind::Str: return !value.as<Str>()->text.empty();
    case Kind::List: return !value.as<List>()->items.empty();
    case Kind::Tuple: return !value.as<Tuple>()->items.empty();
    case Kind::Dict: return !value.as<Dict>()->items.empty();
    case Kind::Set: return !value.as<Set>()->items.empty();
    case Kind::Range: return value.as<Range>()->length() > 0;
    case Kind::View: return value.as<DictView>()->size() > 0;
    case Kind::Array: {
      const Tensor& tensor = value.as<Array>()->tensor->tensor;
      if (tensor.numel() == 1) return to_double(item(tensor)) != 0;
      if (tensor.numel() == 0) return false;
      throw CellError(Code::Value, {},
                      "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()");
    }
    case Kind::Layer:
      if (is_container(*value.as<Layer>())) return !container_items(*value.as<Layer>()).empty();
      break;
    case Kind::Tensor: {
      const Tensor& tensor = value.as<TensorObject>()->tensor;
      if (tensor.numel() == 1) return to_double(item(tensor)) != 0;
      if (tensor.numel() == 0) {
        throw CellError(Code::Runtime, {}, "Boolean value of Tensor with no values is ambiguous",
                        say("mistake.truth_of_none"));
      }
      throw CellError(Code::Runtime, {}, "Boolean value of Tensor with more than one value is ambiguous",
                      say("mistake.truth_of_several"));
    }
    default: break;
  }
  Value own;
  if (call_special(value, "__bool__", {}, own) || call_special(value, "__len__", {}, own)) return truthy(own);
  return true;
}

std::string type_name(const Value& value) {
  if (value.is_none()) return "NoneType";
  if (value.as_bool()) return "bool";
  if (value.as_int()) return "int";
  if (value.as_float()) return "float";
  switch (value.object()->kind()) {
    case Kind::Str: return "str";
    case Kind::List: return "list";
    case Kind::Tuple: {
      const Tuple& tuple = *value.as<Tuple>();
      const std::size_t dot = tuple.type_name.rfind('.');  // "torch.return_types.max"
      if (!tuple.type_name.empty()) return tuple.type_name.substr(dot == std::string::npos ? 0 : dot + 1);
      return tuple.is_size ? "Size" : "tuple";
    }
    case Kind::Dict: return value.as<Dict>()->type_name.empty() ? "dict" : value.as<Dict>()->type_name;
    case Kind::Set: return "set";
    case Kind::Slice: return "slice";
    case Kind::Range: return "range";
    case Kind::Ellipsis: return "ellipsis";
    case Kind::Iterator: return value.as<Iterator>()->type_name;
    case Kind::View: return value.as<DictView>()->type_name();
    case Kind::Tensor: return value.as<TensorObject>()->is_parameter ? "Parameter" : "Tensor";
    case Kind::DType: return "dtype";
    case Kind::Generator: return "Generator";
    case Kind::Function: return "function";
    case Kind::Builtin:
    case Kind::Method: return "builtin_function_or_method";
    case Kind::Module: return "module";
    case Kind::Layer: return layer_name(*value.as<Layer>());
    case Kind::Type:
    case Kind::Class: return "type";
    case Kind::Instance: return value.as<Instance>()->type->name;
    case Kind::Wrapped: return "property";
    case Kind::Super: return "super";
    case Kind::Exception: return value.as<ExceptionObject>()->type;
    case Kind::GradMode: return "no_grad";
    case Kind::Record: return value.as<Record>()->type_name;
    case Kind::Array: {
      const Array& array = *value.as<Array>();
      if (!array.is_scalar) return "numpy.ndarray";
      const DType dtype = array.tensor->tensor.dtype();
      return dtype == DType::Bool ? "numpy.bool_" : "numpy." + numpy_name(dtype);
    }
    case Kind::Quiet: return value.as<Quiet>()->type;
    case Kind::WeightsFile: return "safe_open";
    case Kind::WeightsSlice: return "PySafeSlice";
  }
  return "object";
}

}  // namespace attn
