// time, unicodedata, json, itertools, functools: what notebooks use of them. Over 400 lines because each is a table
// with a short function for each row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/letters.h"
#include "base/limits.h"
#include "base/number.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/modules/library.h"
#include "python/operators.h"
#include "python/type.h"
#include "python/types/changing.h"
#include "python/types/iterators.h"
#include "python/types/python_sort.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// ---- time ----

// A run gives the same output every time, so its clock advances by a millisecond each time it is read. Counted in
// milliseconds, by what a snapshot keeps.
std::int64_t later(MethodCall& call, std::int64_t more) {
  const Value kept = call.interpreter.kept("time");
  const Value name = make_str("now"), *before = kept.as<Dict>()->find(name);
  const std::int64_t now = (before ? as_index(*before).value_or(0) : 0) + more;
  kept.as<Dict>()->set(name, Value(now));
  return now;
}

std::int64_t read_clock(MethodCall& call) {
  const Ref<Dict> kept(call.interpreter.kept("time").as<Dict>());
  const Value name = make_str("was read"), again = make_str("was read again");
  kept->set(kept->find(name) ? again : name, Value(true));
  return later(call, 1);
}

Value clock(MethodCall& call) { return Value(static_cast<double>(read_clock(call)) / 1000); }
Value clock_ns(MethodCall& call) { return Value(read_clock(call) * 1'000'000); }
Value sleep(MethodCall& call) {
  const double seconds = as_real(call[0]).value_or(0);
  if (seconds < 0) call.fail(Code::Value, "sleep length must be non-negative");
  later(call, static_cast<std::int64_t>(std::min(seconds, 1e6) * 1000));
  return {};
}
Value no_garbage(MethodCall&) { return Value(std::int64_t{0}); }  // that was found

constexpr Method kGc[] = {{"collect", 0, 1, no_garbage}, {"enable", 0, 0, nothing}, {"disable", 0, 0, nothing}};

constexpr Method kTime[] = {{"time", 0, 0, clock},       {"perf_counter", 0, 0, clock},
                            {"monotonic", 0, 0, clock},  {"process_time", 0, 0, clock},
                            {"time_ns", 0, 0, clock_ns}, {"perf_counter_ns", 0, 0, clock_ns},
                            {"sleep", 1, 1, sleep}};

// ---- unicodedata ----

Value normalize(MethodCall& call) {
  const auto text = normalized(call.text(1), call.text(0));
  if (!text) call.fail(Code::Value, "invalid normalization form");
  return make_str(*text);
}

std::int32_t only_code(MethodCall& call) {
  if (character_count(call.text(0)) != 1) call.fail(Code::Type, "need a single Unicode character as parameter");
  return static_cast<std::int32_t>(first_code(call.text(0)));
}

Value category(MethodCall& call) { return make_str(category_of(only_code(call))); }
Value combining(MethodCall& call) { return Value(combining_class(only_code(call))); }

constexpr Method kUnicodedata[] = {
    {"normalize", 2, 2, normalize}, {"category", 1, 1, category}, {"combining", 1, 1, combining}};

// ---- json ----

// What Python's json writes and reads beside JSON. For the parser they become texts that begin with a NUL.
constexpr std::pair<std::string_view, double> kJsonConstants[] = {
    {"NaN", NAN}, {"Infinity", HUGE_VAL}, {"-Infinity", -HUGE_VAL}};

std::string with_quoted_constants(const std::string& text) {
  std::string out;
  bool is_quoted = false;
  for (std::string_view rest = text; !rest.empty();) {
    charge(1);
    const auto constant = std::ranges::find_if(
        kJsonConstants, [&](const auto& known) { return !is_quoted && rest.starts_with(known.first); });
    const bool is_constant = constant != std::end(kJsonConstants);
    const std::size_t letters = is_quoted && rest[0] == '\\' ? 2 : 1;  // what is escaped ends no text
    const std::string_view piece = rest.substr(0, is_constant ? constant->first.size() : letters);
    if (piece == "\"") is_quoted = !is_quoted;
    out += is_constant ? fmt::format("\"\\u0000{}\"", piece) : std::string(piece);
    rest.remove_prefix(piece.size());
  }
  return out;
}

/// Makes values as the parser finds them: one pass, in which an interrupt is heard.
class JsonReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonReader(MethodCall& call) : call_(call) {}
  Value result;

  bool null() override { return take({}); }
  bool boolean(bool value) override { return take(value); }
  bool number_integer(number_integer_t value) override {
    return take(call_.has(kInt) ? ask(kInt, make_str(std::to_string(value))) : Value(std::int64_t{value}));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > INT64_MAX) throw unsupported(call_.given.span, "unsupported.int");
    return number_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t& text) override {
    if (text.find_first_of(".eE") == std::string::npos) throw unsupported(call_.given.span, "unsupported.int");
    return take(call_.has(kFloat) ? ask(kFloat, make_str(text)) : Value(value));
  }
  bool string(string_t& value) override {
    for (const auto& [name, number] : kJsonConstants)
      if (value.starts_with('\0') && value.substr(1) == name) return take(number);
    return take(make_str(std::move(value)));
  }
  bool binary(binary_t&) override { return false; }  // not in a text
  bool start_object(std::size_t) override { return call_.has(kPairs) ? open(make<List>()) : open(make<Dict>()); }
  bool key(string_t& value) override { return open_.back().key = make_str(std::move(value)), true; }
  bool end_object() override {
    const Value object = close();
    const std::size_t hook = call_.has(kPairs) ? kPairs : kObject;
    return take(call_.has(hook) ? ask(hook, object) : object);
  }
  bool start_array(std::size_t) override { return open(make<List>()); }
  bool end_array() override { return take(close()); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    constexpr int kOverflow = 406;  // nlohmann's number of it
    if (error.id == kOverflow) throw unsupported(call_.given.span, "unsupported.json.float");
    throw python_error("JSONDecodeError", call_.given.span, say("argument.json"));
  }

 private:
  // Which parameters of loads() are asked for what.
  static constexpr std::size_t kObject = 1, kFloat = 2, kInt = 3, kPairs = 4;

  struct Open {
    Value container;  // of pairs if an object's are asked for
    Value key;        // None in an array
  };

  Value ask(std::size_t hook, const Value& value) {
    return call_.interpreter.call(call_[hook], {value}, call_.given.span);
  }
  bool open(const Value& container) {
    constexpr std::size_t kDeepest = 1000;  // as many as Python's calls
    if (open_.size() == kDeepest)
      throw python_error("RecursionError", call_.given.span, "maximum recursion depth exceeded while decoding a JSON");
    return open_.push_back({container, {}}), true;
  }
  Value close() {
    const Value container = std::move(open_.back().container);
    return open_.pop_back(), container;
  }
  bool take(const Value& value) {
    charge(1);
    if (open_.empty()) return result = value, true;
    const auto& [container, key] = open_.back();
    if (Dict* const dict = container.as<Dict>()) dict->set(key, value);
    else container.as<List>()->items.push_back(key.is_none() ? value : make_tuple({key, value}));
    return true;
  }

  MethodCall& call_;
  std::vector<Open> open_;
};

/// Goes through a text for the parser; each letter is a unit of work.
struct JsonLetter {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  reference operator*() const { return *at; }
  JsonLetter& operator++() {
    charge(1);
    return ++at, *this;
  }
  friend bool operator==(const JsonLetter&, const JsonLetter&) = default;

  pointer at;
};

Value loads(MethodCall& call) {
  const std::string& given = call.text(0);
  const bool has_constants = given.find("NaN") != std::string::npos || given.find("Infinity") != std::string::npos;
  const std::string quoted = has_constants ? with_quoted_constants(given) : "";
  const std::string& text = has_constants ? quoted : given;
  JsonReader reader(call);
  nlohmann::json::sax_parse(JsonLetter{text.data()}, JsonLetter{text.data() + text.size()}, &reader);
  return reader.result;
}

// In pieces, between which an interrupt is heard.
std::string json_string(std::string_view text, bool ascii) {
  constexpr std::size_t kPiece = 1 << 16;
  std::string out = "\"";
  while (!text.empty()) {
    charge(1);
    std::size_t size = std::min(kPiece, text.size());
    while (size < text.size() && (text[size] & 0xC0) == 0x80) ++size;  // not within a character
    const nlohmann::json piece(text.substr(0, size));
    const std::string written = piece.dump(-1, ' ', ascii, nlohmann::json::error_handler_t::replace);
    out.append(written, 1, written.size() - 2);
    text.remove_prefix(size);
  }
  return out + '"';
}

constexpr std::int64_t kMostIndent = 1000;

struct JsonStyle {
  MethodCall& call;
  std::optional<std::size_t> indent;
  bool ascii = true, sort = false, skip_keys = false, allow_nan = true, check_circular = true;
  std::string between = ", ", after_key = ": ";
  Value otherwise = {};                  // makes of what JSON has no form for something else
  std::vector<const void*> inside = {};  // the objects that are being written
  std::size_t depth = 0;                 // of lists, tuples and dicts among them
};

std::string to_json(const Value& value, JsonStyle& style);

bool is_json_key(const Value& key) { return key.as<Str>() || key.is_number() || key.is_none(); }

std::string json_key(const Value& key, JsonStyle& style) {
  if (key.as<Str>()) return json_string(key.as<Str>()->text, style.ascii);
  if (is_json_key(key)) return '"' + to_json(key, style) + '"';
  style.call.fail(Code::Type, "keys must be str, int, float, bool or None, not " + type_name(key));
}

std::string bracketed(const std::vector<std::string>& parts, char open, char close, const JsonStyle& style) {
  if (parts.empty()) return {open, close};
  const auto pad = [&](std::size_t level) {
    return style.indent ? "\n" + std::string(*style.indent * level, ' ') : std::string();
  };
  const std::size_t depth = style.depth;
  std::string out(1, open);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    charge(std::ssize(parts[i]));
    out += (i ? style.between : "") + pad(depth) + parts[i];
  }
  return out + pad(depth - 1) + close;
}

std::string dict_json(const Dict& dict, JsonStyle& style) {
  auto items = dict.items.all();
  if (style.sort) python_sort(items, [](const auto& a, const auto& b) { return str(a.first) < str(b.first); });
  std::vector<std::string> parts;
  for (const auto& [key, item] : items) {
    if (style.skip_keys && !is_json_key(key)) continue;
    parts.push_back(json_key(key, style) + style.after_key + to_json(item, style));
  }
  return bracketed(parts, '{', '}', style);
}

std::string list_json(const std::vector<Value>& items, JsonStyle& style) {
  std::vector<std::string> parts;
  all_items(items, [&](const Value& item) { return parts.push_back(to_json(item, style)), true; });
  return bracketed(parts, '[', ']', style);
}

/// What holds other values. Python refuses one that holds itself, too.
std::string container_json(const Value& value, JsonStyle& style) {
  const Dict* dict = value.as<Dict>();
  const std::vector<Value>* items = items_of(value);
  if (!dict && !items && style.otherwise.is_none()) {
    const std::string type = type_name(value);  // without its module
    style.call.fail(Code::Type,
                    fmt::format("Object of type {} is not JSON serializable", type.substr(type.rfind('.') + 1)));
  }
  const Object* const self = value.object();
  if (style.check_circular && std::find(style.inside.begin(), style.inside.end(), self) != style.inside.end())
    style.call.fail(Code::Value, "Circular reference detected");
  const NestedLevel level(" while encoding a JSON object");
  style.inside.push_back(self);
  std::string text;
  if (dict || items) {
    ++style.depth;
    text = dict ? dict_json(*dict, style) : list_json(*items, style);
    --style.depth;
  } else {
    text = to_json(style.call.interpreter.call(style.otherwise, {value}, style.call.given.span), style);
  }
  style.inside.pop_back();
  return text;
}

std::string to_json(const Value& value, JsonStyle& style) {
  check_stack();
  charge(1);
  if (value.is_none()) return "null";
  if (const bool* flag = value.as_bool()) return *flag ? "true" : "false";
  if (const double* number = value.as_float()) {
    if (!style.allow_nan && !std::isfinite(*number))
      style.call.fail(Code::Value, "Out of range float values are not JSON compliant");
    if (std::isnan(*number)) return "NaN";
    return std::isinf(*number) ? (*number < 0 ? "-Infinity" : "Infinity") : python_repr(*number);
  }
  if (value.as_int()) return repr(value);
  if (class_of(value) && has_number(value)) return repr(from_scalar(*as_scalar(value)));  // of an IntEnum
  if (const Str* text = value.as<Str>()) return json_string(text->text, style.ascii);
  if (has_number(value) && type_name(value) == "numpy.float64")  // which is a float
    return to_json(from_scalar(*as_scalar(value)), style);
  return container_json(value, style);
}

Value dumps(MethodCall& call) {
  const auto is_wanted = [&](std::size_t i) { return !call.has(i) || truthy(call[i]); };
  JsonStyle style{call, std::nullopt, is_wanted(2), truthy(call[3]), truthy(call[6]), is_wanted(7), is_wanted(8)};
  if (!call[1].is_none()) {
    const std::int64_t indent = std::max<std::int64_t>(call.integer(1), 0);
    if (indent > kMostIndent)
      throw unsupported(call.given.span, "unsupported.indent", {{"most", std::to_string(kMostIndent)}});
    style.indent = static_cast<std::size_t>(indent);
    style.between = ",";
  }
  if (const std::vector<Value>* separators = items_of(call[5]); separators && separators->size() == 2) {
    style.between = str(separators->front());
    style.after_key = str(separators->back());
  }
  style.otherwise = call[4];
  return make_str(to_json(call[0], style));
}

constexpr Method kJson[] = {
    {"loads", 1, 1, loads, "s object_hook parse_float parse_int object_pairs_hook"},
    {"dumps", 1, 1, dumps, "obj indent ensure_ascii sort_keys default separators skipkeys allow_nan check_circular"}};

// ---- itertools ----

std::vector<Value> argument_items(MethodCall& call, std::size_t i) {
  return call.interpreter.to_vector(call[i], call.span(i));
}

using Places = std::vector<std::size_t>;

/// The item at each place, of the pool for its number.
template <class Pool>
std::vector<Value> chosen(const Places& places, const Pool& pool) {
  std::vector<Value> row;
  row.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    look();
    row.push_back(pool(i)[places[i]]);
  }
  return row;
}

Value cartesian_product(MethodCall& call) {
  std::vector<std::vector<Value>> pools;
  for (std::size_t i = 0; i < call.given.positional.size(); ++i) pools.push_back(argument_items(call, i));
  std::int64_t repeat = 1;
  for (const auto& [name, value] : call.given.keywords)
    if (name == "repeat") repeat = as_index(value).value_or(1);
  if (repeat < 0) call.fail(Code::Value, "repeat argument cannot be negative");
  check_length(static_cast<std::size_t>(std::min<std::int64_t>(repeat, INT32_MAX)) * pools.size());
  const std::size_t size = pools.size() * static_cast<std::size_t>(repeat);
  bool ends = size > 0 && std::any_of(pools.begin(), pools.end(), [](const auto& pool) { return pool.empty(); });
  return make<Iterator>("product", [pools = std::move(pools), places = Places(size, 0), ends](Value& out) mutable {
    if (ends) return false;
    const auto pool = [&](std::size_t i) -> const std::vector<Value>& { return pools[i % pools.size()]; };
    charge(std::ssize(places) + 1);
    out = make_tuple(chosen(places, pool));
    std::size_t turning = places.size();  // as the wheels of a counter
    while (turning > 0 && ++places[turning - 1] == pool(turning - 1).size()) places[--turning] = 0;
    ends = turning == 0;
    return true;
  });
}

enum class Order { Rising, NotFalling, Any };

// Each choice of `size` places out of [0, count), in order. Only those that do not fall may have a place twice.
class Choices {
 public:
  Choices(std::size_t size, std::size_t count, Order order) : size_(size), is_taken_(count, false), order_(order) {}

  /// Null after the last one.
  const Places* next() {
    if (size_ > is_taken_.size() && order_ != Order::NotFalling) return nullptr;
    std::size_t place = 0;
    if (!std::exchange(is_first_, false) && !give_up_last(place)) return nullptr;
    while (places_.size() < size_) {
      charge(1);
      // Rising places leave enough for those that follow.
      const std::size_t end = is_taken_.size() - (order_ == Order::Rising ? size_ - places_.size() - 1 : 0);
      for (; place < end && is_taken_[place]; ++place) look();
      if (place < end) {
        places_.push_back(place);
        is_taken_[place] = order_ != Order::NotFalling;
        if (order_ == Order::Any) place = 0;
        else if (order_ == Order::Rising) ++place;
      } else if (!give_up_last(place)) {
        return nullptr;
      }
    }
    return &places_;
  }

 private:
  bool give_up_last(std::size_t& place) {
    if (places_.empty()) return false;
    is_taken_[places_.back()] = false;
    place = places_.back() + 1;
    places_.pop_back();
    return true;
  }

  Places places_;
  std::size_t size_;
  std::vector<bool> is_taken_;
  Order order_;
  bool is_first_ = true;
};

Value selections(const char* type, MethodCall& call, Order order) {
  std::vector<Value> pool = argument_items(call, 0);
  const std::int64_t size = call[1].is_none() && order == Order::Any ? std::ssize(pool) : call.integer(1);
  if (size < 0) call.fail(Code::Value, "r must be non-negative");
  Choices choices(static_cast<std::size_t>(size), pool.size(), order);
  return make<Iterator>(type, [pool = std::move(pool), choices = std::move(choices)](Value& out) mutable {
    const Places* places = choices.next();
    if (!places) return false;
    out = make_tuple(chosen(*places, [&](std::size_t) -> const std::vector<Value>& { return pool; }));
    return true;
  });
}

Value combinations(MethodCall& call) { return selections("combinations", call, Order::Rising); }
Value combinations_with_replacement(MethodCall& call) {
  return selections("combinations_with_replacement", call, Order::NotFalling);
}
Value permutations(MethodCall& call) { return selections("permutations", call, Order::Any); }

Value count_from(MethodCall& call) {
  Value at = call.has(0) ? call[0] : Value(std::int64_t{0});
  const Value step = call.has(1) ? call[1] : Value(std::int64_t{1});
  return make<Iterator>("count", [at, step, is_first = true](Value& out) mutable {
    if (!is_first) at = apply_binary(*Interpreter::current(), BinaryOp::Add, at, step, {});
    is_first = false;
    out = at;
    return true;
  });
}

Value cycle(MethodCall& call) {
  Iterator::Next next = step_through(call.interpreter, call[0], call.given.span);
  return make<Iterator>("cycle", [next, items = std::vector<Value>(), at = std::size_t{0}](Value& out) mutable {
    charge(1);
    if (next && next(out)) return items.push_back(out), true;
    next = nullptr;
    if (items.empty()) return false;
    return out = items[at++ % items.size()], true;
  });
}

Value repeat_object(MethodCall& call) {
  const std::int64_t times = call[1].is_none() ? INT64_MAX : call.integer(1);
  return make<Iterator>("repeat", [item = call[0], left = times](Value& out) mutable {
    out = item;
    return left-- > 0;
  });
}

Value islice(MethodCall& call) {
  if (!is_iterable(call[0])) call.fail(Code::Type, fmt::format("'{}' object is not iterable", type_name(call[0])));
  const bool has_start = call.has(2);
  const std::int64_t start = has_start && !call[1].is_none() ? call.integer(1) : 0;
  const Value& last = has_start ? *call.arguments[2] : *call.arguments[1];
  const std::int64_t stop = last.is_none() ? INT64_MAX : as_index(last).value_or(-1);
  const std::int64_t step = call.has(3) && !call[3].is_none() ? call.integer(3) : 1;
  if (start < 0 || stop < 0 || step < 1)
    call.fail(Code::Value, "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.");
  return make<Iterator>("islice", [next = step_through(call.interpreter, call[0], call.span(0)), at = std::int64_t{0},
                                   wanted = start, stop, step](Value& out) mutable {
    for (const std::int64_t end = std::min(wanted, stop - 1); at <= end; ++at) {
      charge(1);
      if (!next(out)) return false;
    }
    if (wanted >= stop) return false;
    wanted = wanted > INT64_MAX - step ? INT64_MAX : wanted + step;
    return true;
  });
}

Value accumulate(MethodCall& call) {
  std::optional<Value> total;
  const bool has_initial = call.has(2) && !call[2].is_none();
  if (has_initial) total = call[2];
  return make<Iterator>(
      "accumulate", [next = step_through(call.interpreter, call[0], call.span(0)), total, gives_initial = has_initial,
                     function = call[1], span = call.given.span](Value& out) mutable {
        Interpreter& in = *Interpreter::current();
        if (Value item; !std::exchange(gives_initial, false)) {
          if (!next(item)) return false;
          if (!total) total = item;
          else if (function.is_none()) total = apply_binary(in, BinaryOp::Add, *total, item, {span, span, span});
          else total = in.call(function, {*total, item}, span);
        }
        out = *total;
        return true;
      });
}

constexpr Method kItertools[] = {{"product", 0, kAnyNumber, cartesian_product, "**"},
                                 {"combinations", 2, 2, combinations, "iterable r"},
                                 {"combinations_with_replacement", 2, 2, combinations_with_replacement, "iterable r"},
                                 {"permutations", 1, 2, permutations, "iterable r"},
                                 {"count", 0, 2, count_from, "start step"},
                                 {"cycle", 1, 1, cycle},
                                 {"repeat", 1, 2, repeat_object, "object times"},
                                 {"islice", 2, 4, islice},
                                 {"accumulate", 1, 2, accumulate, "iterable func initial"}};

// ---- functools ----

Value reduce(MethodCall& call) {
  std::optional<Value> total;
  if (call.has(2)) total = call[2];
  call.interpreter.for_each(call[1], call.span(1), [&](const Value& item) {
    total = total ? call.interpreter.call(call[0], {*total, item}, call.given.span) : item;
    return true;
  });
  if (!total) call.fail(Code::Type, "reduce() of empty iterable with no initial value");
  return *total;
}

// @wraps(function): the wrapper goes by the name and the text of what it wraps, and knows it.
Value wraps(MethodCall& call) {
  const Value wrapped = call[0];
  return make<Builtin>("wraps", [wrapped](Interpreter&, CallArguments& arguments) {
    Value wrapper = arguments.positional.at(0);
    const Function* from = wrapped.as<Function>();
    Function* to = wrapper.as<Function>();
    if (!to) return wrapper;
    if (to->attributes.is_none()) to->attributes = make<Dict>();
    Dict& attributes = *to->attributes.as<Dict>();
    if (from) {
      to->name = from->name;
      to->qualified_name = from->qualified_name;
      to->doc = from->doc;
      if (const Dict* own = from->attributes.as<Dict>())
        for (const auto& [name, value] : own->items) attributes.set(name, value);
    }
    attributes.set(make_str("__wrapped__"), wrapped);
    return wrapper;
  });
}

constexpr Method kFunctools[] = {{"reduce", 2, 3, reduce}, {"wraps", 1, 1, wraps}};

}  // namespace

std::span<const Method> gc_functions() { return kGc; }
std::span<const Method> unicodedata_functions() { return kUnicodedata; }
std::span<const Method> time_functions() { return kTime; }
std::span<const Method> json_functions() { return kJson; }
std::span<const Method> itertools_functions() { return kItertools; }
std::span<const Method> functools_functions() { return kFunctools; }

bool has_measured_time(Interpreter& interpreter) {
  return interpreter.kept("time").as<Dict>()->find(make_str("was read again")) != nullptr;
}

}  // namespace attn
