// From the arguments of a call to the parameters of a row: PyTorch's rules and, where it has a clear one, its text.
// Over 400 lines because every type of a signature is converted here, and refused in PyTorch's words.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/words.h"
#include "python/class.h"
#include "python/natives.h"
#include "python/type.h"
#include "python/types/record.h"
#include "tensor/core/read.h"
#include "text/say.h"
#include "text/unsupported.h"
#include "torch/op.h"

namespace attn {
namespace {

struct Problem {
  std::string message;
  Span span;
  std::string hint = {};
  bool is_decisive = false;  // a wrong element of the right kind of sequence: no other overload is meant
};

// Functions of torch.nn that are written in Python complain in Python's words.
bool is_python_function(const OpInfo& info) {
  return info.spellings.starts_with("torch.nn.") && !(info.flags & kNative);
}

// Other names that PyTorch accepts for a parameter, for numpy's sake.
constexpr std::pair<std::string_view, std::string_view> kNumpyNames[] = {
    {"axis", "dim"}, {"keepdims", "keepdim"}, {"x", "input"},    {"a", "input"},
    {"x1", "input"}, {"x2", "other"},         {"axis0", "dim0"}, {"axis1", "dim1"}};

// Keywords that many ops of PyTorch have and that change nothing here as long as they are None or False.
constexpr std::string_view kIdleKeywords[] = {"out",       "layout", "pin_memory",   "memory_format",
                                              "generator", "names",  "non_blocking", "_stacklevel"};

bool is_idle(std::string_view keyword) {
  return std::find(std::begin(kIdleKeywords), std::end(kIdleKeywords), keyword) != std::end(kIdleKeywords);
}

const std::vector<Value>* sequence_items(const Value& value) {
  if (const auto* list = value.as<List>()) return &list->items;
  if (const auto* tuple = value.as<Tuple>()) return &tuple->items;
  return nullptr;
}

const Tensor* zero_dim(const Value& value) {
  const auto* object = value.as<TensorObject>();
  return object && object->tensor.dim() == 0 ? &object->tensor : nullptr;
}

// Numbers, but no bool; the origin of an int stays on it.
std::optional<Value> as_plain_int(const Value& value) {
  if (value.as_int()) return value;
  return has_number(value) && as_index(value) ? std::optional<Value>(*as_index(value)) : std::nullopt;
}

// PyTorch takes 0-d integer tensors too where one int is wanted,
std::optional<Value> as_int_argument(const Value& value) {
  const Tensor* tensor = zero_dim(value);
  if (!tensor) return as_plain_int(value);
  const bool is_integer = !is_floating(tensor->dtype()) && tensor->dtype() != DType::Bool;
  return is_integer ? std::optional<Value>(to_int(item(*tensor))) : std::nullopt;
}

// and among several ints also those of Bool.
std::optional<Value> as_one_of_ints(const Value& value) {
  const Tensor* tensor = zero_dim(value);
  if (!tensor || is_floating(tensor->dtype())) return as_plain_int(value);
  return Value(to_int(item(*tensor)));
}

// A tensor is no number while a gradient is to go back through it.
std::optional<Value> as_number(const Value& value) {
  if (value.is_number()) return value;
  const Tensor* const tensor = zero_dim(value);
  if (!tensor || value.as<TensorObject>()->requires_grad) return std::nullopt;
  return from_scalar(item(*tensor));
}

std::optional<Value> as_dtype(const Value& value) {
  if (value.as<DTypeObject>()) return value;
  const auto* type = value.as<TypeObject>();
  if (!type) return std::nullopt;
  if (type->name == "float") return make<DTypeObject>(DType::Float64);
  if (type->name == "int") return make<DTypeObject>(DType::Int64);
  if (type->name == "bool") return make<DTypeObject>(DType::Bool);
  return std::nullopt;
}

std::optional<Value> as_kept(const Value& value, bool fits) { return fits ? std::optional(value) : std::nullopt; }

std::string hint_for(const OpParameter& parameter, const Value& given) {
  const bool wants_int = parameter.type == "int" || parameter.type == "ints" || parameter.type == "shape";
  if (wants_int && given.as_float()) return say("argument.whole.hint");
  if (parameter.type == "Tensors" && given.as<TensorObject>()) return say("argument.tensors.hint");
  return {};
}

// What PyTorch 1.13 still takes, with a warning: a factor in front of what it scales.
constexpr std::pair<std::string_view, std::string_view> kOlder[] = {
    {"add add_ sub sub_", "(input: Tensor, alpha: Number, other: Tensor)"},
    {"addcmul addcmul_ addcdiv addcdiv_", "(input: Tensor, value: Number, tensor1: Tensor, tensor2: Tensor)"},
};

}  // namespace

class OpBinder {
 public:
  OpBinder(const OpInfo& info, const CallArguments& arguments, const Value* self)
      : info_(info), arguments_(arguments), self_(self) {}

  void bind(OpCall& call) {
    const auto& overloads = overloads_of(info_.signature);
    std::vector<Problem> problems;
    for (const Overload& overload : overloads) {
      std::vector<Value> values;
      auto problem = fit(overload, values);
      if (!problem) return accept(call, overload, std::move(values));
      if (problem->is_decisive) raise(std::move(*problem));
      problems.push_back(std::move(*problem));
    }
    for (const auto& [names, signature] : kOlder) {
      std::vector<Value> values;
      if (!has_word(names, info_.name)) continue;
      const Overload& older = overloads_of(signature).front();
      if (!fit(older, values)) return accept(call, older, std::move(values));
    }
    fail(overloads, problems);
  }

 private:
  static void accept(OpCall& call, const Overload& overload, std::vector<Value> values) {
    call.parameters_ = &overload;
    call.values_ = std::move(values);
    call.collect_inputs();
  }

  std::size_t self_count() const { return self_ ? 1 : 0; }
  std::size_t given() const { return arguments_.positional.size() + self_count(); }
  const Value& positional(std::size_t i) const {
    return self_ && i == 0 ? *self_ : arguments_.positional[i - self_count()];
  }

  // The place of a positional argument, or of a keyword, in the source.
  Span span_of(std::size_t place) const {
    return place < arguments_.spans.size() ? arguments_.spans[place] : arguments_.span;
  }
  Span positional_span(std::size_t i) const { return self_ && i == 0 ? arguments_.span : span_of(i - self_count()); }
  Span keyword_span(std::size_t k) const { return span_of(arguments_.positional.size() + k); }

  /// Binds to one overload; a problem when it does not fit.
  std::optional<Problem> fit(const Overload& overload, std::vector<Value>& values) const {
    values.assign(overload.size(), Value());
    std::vector<bool> bound(overload.size(), false);
    if (auto problem = fit_positional(overload, values, bound)) return problem;
    if (auto problem = fit_keywords(overload, values, bound)) return problem;
    if (auto problem = find_missing(overload, bound)) return problem;
    if (auto problem = refuse_number(overload, values)) return problem;
    for (std::size_t i = 0; i < overload.size(); ++i) {
      if (!bound[i]) values[i] = overload[i].variadic ? make_tuple({}) : default_value(overload[i]);
    }
    return std::nullopt;
  }

  std::optional<Problem> fit_positional(const Overload& overload, std::vector<Value>& values,
                                        std::vector<bool>& bound) const {
    // As in PyTorch, sizes may be spread out only where they are the first argument of all: x.permute(1, 0).
    const std::size_t first = self_count();
    const bool spreads = first < std::min(given(), overload.size()) && overload[first].variadic &&
                         (overload[first].type == "any" || !sequence_items(positional(first)));
    if (!spreads && given() > positional_parameters(overload)) return too_many(overload);
    for (std::size_t i = 0; i < given(); ++i) {
      bound[i] = true;
      if (spreads && i == first) return spread(i, overload[i], values);
      if (auto problem = convert(overload[i], positional(i), positional_span(i), i, values[i])) return problem;
    }
    return std::nullopt;
  }

  static std::size_t positional_parameters(const Overload& overload) {
    return static_cast<std::size_t>(std::count_if(
        overload.begin(), overload.end(), [](const OpParameter& parameter) { return !parameter.keyword_only; }));
  }

  std::optional<Problem> spread(std::size_t first, const OpParameter& parameter, std::vector<Value>& values) const {
    std::vector<Value> items;
    for (std::size_t i = first; i < given(); ++i) {
      if (parameter.type == "any") {
        items.push_back(positional(i));
        continue;
      }
      auto value = as_one_of_ints(positional(i));
      if (!value && i > first && positional(i).as_bool()) value = Value(std::int64_t{*positional(i).as_bool()});
      if (!value && i == first) return wrong_type(parameter, positional(i), positional_span(i), i);
      if (!value) return wrong_element(parameter, positional(i), positional_span(i), i - first);
      items.push_back(std::move(*value));
    }
    values[first] = make_tuple(std::move(items));
    return std::nullopt;
  }

  std::optional<Problem> fit_keywords(const Overload& overload, std::vector<Value>& values,
                                      std::vector<bool>& bound) const {
    for (std::size_t k = 0; k < arguments_.keywords.size(); ++k) {
      const auto& [name, value] = arguments_.keywords[k];
      const auto place = find_parameter(overload, name);
      if (!place) {
        if (auto problem = unknown_keyword(overload, k)) return problem;
        continue;
      }
      if (bound[*place]) {
        return Problem{fmt::format("{}() got multiple values for argument '{}'", info_.name, name), keyword_span(k)};
      }
      bound[*place] = true;
      if (auto problem = convert(overload[*place], value, keyword_span(k), std::nullopt, values[*place]))
        return problem;
    }
    return std::nullopt;
  }

  std::optional<Problem> refuse_number(const Overload& overload, const std::vector<Value>& values) const {
    if (!(info_.flags & kNumberFirst)) return std::nullopt;
    const auto place = find_parameter(overload, "input");
    if (!place || !values[*place].is_number()) return std::nullopt;
    const auto is_tensor = [](const Value& value) { return value.as<TensorObject>() != nullptr; };
    const bool is_named = std::any_of(arguments_.keywords.begin(), arguments_.keywords.end(),
                                      [](const auto& keyword) { return keyword.first == "input"; });
    if (!is_named && std::any_of(values.begin(), values.end(), is_tensor)) return std::nullopt;
    return Problem{combination_text({overload}), arguments_.span};
  }

  static std::optional<std::size_t> find_parameter(const Overload& overload, std::string_view name) {
    const auto find = [&](std::string_view wanted) -> std::optional<std::size_t> {
      for (std::size_t i = 0; i < overload.size(); ++i)
        if (overload[i].name == wanted) return i;
      return std::nullopt;
    };
    if (const auto place = find(name)) return place;
    for (const auto& [other, own] : kNumpyNames) {
      if (other == name) return find(own);
    }
    return std::nullopt;
  }

  std::optional<Problem> unknown_keyword(const Overload& overload, std::size_t k) const {
    const auto& [name, value] = arguments_.keywords[k];
    if (is_idle(name)) {
      const bool* flag = value.as_bool();
      if (value.is_none() || (flag && !*flag) || name == "non_blocking") return std::nullopt;
      throw unsupported(keyword_span(k), "unsupported.keyword", {{"op", std::string(info_.name)}, {"name", name}});
    }
    std::vector<std::string> known;
    for (const OpParameter& parameter : overload) known.push_back(parameter.name);
    const std::string near = nearest(name, known);
    return Problem{
        fmt::format("{}() got an unexpected keyword argument '{}'", info_.name, name), keyword_span(k),
        near.empty() ? say("argument.keyword.hint", {{"list", join(known, ", ")}}) : did_you_mean("'" + near + "'")};
  }

  std::optional<Problem> find_missing(const Overload& overload, const std::vector<bool>& bound) const {
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < overload.size(); ++i) {
      const bool may_be_empty = overload[i].variadic && overload[i].type == "any";
      if (!bound[i] && !overload[i].has_default && !may_be_empty) missing.push_back('"' + overload[i].name + '"');
    }
    if (missing.empty()) return std::nullopt;
    const bool is_one = missing.size() == 1;
    if (is_python_function(info_)) {
      for (std::string& name : missing) name = "'" + name.substr(1, name.size() - 2) + "'";
      const std::string names =
          is_one ? missing[0] : join({missing.begin(), missing.end() - 1}, ", ") + " and " + missing.back();
      return Problem{fmt::format("{}() missing {} required positional argument{}: {}", info_.name, missing.size(),
                                 is_one ? "" : "s", names),
                     arguments_.span};
    }
    // PyTorch has the plural the wrong way round.
    return Problem{fmt::format("{}() missing {} required positional {}: {}", info_.name, missing.size(),
                               is_one ? "arguments" : "argument", join(missing, ", ")),
                   arguments_.span};
  }

  Problem too_many(const Overload& overload) const {
    const std::size_t positionals = positional_parameters(overload);
    const std::size_t takes = positionals - std::min(positionals, self_count());
    return {fmt::format("{}() takes {} positional argument{} but {} were given", info_.name, takes,
                        takes == 1 ? "" : "s", arguments_.positional.size()),
            positional_span(std::min(positionals, given() - 1))};
  }

  std::string_view type_text(const OpParameter& parameter) const {
    const bool has_sizes = parameter.type == "ints" || parameter.type == "shape";
    return has_sizes && (info_.flags & kTraced) ? "tuple of SymInts" : torch_type(parameter);
  }

  // "argument 'dim' (position 2)"; the position is left out for a keyword.
  std::string argument_name(const OpParameter& parameter, std::optional<std::size_t> place) const {
    std::string text = fmt::format("{}(): argument '{}'", info_.name, parameter.name);
    if (place) text += fmt::format(" (position {})", *place + 1 - std::min(*place, self_count()));
    return text;
  }

  Problem wrong_type(const OpParameter& parameter, const Value& value, Span span,
                     std::optional<std::size_t> place) const {
    return {
        fmt::format("{} must be {}, not {}", argument_name(parameter, place), type_text(parameter), type_name(value)),
        span, hint_for(parameter, value)};
  }

  Problem wrong_element(const OpParameter& parameter, const Value& element, Span span, std::size_t place) const {
    return {fmt::format("{} must be {}, but found element of type {} at pos {}", argument_name(parameter, std::nullopt),
                        type_text(parameter), type_name(element), place + 1),
            span, hint_for(parameter, element), place > 0};
  }

  /// The argument as its parameter's type wants it.
  std::optional<Problem> convert(const OpParameter& parameter, const Value& value, Span span,
                                 std::optional<std::size_t> place, Value& out) const {
    if (parameter.optional && value.is_none()) return std::nullopt;
    const std::string_view type = parameter.type;
    if (has_number(value) && type != "any") {  // numpy's numbers and members of an IntEnum are numbers to PyTorch
      return convert(parameter, from_scalar(*as_scalar(value)), span, place, out);
    }
    if (type == "ints" || type == "shape") {
      if (const auto* items = sequence_items(value)) return convert_sizes(parameter, *items, span, out);
    }
    if (type == "Tensors") {
      if (const auto* items = sequence_items(value)) return convert_tensors(*items, value, span, out);
    }
    if (type == "device") check_device(value, span);
    if (parameter.name == "out") refuse_out(span);
    auto converted = convert_single(parameter, value);
    if (!converted && type == "Tensor" && !self_) refuse_attribute(value, span);
    if (!converted) refuse_complex(value, span);
    if (!converted) return wrong_type(parameter, value, span, place);
    out = std::move(*converted);
    return std::nullopt;
  }

  std::optional<Value> convert_single(const OpParameter& parameter, const Value& value) const {
    const std::string_view type = parameter.type;
    if (type == "any" || type == "device") return value;
    if (type == "Tensor") return as_kept(value, value.as<TensorObject>() != nullptr);
    if (type == "Operand") return as_kept(value, value.as<TensorObject>() || value.is_number());
    if (type == "Number" || type == "float") return as_number(value);
    if (type == "int") return as_int_argument(value);
    if (type == "ints" && parameter.variadic) return std::nullopt;
    if (type == "ints") return info_.flags & kOneOrSeveral ? as_int_argument(value) : as_plain_int(value);
    if (type == "bool") return as_kept(value, value.as_bool() != nullptr);
    if (type == "dtype") return as_dtype(value);
    if (type == "str") return as_kept(value, value.as<Str>() != nullptr);
    return std::nullopt;
  }

  std::optional<Problem> convert_sizes(const OpParameter& parameter, const std::vector<Value>& given_items, Span span,
                                       Value& out) const {
    std::vector<Value> items;
    for (std::size_t i = 0; i < given_items.size(); ++i) {
      look();
      auto value = as_one_of_ints(given_items[i]);
      if (!value) return wrong_element(parameter, given_items[i], span, i);
      items.push_back(std::move(*value));
    }
    out = make_tuple(std::move(items));
    return std::nullopt;
  }

  static std::optional<Problem> convert_tensors(const std::vector<Value>& items, const Value& sequence, Span span,
                                                Value& out) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      look();
      if (items[i].as<TensorObject>()) continue;
      refuse_complex(items[i], span);
      return Problem{fmt::format("expected Tensor as element {} in argument 0, but got {}", i, type_name(items[i])),
                     span, "", true};
    }
    out = sequence;
    return std::nullopt;
  }

  // Ops do not take what src/lib/complex.py makes.
  static void refuse_complex(const Value& value, Span span) {
    for (const std::string_view name : {"Complex", "ComplexType"})
      if (class_of(value) && class_of(value) == library_function(*Interpreter::current(), "complex", name).object())
        throw unsupported(span, "unsupported.complex.operand");
  }

  // Functions of torch that are written in Python ask their first argument for an attribute.
  void refuse_attribute(const Value& value, Span span) const {
    if (!info_.asks.empty() && !value.as<TensorObject>())
      throw CellError(Code::Attribute, span,
                      fmt::format("'{}' object has no attribute '{}'", type_name(value), info_.asks));
  }

  [[noreturn]] void refuse_out(Span span) const {
    throw unsupported(span, "unsupported.out", {{"op", std::string(info_.name)}});
  }

  static void check_device(const Value& value, Span span) {
    const bool is_device = value.as<Str>() || value.as<Record>();
    if (value.is_none() || (is_device && str(value).starts_with("cpu"))) return;
    throw unsupported(span, "unsupported.device");
  }

  [[noreturn]] static void raise(Problem problem) {
    throw CellError(Code::Type, problem.span, std::move(problem.message), std::move(problem.hint));
  }

  // As PyTorch: when only one overload has room for that many arguments, its own complaint; else all of them.
  [[noreturn]] void fail(const std::vector<Overload>& overloads, std::vector<Problem>& problems) const {
    const std::size_t count = given() + arguments_.keywords.size();
    std::optional<std::size_t> only;
    std::size_t plausible = 0;
    for (std::size_t i = 0; i < overloads.size(); ++i) {
      const auto required =
          static_cast<std::size_t>(std::count_if(overloads[i].begin(), overloads[i].end(),
                                                 [](const OpParameter& parameter) { return !parameter.has_default; }));
      const bool spreads = std::any_of(overloads[i].begin(), overloads[i].end(),
                                       [](const OpParameter& parameter) { return parameter.variadic; });
      if (count < required || (count > overloads[i].size() && !spreads)) continue;
      ++plausible;
      only = i;
    }
    if (overloads.size() == 1) raise(std::move(problems.front()));
    if (plausible == 1) raise(std::move(problems[*only]));
    raise({combination_text(overloads), arguments_.span});
  }

  std::string combination_text(const std::vector<Overload>& overloads) const {
    std::vector<std::string> types;
    for (const Value& value : arguments_.positional) types.push_back(type_name(value));
    for (const auto& [name, value] : arguments_.keywords) types.push_back(name + "=" + type_name(value));
    std::string text =
        fmt::format("{}() received an invalid combination of arguments - got ({}), but expected one of:", info_.name,
                    join(types, ", "));
    for (const Overload& overload : overloads) text += "\n * (" + overload_text(overload) + ")";
    return text + "\n";
  }

  std::string overload_text(const Overload& overload) const {
    std::vector<std::string> parts;
    bool keyword_only = false;
    for (std::size_t i = self_count(); i < overload.size(); ++i) {
      if (self_ && overload[i].name == "out") continue;  // methods have none
      if (overload[i].keyword_only && !keyword_only) parts.emplace_back("*");
      keyword_only = overload[i].keyword_only;
      parts.push_back(fmt::format("{} {}", type_text(overload[i]), overload[i].name));
    }
    return join(parts, ", ");
  }

  const OpInfo& info_;
  const CallArguments& arguments_;
  const Value* self_;
};

OpCall bind_op(Interpreter& interpreter, const OpInfo& info, const CallArguments& arguments, const Value* self) {
  OpCall call(interpreter, info, arguments.span);
  OpBinder(info, arguments, self).bind(call);
  return call;
}

}  // namespace attn
