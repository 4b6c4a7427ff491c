// match: which case takes a value, and what it binds.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "base/words.h"
#include "python/class.h"
#include "python/evaluator.h"
#include "python/interpreter.h"
#include "python/object_builtins.h"
#include "python/operators.h"

namespace attn {
namespace {

bool is_star(const Pattern& pattern) { return std::holds_alternative<StarPattern>(pattern.node); }

// None, True and False: as patterns they take only themselves.
bool is_singleton(const Expr& expr) {
  const Constant* constant = std::get_if<Constant>(&expr.node);
  return constant &&
         (std::holds_alternative<NoneLiteral>(constant->value) || std::holds_alternative<bool>(constant->value));
}

// How many items there are for a sequence pattern; nothing: the value is no sequence, as text is none here. A deque is
// an object of a class of the library.
std::optional<std::size_t> sequence_length(const Value& value) {
  if (const std::vector<Value>* items = items_of(value)) return items->size();
  if (const Range* range = value.as<Range>()) return static_cast<std::size_t>(range->length());
  Value length;
  if (has_special(value, "extendleft") && call_special(value, "__len__", {}, length))
    return static_cast<std::size_t>(*as_index(length));
  return std::nullopt;
}

// Of a class whose one positional pattern stands for the value itself: int(x). Not a name that an attribute may have.
constexpr std::string_view kItself = "";
constexpr std::string_view kTypesOfItself =
    "bool bytearray bytes dict float frozenset int list set str tuple torch.Size collections.Counter "
    "collections.OrderedDict collections.defaultdict";

// The attributes that the positional patterns of a class stand for.
std::vector<std::string> match_args(const Value& type, const std::string& name, Span span) {
  const ClassObject* own = type.as<ClassObject>();
  const TypeObject* builtin = type.as<TypeObject>();
  const Value* given = own ? own->find("__match_args__") : nullptr;
  if (!given) {
    const bool is_itself = has_word(kTypesOfItself, own ? own->builtin : builtin ? builtin->name : name);
    return std::vector<std::string>(is_itself ? 1 : 0, std::string(kItself));
  }
  const Tuple* tuple = given->as<Tuple>();
  if (!tuple)
    throw CellError(Code::Type, span,
                    fmt::format("{}.__match_args__ must be a tuple (got {})", name, type_name(*given)));
  std::vector<std::string> names;
  for (const Value& each : tuple->items) {
    if (!each.as<Str>())
      throw CellError(Code::Type, span,
                      fmt::format("__match_args__ elements must be strings (got {})", type_name(each)));
    names.push_back(str(each));
  }
  return names;
}

// The attributes that a class pattern looks at, with the patterns of each.
std::vector<std::pair<std::string, const Pattern*>> attributes_of(const ClassPattern& node, const Value& type,
                                                                  Span span) {
  const std::string name = type.as<ClassObject>()  ? type.as<ClassObject>()->name
                           : type.as<TypeObject>() ? type.as<TypeObject>()->last_name()
                                                   : type.as<Builtin>()->name;
  const std::vector<std::string> names = match_args(type, name, span);
  if (node.positional.size() > names.size())
    throw CellError(Code::Type, span,
                    fmt::format("{}() accepts {} positional sub-pattern{} ({} given)", name, names.size(),
                                names.size() == 1 ? "" : "s", node.positional.size()));
  std::vector<std::pair<std::string, const Pattern*>> parts;
  for (std::size_t i = 0; i < node.positional.size(); ++i) parts.emplace_back(names[i], &node.positional[i]);
  for (std::size_t i = 0; i < node.names.size(); ++i) parts.emplace_back(node.names[i], &node.named[i]);
  std::unordered_set<std::string> seen;
  for (const auto& part : parts) {
    if (!seen.insert(part.first).second)
      throw CellError(Code::Type, span,
                      fmt::format("{}() got multiple sub-patterns for attribute '{}'", name, part.first));
  }
  return parts;
}

std::optional<Value> find_attribute(Interpreter& in, const Value& value, const std::string& name, Span span) {
  try {
    return get_attribute(in, value, name, span, span);
  } catch (const CellError& error) {
    if (error.type() != "AttributeError") throw;
    return std::nullopt;
  }
}

}  // namespace

Evaluator::Flow Evaluator::execute(const Match& node, const Stmt& stmt) {
  const Value subject = evaluate(*node.subject);
  for (const MatchCase& each : node.cases) {
    Bindings bound;
    if (!takes(each.pattern, subject, bound)) continue;
    for (const auto& [target, value] : bound) assign(*target, value, &stmt, Report::Yes);
    if (!each.guard || truthy(evaluate(*each.guard))) return run(each.body);
  }
  return Flow::Next;
}

bool Evaluator::takes(const Pattern& pattern, const Value& value, Bindings& bound) {
  if (!is_in_library(pattern.span)) charge(1);
  check_stack();
  try {
    return std::visit([&](const auto& node) { return takes(node, value, pattern.span, bound); }, pattern.node);
  } catch (CellError& error) {
    add_span(error, pattern.span);
    throw;
  }
}

bool Evaluator::takes(const Parts& parts, Bindings& bound) {
  return std::all_of(parts.begin(), parts.end(),
                     [&](const auto& part) { return takes(*part.first, part.second, bound); });
}

bool Evaluator::takes(const ValuePattern& node, const Value& value, Span span, Bindings&) {
  const CompareOp op = is_singleton(*node.value) ? CompareOp::Is : CompareOp::Equal;
  return truthy(apply_compare(in_, op, value, evaluate(*node.value), {span, span, span}));
}

bool Evaluator::takes(const CapturePattern& node, const Value& value, Span, Bindings& bound) {
  if (node.pattern && !takes(*node.pattern, value, bound)) return false;
  if (node.target) bound.emplace_back(node.target.get(), value);
  return true;
}

bool Evaluator::takes(const StarPattern& node, const Value& value, Span, Bindings& bound) {
  if (node.target) bound.emplace_back(node.target.get(), value);
  return true;
}

bool Evaluator::takes(const SequencePattern& node, const Value& value, Span span, Bindings& bound) {
  const std::optional<std::size_t> length = sequence_length(value);
  const bool has_star = std::any_of(node.elements.begin(), node.elements.end(), is_star);
  const std::size_t fixed = node.elements.size() - has_star;
  const auto fits = [&](std::size_t count) { return has_star ? count >= fixed : count == fixed; };
  if (!length || !fits(*length)) return false;
  const std::vector<Value> items = in_.to_vector(value, span);
  if (!fits(items.size())) return false;  // an __iter__ of its own gives others
  Parts parts;
  auto item = items.begin();
  for (const Pattern& element : node.elements) {
    const auto end = item + static_cast<std::ptrdiff_t>(is_star(element) ? items.size() - fixed : 1);
    parts.emplace_back(&element, is_star(element) ? make_list({item, end}) : *item);
    item = end;
  }
  return takes(parts, bound);
}

bool Evaluator::takes(const MappingPattern& node, const Value& value, Span span, Bindings& bound) {
  const Ref<Dict> dict = value.ref<Dict>();
  if (!dict || dict->items.size() < node.keys.size()) return false;
  const Ref<Set> keys = make<Set>();
  Parts parts;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const Value key = evaluate(*node.keys[i]);
    if (keys->contains(key))
      throw CellError(Code::Value, span, fmt::format("mapping pattern checks duplicate key ({})", repr(key)));
    keys->add(key);
    const Value* found = dict->find(key);
    if (!found) return false;
    parts.emplace_back(&node.values[i], *found);
  }
  if (!takes(parts, bound)) return false;
  if (!node.rest) return true;
  const Ref<Dict> rest = make<Dict>();
  for (const auto& [key, item] : dict->items)
    if (!keys->contains(key)) rest->set(key, item);
  bound.emplace_back(node.rest.get(), rest);
  return true;
}

bool Evaluator::takes(const ClassPattern& node, const Value& value, Span span, Bindings& bound) {
  const Value type = evaluate(*node.type);
  if (!is_class(type)) throw CellError(Code::Type, span, "called match pattern must be a type");
  if (!is_instance(value, type, span)) return false;
  Parts parts;
  for (const auto& [name, pattern] : attributes_of(node, type, span)) {
    const std::optional<Value> part = name == kItself ? value : find_attribute(in_, value, name, span);
    if (!part) return false;
    parts.emplace_back(pattern, *part);
  }
  return takes(parts, bound);
}

bool Evaluator::takes(const OrPattern& node, const Value& value, Span, Bindings& bound) {
  const std::size_t before = bound.size();
  return std::any_of(node.alternatives.begin(), node.alternatives.end(), [&](const Pattern& alternative) {
    bound.resize(before);
    return takes(alternative, value, bound);
  });
}

}  // namespace attn
