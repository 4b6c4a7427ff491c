// How a method of a container is found, bound to its object and given its arguments.
#include "python/types/methods.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "base/words.h"
#include "python/argument_count.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/modules/unsupported_names.h"
#include "python/type.h"
#include "text/say.h"

namespace attn {

std::int64_t MethodCall::integer(std::size_t i, std::int64_t otherwise) const {
  if (!has(i)) return otherwise;
  if (const auto number = as_index(*arguments[i])) return *number;
  fail(Code::Type, fmt::format("'{}' object cannot be interpreted as an integer", type_name(*arguments[i])));
}

Shape MethodCall::ints(const Value& argument) const {
  if (const auto size = as_index(argument)) return {*size};
  Shape shape;
  for (const Value& item : interpreter.to_vector(argument, given.span)) {
    look();
    const auto size = as_index(item);
    if (!size) fail(Code::Type, fmt::format("'{}' object cannot be interpreted as an integer", type_name(item)));
    shape.push_back(*size);
  }
  return shape;
}

const std::string& MethodCall::text(std::size_t i) const {
  const Str* text = has(i) ? arguments[i]->as<Str>() : nullptr;
  if (text) return text->text;
  fail(Code::Type, fmt::format("must be str, not {}", type_name((*this)[i])));
}

void check_length(std::size_t bytes) {
  if (bytes > kMaxLength) throw LimitReached(LimitReached::Kind::Memory, say("limit.value"));
  charge(static_cast<std::int64_t>(bytes));
}

namespace {

std::span<const Method> methods_of(const Value& object) {
  const auto methods = slot_of(object, &Type::methods);
  return methods ? methods(object) : std::span<const Method>();
}

std::string owner_of(const Value& self) { return self.is_none() ? "module" : type_name(self); }

// Python has a sentence of its own for each way in which its methods are written in C.
void check_count(const MethodCall& call, const Method& method) {
  const std::size_t count = call.given.positional.size();
  const std::size_t named = method.keywords.empty() ? 0 : call.given.keywords.size();
  if (count > method.most || count + named < method.least) {
    const std::string owner = owner_of(call.self);
    if (method.most == 0)
      call.fail(Code::Type, fmt::format("{}.{}() takes no arguments ({} given)", owner, method.name, count));
    if (method.least == 1 && method.most == 1) {
      call.fail(Code::Type, fmt::format("{}.{}() takes exactly one argument ({} given)", owner, method.name, count));
    }
    call.fail(Code::Type, wrong_count(method.name, method.least, method.most, count));
  }
}

// The place that a keyword stands for among the row's blank-separated names.
std::size_t keyword_place(const MethodCall& call, const Method& method, std::string_view name) {
  if (const std::optional<std::size_t> place = word_place(method.keywords, name)) return *place;
  if (is_of_numpy(method)) refuse_keyword(method.name, name, call.given.span);
  if (method.keywords.empty())
    call.fail(Code::Type, fmt::format("{}.{}() takes no keyword arguments", owner_of(call.self), method.name));
  call.fail(Code::Type, fmt::format("'{}' is an invalid keyword argument for {}()", name, method.name));
}

Value call_method(Interpreter& interpreter, const Method& method, const Value& self, const CallArguments& given) {
  MethodCall call{interpreter, self, given, method.name};
  if (method.keywords.empty() && !given.keywords.empty()) keyword_place(call, method, given.keywords.front().first);
  check_count(call, method);
  call.arguments.assign(given.positional.begin(), given.positional.end());
  for (const auto& [name, value] : given.keywords) {
    if (method.keywords == "**") break;
    const std::size_t place = keyword_place(call, method, name);
    if (place < call.arguments.size() && call.arguments[place]) {
      call.fail(Code::Type,
                fmt::format("argument for {}() given by name ('{}') and position ({})", method.name, name, place + 1));
    }
    call.arguments.resize(std::max(call.arguments.size(), place + 1));
    call.arguments[place] = value;
  }
  if (method.changes) interpreter.require_effects("wrong_cell.name", given.span);
  return method.function(call);
}

}  // namespace

Value bound_method(const Method& method, const Value& self) {
  auto native = [&method, self](Interpreter& interpreter, CallArguments& arguments) {
    return call_method(interpreter, method, self, arguments);
  };
  Ref<Builtin> bound = make<Builtin>(std::string(method.name), native);
  bound->self = self;
  bound->has_self = true;
  return bound;
}

bool container_method(const Value& object, const std::string& name, Value& out) {
  for (const Method& method : methods_of(object)) {
    if (method.name != name) continue;
    return out = bound_method(method, object), true;
  }
  return false;
}

std::vector<std::string> container_method_names(const Value& object) {
  std::vector<std::string> names;
  for (const Method& method : methods_of(object)) names.emplace_back(method.name);
  return names;
}

}  // namespace attn
