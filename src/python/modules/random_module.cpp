// The module `random`: the numbers of CPython 3.11 after random.seed(n).
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "python/evaluator.h"
#include "python/modules/library.h"
#include "python/operators.h"
#include "python/place_table.h"
#include "python/type.h"
#include "text/unsupported.h"

namespace attn {
namespace {

struct RandomObject : Object {
  static const Type kType;
  RandomObject() : Object(kType) {}
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &RandomObject::generator); }
  MersenneTwister generator;
};

MersenneTwister& python_generator(MethodCall& call) {
  call.interpreter.require_effects("wrong_cell.draw", call.given.span);
  RandomObject* own = call.self.as<RandomObject>();
  return own ? own->generator : call.interpreter.python_random();
}

double number_argument(const MethodCall& call, std::size_t i, double otherwise = 0) {
  if (!call.has(i)) return otherwise;
  if (const auto number = as_real(call[i])) return *number;
  call.fail(Code::Type, "must be real number, not " + type_name(call[i]));
}

Value seed(MethodCall& call) {
  MersenneTwister& generator = python_generator(call);
  if (call[0].is_none()) return generator.seed_python(0), Value();
  if (!call[0].as_int() && !has_number(call[0])) throw unsupported(call.given.span, "unsupported.random.seed");
  const std::int64_t number = call.integer(0);
  const auto bits = static_cast<std::uint64_t>(number);
  generator.seed_python(number < 0 ? ~bits + 1 : bits);
  return {};
}

Value random(MethodCall& call) { return Value(python_generator(call).uniform()); }
Value uniform(MethodCall& call) {
  const double from = number_argument(call, 0);
  return Value(from + (number_argument(call, 1) - from) * python_generator(call).uniform());
}
Value gauss(MethodCall& call) {
  return Value(python_generator(call).gauss(number_argument(call, 0), number_argument(call, 1, 1)));
}

// By Kinderman and Monahan.
Value normalvariate(MethodCall& call) {
  static const double kMagic = 4 * std::exp(-0.5) / std::sqrt(2.0);
  MersenneTwister& generator = python_generator(call);
  for (;;) {
    look();  // a state of zeros never leads out
    const double u1 = generator.uniform(), u2 = 1.0 - generator.uniform();
    const double z = kMagic * (u1 - 0.5) / u2;
    if (z * z / 4.0 <= -std::log(u2)) return Value(number_argument(call, 0) + z * number_argument(call, 1, 1));
  }
}

// (3, the words and the number of those spent, the half of a normal number that is kept)
Value getstate(MethodCall& call) {
  const MersenneTwister::State state = python_generator(call).state();
  std::vector<Value> words;
  for (const std::uint32_t word : state.words) words.emplace_back(std::int64_t{word});
  words.emplace_back(static_cast<std::int64_t>(state.at));
  return make_tuple({Value(std::int64_t{3}), make_tuple(std::move(words)), state.kept ? Value(*state.kept) : Value()});
}

Value setstate(MethodCall& call) {
  const Value given = call[0];
  const Tuple* parts = given.as<Tuple>();
  if (!parts || parts->items.size() != 3)
    call.fail(Code::Type, "state must be a tuple of a version, words and a number");
  const Tuple* words = parts->items[1].as<Tuple>();
  MersenneTwister::State state;
  if (!words || words->items.size() != state.words.size() + 1) call.fail(Code::Value, "state vector is the wrong size");
  for (std::size_t i = 0; i < state.words.size(); ++i)
    state.words[i] = static_cast<std::uint32_t>(as_index(words->items[i]).value_or(0));
  const std::int64_t at = as_index(words->items.back()).value_or(-1);
  if (at < 0 || at > std::ssize(state.words)) call.fail(Code::Value, "invalid state");
  state.at = static_cast<std::size_t>(at);
  state.kept = as_real(parts->items[2]);
  python_generator(call).restore(state);
  return {};
}

Value in_range(MethodCall& call, std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step == 0) call.fail(Code::Value, "zero step for randrange()");
  const std::optional<std::int64_t> count = Range::count(start, stop, step);
  if (!count) throw unsupported(call.given.span, "unsupported.int");
  if (*count == 0) {
    call.fail(Code::Value, "empty range for randrange() (" + std::to_string(start) + ", " + std::to_string(stop) +
                               ", " + std::to_string(stop - start) + ")");
  }
  const auto drawn = static_cast<std::int64_t>(python_generator(call).below(static_cast<std::uint64_t>(*count)));
  return Value(start + step * drawn);
}
Value python_randint(MethodCall& call) {
  const std::int64_t first = call.integer(0), last = call.integer(1);
  if (first > last) return in_range(call, first, last + 1, 1);  // has the error
  const auto begin = static_cast<std::uint64_t>(first), count = static_cast<std::uint64_t>(last) - begin + 1;
  if (count == 0) throw unsupported(call.given.span, "unsupported.int");
  return Value(static_cast<std::int64_t>(begin + python_generator(call).below(count)));
}
Value randrange(MethodCall& call) {
  if (!call.has(1)) return in_range(call, 0, call.integer(0), 1);
  return in_range(call, call.integer(0), call.integer(1), call.integer(2, 1));
}

Value getrandbits(MethodCall& call) {
  const std::int64_t count = call.integer(0);
  if (count < 0) call.fail(Code::Value, "number of bits must be non-negative");
  if (count > 63) throw unsupported(call.given.span, "unsupported.random.bits");
  return Value(static_cast<std::int64_t>(python_generator(call).bits(static_cast<int>(count))));
}

std::int64_t sequence_length(MethodCall& call, const Value& sequence) {
  const Span span = call.given.span;
  return *as_index(call.interpreter.call(*find_builtin("len"), {{sequence}, {}, {span}, span}));
}
Value sequence_item(MethodCall& call, const Value& sequence, std::int64_t at) {
  const Span span = call.given.span;
  return get_item(call.interpreter, sequence, Value(at), {span, span, span});
}

Value choice(MethodCall& call) {
  const std::int64_t length = sequence_length(call, call[0]);
  if (length == 0) call.fail(Code::Index, "Cannot choose from an empty sequence");
  const std::uint64_t drawn = python_generator(call).below(static_cast<std::uint64_t>(length));
  return sequence_item(call, call[0], static_cast<std::int64_t>(drawn));
}

Value choices(MethodCall& call) {
  const std::int64_t length = sequence_length(call, call[0]), count = call.integer(3, 1);
  std::vector<double> sums;
  if (!call[1].is_none() || !call[2].is_none()) {
    const bool is_summed = call[1].is_none();
    double sum = 0;
    for (const Value& weight : call.interpreter.to_vector(call[is_summed ? 2 : 1], call.given.span)) {
      look();
      sum = is_summed ? as_real(weight).value_or(0) : sum + as_real(weight).value_or(0);
      sums.push_back(sum);
    }
    if (static_cast<std::int64_t>(sums.size()) != length)
      call.fail(Code::Value, "The number of weights does not match the population");
    if (!(sum > 0)) call.fail(Code::Value, "Total of weights must be greater than zero");
  }
  MersenneTwister& generator = python_generator(call);
  std::vector<Value> out;
  for (std::int64_t i = 0; i < count; ++i) {
    charge(1);
    const double drawn = generator.uniform();
    const auto place = sums.empty()
                           ? static_cast<std::int64_t>(drawn * static_cast<double>(length))
                           : std::upper_bound(sums.begin(), sums.end() - 1, drawn * sums.back()) - sums.begin();
    out.push_back(sequence_item(call, call[0], place));
  }
  return make_list(std::move(out));
}

Value shuffle(MethodCall& call) {
  List* list = call[0].as<List>();
  if (!list) throw unsupported(call.given.span, "unsupported.random.shuffle");
  MersenneTwister& generator = python_generator(call);
  for (std::size_t i = list->items.size(); i-- > 1;) {
    look();
    std::swap(list->items[i], list->items[generator.below(i + 1)]);
  }
  return {};
}

// Each item as often as its number in counts= says.
Value repeated_items(MethodCall& call) {
  const std::vector<Value> items = call.interpreter.to_vector(call[0], call.given.span);
  const Shape counts = call.ints(call[2]);
  if (counts.size() != items.size()) call.fail(Code::Value, "The number of counts does not match the population");
  std::vector<Value> out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    check_length(out.size() + static_cast<std::size_t>(std::max<std::int64_t>(counts[i], 0)));
    for (std::int64_t n = 0; n < counts[i]; ++n) {
      charge(1);
      out.push_back(items[i]);
    }
  }
  return make_list(std::move(out));
}

// As CPython: from a pool for small populations, else by remembering what was drawn.
Value sample(MethodCall& call) {
  if (!call[2].is_none()) call.arguments[0] = repeated_items(call);
  if (call[0].as<Set>() || call[0].as<Dict>())
    call.fail(Code::Type, "Population must be a sequence.  For dicts or sets, use sorted(d).");
  const std::int64_t length = sequence_length(call, call[0]), count = call.integer(1);
  if (count < 0 || count > length) call.fail(Code::Value, "Sample larger than population or is negative");
  double pool_size = 21;
  if (count > 5) pool_size += std::pow(4, std::ceil(std::log(static_cast<double>(count) * 3) / std::log(4)));
  MersenneTwister& generator = python_generator(call);
  std::vector<std::int64_t> places;
  if (static_cast<double>(length) <= pool_size) {
    std::vector<std::int64_t> pool;
    for (std::int64_t i = 0; i < length; ++i) {
      charge(1);
      pool.push_back(i);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      charge(1);
      const std::size_t left = pool.size() - static_cast<std::size_t>(i);
      std::int64_t& drawn = pool[generator.below(left)];
      places.push_back(std::exchange(drawn, pool[left - 1]));
    }
  } else {
    PlaceTable taken;
    while (static_cast<std::int64_t>(places.size()) < count) {
      charge(1);
      const std::uint64_t drawn = generator.below(static_cast<std::uint64_t>(length));
      const auto place = static_cast<std::int64_t>(drawn);
      if (taken.find(drawn, [&](std::size_t i) { return places[i] == place; })) continue;
      taken.add(drawn);
      places.push_back(place);
    }
  }
  std::vector<Value> out;
  for (const std::int64_t place : places) {
    charge(1);
    out.push_back(sequence_item(call, call[0], place));
  }
  return make_list(std::move(out));
}

Value random_object(MethodCall& call) {
  const Value made = make<RandomObject>();
  MethodCall seeding{call.interpreter, made, call.given, call.name, call.arguments};
  seed(seeding);
  return made;
}

constexpr Method kRandomFunctions[] = {
    {"Random", 0, 1, random_object, "x"},
    {"seed", 0, 2, seed, "a version"},
    {"getstate", 0, 0, getstate},
    {"setstate", 1, 1, setstate, "state"},
    {"random", 0, 0, random},
    {"uniform", 2, 2, uniform, "a b"},
    {"gauss", 0, 2, gauss, "mu sigma"},
    {"normalvariate", 0, 2, normalvariate, "mu sigma"},
    {"randint", 2, 2, python_randint, "a b"},
    {"randrange", 1, 3, randrange, "start stop step"},
    {"getrandbits", 1, 1, getrandbits, "k"},
    {"choice", 1, 1, choice, "seq"},
    {"choices", 1, 2, choices, "population weights cum_weights k"},
    {"shuffle", 1, 1, shuffle, "x", true},
    {"sample", 2, 2, sample, "population k counts"},
};

const Type RandomObject::kType = {.name = "Random", .listed_as = "random", .methods = [](const Value&) {
                                    return std::span<const Method>(kRandomFunctions).subspan(1);
                                  }};

}  // namespace

std::span<const Method> random_functions() { return kRandomFunctions; }

}  // namespace attn
