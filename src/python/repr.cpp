// repr() and str() of every value.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/limits.h"
#include "base/number.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/interpreter.h"
#include "python/types/record.h"
#include "python/value.h"
#include "tensor/core/print.h"
#include "torch/nn/layer.h"
#include "torch/numpy/array.h"

namespace attn {
namespace {

// The containers being printed, outermost first: one that holds itself prints as [...].
thread_local std::vector<const Object*> printing;

struct PrintingGuard {
  explicit PrintingGuard(const Object* object) { printing.push_back(object); }
  ~PrintingGuard() { printing.pop_back(); }
  PrintingGuard(const PrintingGuard&) = delete;
  PrintingGuard& operator=(const PrintingGuard&) = delete;
};

std::string escaped(std::int64_t code) {
  return code < 0x100     ? fmt::format("\\x{:02x}", code)
         : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                          : fmt::format("\\U{:08x}", code);
}

std::string string_repr(const std::string& text) {
  const bool has_single = text.find('\'') != std::string::npos;
  const char quote = has_single && text.find('"') == std::string::npos ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t at = 0, size = 0; at < text.size(); at += size) {
    size = character_offset(std::string_view(text).substr(at), 1);
    const std::string_view one = std::string_view(text).substr(at, size);
    const char c = one[0];
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += is_printable(one) ? std::string(one) : escaped(first_code(one));
    }
  }
  return out + quote;
}

std::string items_repr(const std::vector<Value>& items) {
  std::string out;
  for (const Value& item : items) {
    charge(1);
    if (!out.empty()) out += ", ";
    out += repr(item);
  }
  return out;
}

// collections.namedtuple: "Point(x=1, y=2)"
std::string named_tuple_repr(const Tuple& tuple) {
  const bool is_report = tuple.type_name == "_IncompatibleKeys";  // of load_state_dict()
  std::string out;
  bool is_empty = true;
  for (std::size_t i = 0; i < tuple.items.size(); ++i) {
    const List* list = tuple.items[i].as<List>();
    is_empty = is_empty && list && list->items.empty();
    out += (i ? ", " : "") + tuple.fields[i] + "=" + repr(tuple.items[i]);
  }
  return is_report && is_empty ? "<All keys matched successfully>" : tuple.type_name + "(" + out + ")";
}

std::string tuple_repr(const Tuple& tuple) {
  if (tuple.is_size) return "torch.Size([" + items_repr(tuple.items) + "])";
  if (!tuple.fields.empty() && !tuple.type_name.starts_with("torch.")) return named_tuple_repr(tuple);
  if (!tuple.fields.empty()) {
    std::string out = tuple.type_name + "(\n";
    for (std::size_t i = 0; i < tuple.items.size(); ++i) {
      out += (i ? ",\n" : "") + tuple.fields[i] + "=" + repr(tuple.items[i]);
    }
    return out + ")";
  }
  return "(" + items_repr(tuple.items) + (tuple.items.size() == 1 ? ",)" : ")");
}

// OrderedDict([('a', 1)]), Counter({'a': 2, 'b': 1}), defaultdict(<class 'int'>, {'a': 1})
std::string collection_repr(const Dict& dict, const std::string& items) {
  if (dict.type_name == "defaultdict") return "defaultdict(" + repr(dict.factory) + ", {" + items + "})";
  return dict.type_name + (items.empty() ? "()" : "({" + items + "})");
}

std::string ordered_dict_repr(const Dict& dict) {
  std::vector<Value> pairs;
  for (const auto& [key, value] : dict.items) pairs.push_back(make_tuple({key, value}));
  return "OrderedDict(" + (pairs.empty() ? "" : "[" + items_repr(pairs) + "]") + ")";
}

std::string dict_repr(const Dict& dict) {
  if (dict.type_name == "OrderedDict") return ordered_dict_repr(dict);
  auto items = dict.items;
  if (dict.type_name == "Counter") {  // the most frequent first
    std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) {
      return as_real(a.second).value_or(0) > as_real(b.second).value_or(0);
    });
  }
  std::string out;
  for (const auto& [key, value] : items) {
    charge(1);
    if (!out.empty()) out += ", ";
    out += repr(key) + ": " + repr(value);
  }
  return dict.type_name.empty() ? "{" + out + "}" : collection_repr(dict, out);
}

thread_local bool reads_nothing = false;

// As PyTorch shows tensors that have no elements, those on the device "meta".
std::string unread_text(const TensorObject& object) {
  const Tensor& tensor = object.tensor;
  const std::string dtype = tensor.dtype() == DType::Float32 ? "" : fmt::format(", dtype={}", name_of(tensor.dtype()));
  std::vector<Value> sizes;
  for (const std::int64_t size : tensor.shape()) sizes.emplace_back(size);
  return fmt::format("tensor(..., size={}{})", repr(make_tuple(std::move(sizes))), dtype);
}

std::string tensor_text(const TensorObject& object) {
  if (reads_nothing && !object.tensor.storage().buffer->is_read()) return unread_text(object);
  const Interpreter* interpreter = Interpreter::current();
  return tensor_repr(object.tensor, {object.requires_grad, object.grad_fn, object.is_parameter},
                     interpreter ? interpreter->print_options() : PrintOptions{});
}

std::string instance_repr(const Value& value) {
  if (Value own; call_special(value, "__repr__", {}, own)) {
    if (own.as<Str>()) return str(own);
    throw CellError(Code::Type, {}, fmt::format("__repr__ returned non-string (type {})", type_name(own)));
  }
  const Instance& instance = *value.as<Instance>();
  if (instance.type->builtin == "object") return "<object object>";
  if (instance.type->exception.empty()) return fmt::format("<__main__.{} object>", instance.type->qualified_name);
  const Value* arguments = instance.attributes.find("args");
  return instance.type->name + "(" + items_repr(arguments->as<Tuple>()->items) + ")";
}

std::string object_repr(const Value& value) {
  const Object* object = value.object();
  switch (object->kind()) {
    case Kind::Str: return string_repr(value.as<Str>()->text);
    case Kind::List: return "[" + items_repr(value.as<List>()->items) + "]";
    case Kind::Tuple: return tuple_repr(*value.as<Tuple>());
    case Kind::Dict: return dict_repr(*value.as<Dict>());
    case Kind::Set: {
      const Set& set = *value.as<Set>();
      return set.items.empty() ? "set()" : "{" + items_repr(set.ordered()) + "}";
    }
    case Kind::View: {
      const DictView& view = *value.as<DictView>();
      return view.type_name() + "([" + items_repr(view.items()) + "])";
    }
    case Kind::Slice: {
      const Slice& slice = *value.as<Slice>();
      return fmt::format("slice({}, {}, {})", repr(slice.start), repr(slice.stop), repr(slice.step));
    }
    case Kind::Range: {
      const Range& range = *value.as<Range>();
      return range.step == 1 ? fmt::format("range({}, {})", range.start, range.stop)
                             : fmt::format("range({}, {}, {})", range.start, range.stop, range.step);
    }
    case Kind::Ellipsis: return "Ellipsis";
    case Kind::Tensor: return tensor_text(*value.as<TensorObject>());
    case Kind::DType: return std::string(name_of(value.as<DTypeObject>()->dtype));
    case Kind::Record: return value.as<Record>()->repr;
    case Kind::Array: return array_repr(*value.as<Array>());
    case Kind::Layer: return layer_repr(*value.as<Layer>());
    case Kind::Module: return fmt::format("<module '{}'>", value.as<Module>()->name);
    case Kind::Type: return fmt::format("<class '{}'>", value.as<TypeObject>()->name);
    case Kind::Builtin: return fmt::format("<built-in function {}>", value.as<Builtin>()->name);
    case Kind::Function: return fmt::format("<function {}>", value.as<Function>()->qualified_name);
    case Kind::Class: {
      const ClassObject& type = *value.as<ClassObject>();
      return type.builtin == "object" ? "<class 'object'>" : fmt::format("<class '__main__.{}'>", type.qualified_name);
    }
    case Kind::Exception: {
      const ExceptionObject& exception = *value.as<ExceptionObject>();
      return exception.type + "(" + items_repr(exception.arguments) + ")";
    }
    case Kind::Instance: return instance_repr(value);
    default: return fmt::format("<{} object>", type_name(value));
  }
}

}  // namespace

std::string repr(const Value& value) {
  check_stack();
  if (value.is_none()) return "None";
  if (const bool* b = value.as_bool()) return *b ? "True" : "False";
  if (const Int* i = value.as_int()) return std::to_string(i->value);
  if (const double* d = value.as_float()) return python_repr(*d);
  if (std::find(printing.begin(), printing.end(), value.object()) != printing.end()) {
    return value.as<Dict>() ? "{...}" : value.as<Tuple>() ? "(...)" : "[...]";
  }
  const PrintingGuard guard(value.object());
  return object_repr(value);
}

std::string unread_repr(const Value& value) {
  struct Restore {
    bool former = std::exchange(reads_nothing, true);
    ~Restore() { reads_nothing = former; }
  } restore;
  return repr(value);
}

std::string ascii_repr(const Value& value) {
  const std::string text = repr(value);
  std::string out;
  for (std::size_t at = 0, size = 0; at < text.size(); at += size) {
    size = character_offset(std::string_view(text).substr(at), 1);
    const std::string_view one = std::string_view(text).substr(at, size);
    out += size == 1 ? std::string(one) : escaped(first_code(one));
  }
  return out;
}

std::string str(const Value& value) {
  if (const Str* text = value.as<Str>()) return text->text;
  if (const Record* record = value.as<Record>()) return record->text;
  if (const Array* array = value.as<Array>()) return array_str(*array);
  if (Value own; call_special(value, "__str__", {}, own)) {
    if (own.as<Str>()) return str(own);
    throw CellError(Code::Type, {}, fmt::format("__str__ returned non-string (type {})", type_name(own)));
  }
  if (const ExceptionObject* exception = value.as<ExceptionObject>()) {
    return exception_text(exception->type, exception->arguments);
  }
  if (const Instance* instance = value.as<Instance>(); instance && !instance->type->exception.empty()) {
    return exception_text(instance->type->exception, instance->attributes.find("args")->as<Tuple>()->items);
  }
  return repr(value);
}

}  // namespace attn
