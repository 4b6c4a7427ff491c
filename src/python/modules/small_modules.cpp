// time, warnings, json, itertools, functools: what notebooks use of them.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "python/modules/library.h"
#include "python/operators.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// ---- time: a run gives the same output every time, so its clock stands still ----

Value clock(MethodCall&) { return Value(0.0); }
constexpr Method kTime[] = {{"time", 0, 0, clock},
                            {"perf_counter", 0, 0, clock},
                            {"monotonic", 0, 0, clock},
                            {"process_time", 0, 0, clock},
                            {"sleep", 1, 1, nothing}};

constexpr Method kWarnings[] = {{"filterwarnings", 0, kAnyNumber, nothing, "**"},
                                {"simplefilter", 0, kAnyNumber, nothing, "**"},
                                {"resetwarnings", 0, 0, nothing},
                                {"warn", 0, kAnyNumber, nothing, "**"}};

// ---- json ----

Value from_json(const nlohmann::ordered_json& json, MethodCall& call) {
  check_stack();
  charge(1);
  if (json.is_null()) return {};
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX)
    throw unsupported(call.given.span, "unsupported.int");
  if (json.is_number_integer()) return Value(json.get<std::int64_t>());
  if (json.is_number()) return Value(json.get<double>());
  if (json.is_string()) return make_str(json.get<std::string>());
  if (json.is_array()) {
    std::vector<Value> items;
    for (const auto& item : json) items.push_back(from_json(item, call));
    return make_list(std::move(items));
  }
  Ref<Dict> dict = make<Dict>();
  for (const auto& [key, value] : json.items()) dict->set(make_str(key), from_json(value, call));
  return dict;
}

Value loads(MethodCall& call) {
  charge(static_cast<std::int64_t>(call.text(0).size()));
  try {
    return from_json(nlohmann::ordered_json::parse(call.text(0)), call);
  } catch (const nlohmann::json::exception&) {
    call.fail(Code::Value, say("argument.json"));
  }
}

constexpr char kJsonFile[] = "json";
constexpr Method kJson[] = {{"loads", 1, 1, loads},
                            {"dumps", 1, 1, in_library<kJsonFile>, "obj indent ensure_ascii sort_keys"}};

// ---- itertools ----

Value count_from(MethodCall& call) {
  Value at = call.has(0) ? call[0] : Value(std::int64_t{0});
  const Value step = call.has(1) ? call[1] : Value(std::int64_t{1});
  return make<Iterator>("count", [at, step](Value& out) mutable {
    out = at;
    at = apply_binary(*Interpreter::current(), BinaryOp::Add, at, step, {});
    return true;
  });
}

Value cycle(MethodCall& call) {
  return make<Iterator>(
      "cycle", [items = call.interpreter.to_vector(call[0], call.span(0)), at = std::size_t{0}](Value& out) mutable {
        if (items.empty()) return false;
        out = items[at++ % items.size()];
        return true;
      });
}

Value repeat_object(MethodCall& call) {
  const std::int64_t times = call[1].is_none() ? INT64_MAX : call.integer(1);
  return make<Iterator>("repeat", [item = call[0], left = times](Value& out) mutable {
    out = item;
    return left-- > 0;
  });
}

constexpr char kItertoolsFile[] = "itertools";
constexpr Method kItertools[] = {{"product", 0, kAnyNumber, in_library<kItertoolsFile>, "**"},
                                 {"chain", 0, kAnyNumber, in_library<kItertoolsFile>},
                                 {"combinations", 2, 2, in_library<kItertoolsFile>, "iterable r"},
                                 {"permutations", 1, 2, in_library<kItertoolsFile>, "iterable r"},
                                 {"count", 0, 2, count_from, "start step"},
                                 {"cycle", 1, 1, cycle},
                                 {"repeat", 1, 2, repeat_object, "object times"},
                                 {"islice", 2, 4, in_library<kItertoolsFile>},
                                 {"accumulate", 1, 2, in_library<kItertoolsFile>, "iterable func initial"}};

// ---- functools ----

Value partial(MethodCall& call) {
  CallArguments first = call.given;
  const Value function = first.positional.front();
  first.positional.erase(first.positional.begin());
  return make<Builtin>("partial", [function, first](Interpreter& interpreter, CallArguments& later) {
    CallArguments all;
    all.span = later.span;
    all.positional = first.positional;
    all.positional.insert(all.positional.end(), later.positional.begin(), later.positional.end());
    all.keywords = later.keywords;
    for (const auto& item : first.keywords) {
      const bool is_given = std::any_of(later.keywords.begin(), later.keywords.end(),
                                        [&](const auto& given) { return given.first == item.first; });
      if (!is_given) all.keywords.push_back(item);
    }
    all.spans.assign(all.positional.size() + all.keywords.size(), later.span);
    return interpreter.call(function, all);
  });
}

Value reduce(MethodCall& call) {
  std::optional<Value> total;
  if (call.has(2)) total = call[2];
  for (const Value& item : call.interpreter.to_vector(call[1], call.span(1)))
    total = total ? call.interpreter.call(call[0], {*total, item}, call.given.span) : item;
  if (!total) call.fail(Code::Type, "reduce() of empty iterable with no initial value");
  return *total;
}

// @wraps(function): the wrapper goes by the name and the text of what it wraps.
Value wraps(MethodCall& call) {
  const Value wrapped = call[0];
  return make<Builtin>("wraps", [wrapped](Interpreter&, CallArguments& arguments) {
    Value wrapper = arguments.positional.at(0);
    const Function* from = wrapped.as<Function>();
    Function* to = wrapper.as<Function>();
    if (from && to) {
      to->name = from->name;
      to->qualified_name = from->qualified_name;
      to->doc = from->doc;
    }
    return wrapper;
  });
}

constexpr Method kFunctools[] = {
    {"partial", 1, kAnyNumber, partial, "**"}, {"reduce", 2, 3, reduce}, {"wraps", 1, 1, wraps}};

}  // namespace

std::span<const Method> time_functions() { return kTime; }
std::span<const Method> warnings_functions() { return kWarnings; }
std::span<const Method> json_functions() { return kJson; }
std::span<const Method> itertools_functions() { return kItertools; }
std::span<const Method> functools_functions() { return kFunctools; }

}  // namespace attn
