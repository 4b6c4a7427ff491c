// numpy.random: the numbers of the RandomState behind np.random.seed(n) and of others, and of default_rng(n). Over 400
// lines because all three have nearly the same names, which draw by different rules.
#include <algorithm>
#include <bit>
#include <utility>

#include "base/limits.h"
#include "python/modules/library.h"
#include "python/modules/pcg64.h"
#include "python/modules/unsupported_names.h"
#include "python/type.h"
#include "tensor/core/read.h"
#include "tensor/ops/gather.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "text/unsupported.h"
#include "torch/numpy/array.h"

namespace attn {
namespace {

struct RandomState : Object {
  static const Type kType;
  RandomState() : Object(kType) {}
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &RandomState::generator); }
  MersenneTwister generator;
};

MersenneTwister& numpy_generator(MethodCall& call) {
  call.interpreter.require_effects("wrong_cell.draw", call.given.span);
  RandomState* own = call.self.as<RandomState>();
  return own ? own->generator : call.interpreter.numpy_random();
}

double numpy_parameter(const MethodCall& call, std::size_t i, double otherwise) {
  if (!call.has(i) || call[i].is_none()) return otherwise;
  if (const auto number = as_real(call[i])) return *number;
  throw unsupported(call.given.span, "unsupported.numpy.draws");
}

// One number without a size, else an array of them.
template <class Draw>
Value numpy_drawn(MethodCall& call, const Value& size, Draw draw) {
  if (size.is_none()) return Value(draw());
  const Shape shape = call.ints(size);
  const std::int64_t count = numel_of(shape);
  if (count < 0) call.fail(Code::Value, "Negative dimensions are not allowed");
  check_length(static_cast<std::size_t>(count));
  return make_array(made_by_place(shape, [&](std::int64_t) { return draw(); }));
}

Value numpy_seed(MethodCall& call) {
  MersenneTwister& generator = numpy_generator(call);
  const std::int64_t number = call[0].is_none() ? 0 : call.integer(0);
  if (number < 0 || number > 0xffffffffLL) call.fail(Code::Value, "Seed must be between 0 and 2**32 - 1");
  generator.seed_numpy(static_cast<std::uint32_t>(number));
  return {};
}

Value random_state(MethodCall& call) {
  const Value made = make<RandomState>();
  MethodCall seeding{call.interpreter, made, call.given, call.name, call.arguments};
  numpy_seed(seeding);
  return made;
}

// ('MT19937', its words, the number of those spent, whether half of a normal number is kept, that half). numpy's words
// are uint32.
Value get_state(MethodCall& call) {
  const MersenneTwister::State state = numpy_generator(call).state();
  const std::vector<std::int64_t> words(state.words.begin(), state.words.end());
  return make_tuple({make_str("MT19937"), make_array(Tensor::from(words, {std::ssize(words)})),
                     Value(static_cast<std::int64_t>(state.at)), Value(std::int64_t{state.kept.has_value()}),
                     Value(state.kept.value_or(0))});
}

Value set_state(MethodCall& call) {
  const Value given = call[0];
  const Tuple* parts = given.as<Tuple>();
  const Array* words = parts && parts->items.size() == 5 ? parts->items[1].as<Array>() : nullptr;
  if (!words) throw unsupported(call.given.span, "unsupported.numpy.state");
  MersenneTwister::State state;
  const std::vector<double> numbers = to_doubles(words->tensor->tensor);
  if (numbers.size() != state.words.size()) call.fail(Code::Value, "state must be 624 longs");
  for (std::size_t i = 0; i < numbers.size(); ++i) state.words[i] = static_cast<std::uint32_t>(numbers[i]);
  state.at = static_cast<std::size_t>(std::clamp<std::int64_t>(as_index(parts->items[2]).value_or(624), 0, 624));
  if (truthy(parts->items[3])) state.kept = as_real(parts->items[4]);
  numpy_generator(call).restore(state);
  return {};
}

// rand(2, 3)
Value sizes(MethodCall& call) { return call.given.positional.empty() ? Value() : make_tuple(call.given.positional); }
Value numpy_rand(MethodCall& call) {
  return numpy_drawn(call, sizes(call), [&g = numpy_generator(call)] { return g.uniform(); });
}
Value numpy_randn(MethodCall& call) {
  return numpy_drawn(call, sizes(call), [&g = numpy_generator(call)] { return g.polar_normal(); });
}
Value numpy_random(MethodCall& call) {
  return numpy_drawn(call, call[0], [&g = numpy_generator(call)] { return g.uniform(); });
}
Value normal(MethodCall& call) {
  const double mean = numpy_parameter(call, 0, 0), deviation = numpy_parameter(call, 1, 1);
  if (deviation < 0) call.fail(Code::Value, "scale < 0");
  return numpy_drawn(call, call[2],
                     [&g = numpy_generator(call), mean, deviation] { return mean + deviation * g.polar_normal(); });
}
Value standard_normal(MethodCall& call) {
  return numpy_drawn(call, call[0], [&g = numpy_generator(call)] { return g.polar_normal(); });
}
Value numpy_uniform(MethodCall& call) {
  const double low = numpy_parameter(call, 0, 0), high = numpy_parameter(call, 1, 1);
  return numpy_drawn(call, call[2],
                     [&g = numpy_generator(call), low, high] { return low + (high - low) * g.uniform(); });
}

Value numpy_randint(MethodCall& call) {
  const bool has_high = !call[1].is_none();
  const std::int64_t low = has_high ? call.integer(0) : 0, high = call.integer(has_high ? 1 : 0);
  if (low >= high) call.fail(Code::Value, low >= high && has_high ? "low >= high" : "high <= 0");
  if (!call[3].is_none() && numpy_dtype(call[3], call.given.span) != DType::Int64)
    throw unsupported(call.given.span, "unsupported.numpy.randint");
  const auto most = static_cast<std::uint64_t>(high - 1 - low);
  return numpy_drawn(call, call[2], [&g = numpy_generator(call), low, most] {
    return low + static_cast<std::int64_t>(g.up_to(most));
  });
}

// The places of so many elements, in order.
Tensor places_of(std::int64_t count) {
  return made_by_place({count}, [](std::int64_t i) { return i; });
}

// From the last one to `first` each changes with one of those up to it, which is drawn.
template <class UpTo>
void shuffle_places(Tensor& places, UpTo up_to, std::int64_t first = 1) {
  std::int64_t* const at = places.mutable_data<std::int64_t>();
  for (std::int64_t i = places.numel(); i-- > first;) {
    look();
    std::swap(at[i], at[up_to(static_cast<std::uint64_t>(i))]);
  }
}

Tensor permuted(MethodCall& call, std::int64_t count) {
  MersenneTwister& generator = numpy_generator(call);
  Tensor out = places_of(count);
  shuffle_places(out, [&](std::uint64_t most) { return generator.up_to(most); });
  return out;
}

// One of several texts is a text; there are no arrays of them.
bool is_of_texts(const Value& from) {
  const std::vector<Value>* items = items_of(from);
  return items && std::any_of(items->begin(), items->end(), [](const Value& item) { return item.as<Str>(); });
}

Value picked(MethodCall& call, const Value& from, const Value& places) {
  const Span span = call.given.span;
  if (is_of_texts(from)) {
    if (const auto place = as_index(places)) return (*items_of(from))[static_cast<std::size_t>(*place)];
    const Value texts = call.interpreter.call(library_function(call.interpreter, "texts", "ndarray"), {from}, span);
    return get_item(call.interpreter, texts, places, {span, span, span});
  }
  if (as_index(from) && !from.as<Array>()) return places;
  return array_item(call.interpreter, from, places, {span, span, span});
}

// A number in [0, 1), or in [0, most], of whichever generator draws.
double next_uniform(MethodCall& call);
std::uint64_t next_up_to(MethodCall& call, std::uint64_t most);

// So many different places of [0, count).
using Sample = Tensor (*)(MethodCall& call, std::int64_t count, std::int64_t wanted);

// The first of a permutation.
Tensor first_permuted(MethodCall& call, std::int64_t count, std::int64_t wanted) {
  return clone(narrow(permuted(call, count), 0, 0, wanted));
}

// np.random.choice(5) and of an array or a list with one axis.
Value choose(MethodCall& call, Sample sample) {
  const auto number =
      call[0].as<Array>() || call[0].as<List>() || call[0].as<Tuple>() ? std::nullopt : as_index(call[0]);
  const bool are_texts = is_of_texts(call[0]);
  const Value from = number || are_texts ? call[0] : as_array(call[0], {}, call.span(0));
  if (!number && !are_texts && from.as<Array>()->tensor->tensor.dim() != 1)
    call.fail(Code::Value, "a must be 1-dimensional");
  const std::int64_t count = number      ? *number
                             : are_texts ? std::ssize(*items_of(from))
                                         : from.as<Array>()->tensor->tensor.size(0);
  if (count <= 0)
    call.fail(Code::Value, number ? "a must be greater than 0 unless no samples are taken"
                                  : "'a' cannot be empty unless no samples are taken");
  const bool replaces = !call.has(2) || truthy(call[2]);
  if (!call[3].is_none()) {
    if (!replaces) throw unsupported(call.given.span, "unsupported.numpy.choice");
    const Value weights = as_array(call[3], DType::Float64, call.given.span);
    std::vector<double> sums = to_doubles(weights.as<Array>()->tensor->tensor);
    if (static_cast<std::int64_t>(sums.size()) != count) call.fail(Code::Value, "'a' and 'p' must have same size");
    const bool is_negative = std::ranges::any_of(sums, [](double share) { return share < 0; });
    for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
    if (std::isnan(sums.back())) call.fail(Code::Value, "probabilities contain NaN");
    if (is_negative) call.fail(Code::Value, "probabilities are not non-negative");
    if (std::abs(sums.back() - 1) > 1.5e-8) call.fail(Code::Value, "probabilities do not sum to 1");
    for (double& sum : sums) sum /= sums.back();
    const Value places = numpy_drawn(call, call[1], [&call, &sums] {
      return static_cast<std::int64_t>(std::upper_bound(sums.begin(), sums.end(), next_uniform(call)) - sums.begin());
    });
    return picked(call, from, places);
  }
  if (!replaces) {
    const Shape shape = call[1].is_none() ? Shape{} : call.ints(call[1]);
    if (std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; }))
      call.fail(Code::Value, "Negative dimensions are not allowed");
    const std::int64_t wanted = numel_of(shape);
    if (wanted > count) call.fail(Code::Value, "Cannot take a larger sample than population when 'replace=False'");
    check_length(static_cast<std::size_t>(sample == first_permuted ? count : wanted));
    const Tensor places = sample(call, count, wanted);
    if (call[1].is_none()) return picked(call, from, Value(*places.data<std::int64_t>()));
    return picked(call, from, make_array(reshape(places, shape)));
  }
  const auto most = static_cast<std::uint64_t>(count - 1);
  return picked(call, from, numpy_drawn(call, call[1], [&call, most] {
                  return static_cast<std::int64_t>(next_up_to(call, most));
                }));
}

/// What a function of src/lib/draws.py draws, by the numbers in [0, 1) of whichever generator it is, which it is given
/// first.
template <const char* kName, std::size_t kCount>
Value library_draw(MethodCall& call) {
  std::vector<Value> arguments = {
      make<Builtin>("uniform", [&call](Interpreter&, CallArguments&) { return Value(next_uniform(call)); })};
  for (std::size_t i = 0; i < kCount; ++i) arguments.push_back(call[i]);
  return call.interpreter.call(library_function(call.interpreter, "draws", kName), std::move(arguments),
                               call.given.span);
}

constexpr char kBinomial[] = "binomial", kPoisson[] = "poisson", kMultinomial[] = "multinomial", kGumbel[] = "gumbel",
               kLaplace[] = "laplace", kLogistic[] = "logistic", kExponential[] = "exponential";

using Permuted = Tensor (*)(MethodCall& call, std::int64_t count);

Value permute(MethodCall& call, Permuted permuted) {
  const auto number = call[0].as<Array>() || call[0].as<List>() ? std::nullopt : as_index(call[0]);
  const Value from = number ? call[0] : as_array(call[0], {}, call.span(0));
  if (!number && from.as<Array>()->tensor->tensor.dim() == 0)
    call.fail(Code::Index, "x must be an integer or at least 1-dimensional");
  const std::int64_t count = number ? std::max<std::int64_t>(*number, 0) : from.as<Array>()->tensor->tensor.size(0);
  check_length(static_cast<std::size_t>(count));
  return picked(call, from, make_array(permuted(call, count)));
}

Value shuffle_items(MethodCall& call, Permuted permuted) {
  List* list = call[0].as<List>();
  if (const Array* array = call[0].as<Array>(); array && array->tensor->tensor.dim() > 0) {
    Tensor& tensor = array->tensor->tensor;
    const std::int64_t count = tensor.size(0);
    assign(tensor, array_tensor(picked(call, call[0], make_array(permuted(call, count)))));
    return {};
  }
  if (!list) throw unsupported(call.given.span, "unsupported.numpy.shuffle");
  std::vector<Value> items;
  const Tensor order = permuted(call, std::ssize(list->items));
  for (std::int64_t i = 0; i < order.numel(); ++i) {
    look();
    items.push_back(list->items[static_cast<std::size_t>(order.data<std::int64_t>()[i])]);
  }
  list->items = std::move(items);
  return {};
}

Value numpy_choice(MethodCall& call) { return choose(call, first_permuted); }
Value permutation(MethodCall& call) { return permute(call, permuted); }
Value numpy_shuffle(MethodCall& call) { return shuffle_items(call, permuted); }

// ---- np.random.default_rng(): the numbers of its Generator ----

struct NumpyGenerator : Object {
  static const Type kType;
  explicit NumpyGenerator(std::uint64_t seed) : Object(kType), generator(seed) {}
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &NumpyGenerator::generator); }
  Pcg64 generator;
};

Pcg64& pcg_generator(MethodCall& call) {
  call.interpreter.require_effects("wrong_cell.draw", call.given.span);
  return call.self.as<NumpyGenerator>()->generator;
}

// Only float64 and int64 are drawn.
void require_usual_type(MethodCall& call, std::size_t i, DType usual) {
  if (call.has(i) && numpy_dtype(call[i], call.given.span) != usual)
    throw unsupported(call.given.span, "unsupported.numpy.draws");
}

Value default_rng(MethodCall& call) {
  if (call[0].as<NumpyGenerator>()) return call[0];
  const std::int64_t seed = call[0].is_none() ? 0 : call.integer(0);
  if (seed < 0) call.fail(Code::Value, "expected non-negative integer");
  return make<NumpyGenerator>(static_cast<std::uint64_t>(seed));
}

Value pcg_random(MethodCall& call) {
  require_usual_type(call, 1, DType::Float64);
  return numpy_drawn(call, call[0], [&g = pcg_generator(call)] { return g.uniform(); });
}
Value pcg_uniform(MethodCall& call) {
  const double low = numpy_parameter(call, 0, 0), high = numpy_parameter(call, 1, 1);
  return numpy_drawn(call, call[2], [&g = pcg_generator(call), low, high] { return low + (high - low) * g.uniform(); });
}
Value pcg_normal(MethodCall& call) {
  const double mean = numpy_parameter(call, 0, 0), deviation = numpy_parameter(call, 1, 1);
  if (deviation < 0) call.fail(Code::Value, "scale < 0");
  return numpy_drawn(call, call[2],
                     [&g = pcg_generator(call), mean, deviation] { return mean + deviation * g.normal(); });
}
Value pcg_standard_normal(MethodCall& call) {
  require_usual_type(call, 1, DType::Float64);
  return numpy_drawn(call, call[0], [&g = pcg_generator(call)] { return g.normal(); });
}

Value pcg_integers(MethodCall& call) {
  const bool has_high = !call[1].is_none();
  require_usual_type(call, 3, DType::Int64);
  const std::int64_t low = has_high ? call.integer(0) : 0;
  const std::int64_t most = call.integer(has_high ? 1 : 0) - (truthy(call[4]) ? 0 : 1);
  if (low > most) call.fail(Code::Value, has_high ? "low >= high" : "high <= 0");
  return numpy_drawn(call, call[2], [&g = pcg_generator(call), low, most] {
    return low + static_cast<std::int64_t>(g.up_to(static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(low)));
  });
}

Tensor pcg_permuted(MethodCall& call, std::int64_t count) {
  Tensor out = places_of(count);
  shuffle_places(out, [&g = pcg_generator(call)](std::uint64_t most) { return g.masked_up_to(most); });
  return out;
}

// Places that were drawn, at most so many. A std::unordered_set would grow and be freed without a look at Ctrl-C.
class Places {
 public:
  explicit Places(std::int64_t most)
      : table_(made_by_place({static_cast<std::int64_t>(std::bit_ceil(2 * static_cast<std::uint64_t>(most) + 1))},
                             [](std::int64_t) { return std::int64_t{-1}; })),
        held_(table_.mutable_data<std::int64_t>()),
        mask_(static_cast<std::uint64_t>(table_.numel()) - 1) {}
  // False if it was there.
  bool add(std::int64_t place) {
    std::uint64_t at = ((static_cast<std::uint64_t>(place) * 0x9E3779B97F4A7C15) >> 20) & mask_;
    while (held_[at] != -1 && held_[at] != place) at = (at + 1) & mask_;
    return std::exchange(held_[at], place) == -1;
  }

 private:
  Tensor table_;  // -1 where there is none
  std::int64_t* held_;
  std::uint64_t mask_;
};

// Different places by Floyd's algorithm; many of many as the end of a shuffle.
Tensor pcg_sample(MethodCall& call, std::int64_t count, std::int64_t wanted) {
  const auto up_to = [&g = pcg_generator(call)](std::uint64_t most) { return g.up_to(most); };
  const bool shuffles = !call.has(5) || truthy(call[5]);
  if (count > 10000 && wanted > count / (shuffles ? 50 : 20)) {
    Tensor all = places_of(count);
    shuffle_places(all, up_to, std::max<std::int64_t>(count - wanted, 1));
    return clone(narrow(all, 0, count - wanted, wanted));
  }
  Places taken(wanted);
  Tensor out = made_by_place({wanted}, [&](std::int64_t i) {
    const std::int64_t last = count - wanted + i;
    const auto drawn = static_cast<std::int64_t>(up_to(static_cast<std::uint64_t>(last)));
    if (taken.add(drawn)) return drawn;
    taken.add(last);
    return last;
  });
  if (shuffles) shuffle_places(out, up_to);
  return out;
}

Value pcg_choice(MethodCall& call) {
  if (call.has(4) && call.integer(4) != 0) refuse_keyword("Generator.choice", "axis", call.given.span);
  return choose(call, pcg_sample);
}

Value pcg_permutation(MethodCall& call) { return permute(call, pcg_permuted); }
Value pcg_shuffle(MethodCall& call) { return shuffle_items(call, pcg_permuted); }

// A copy in which the elements are shuffled, or those of each row along an axis.
Value pcg_permuted_copy(MethodCall& call) {
  if (!call[2].is_none()) refuse_keyword("Generator.permuted", "out", call.given.span);
  const Tensor x = array_tensor(as_array(call[0], {}, call.span(0)));
  if (call[1].is_none()) {
    const Tensor flat = reshape(x, {-1});
    return make_array(reshape(index_select(flat, 0, pcg_permuted(call, flat.size(0))), x.shape()));
  }
  const std::int64_t axis = wrap_dim(call.integer(1), x.dim());
  Tensor rows = clone(transpose(x, axis, -1));
  const Shape shape = rows.shape();
  rows = reshape(rows, {-1, shape.back()});
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    Tensor row = select(rows, 0, i);
    assign(row, index_select(row, 0, pcg_permuted(call, shape.back())));
  }
  return make_array(clone(transpose(reshape(rows, shape), axis, -1)));
}

constexpr Method kGeneratorMethods[] = {
    {"random", 0, 3, pcg_random, "size dtype out"},
    {"uniform", 0, 3, pcg_uniform, "low high size"},
    {"normal", 0, 3, pcg_normal, "loc scale size"},
    {"standard_normal", 0, 3, pcg_standard_normal, "size dtype out"},
    {"integers", 1, 5, pcg_integers, "low high size dtype endpoint"},
    {"choice", 1, 6, pcg_choice, "a size replace p axis shuffle"},
    {"permutation", 1, 1, pcg_permutation, "x"},
    {"shuffle", 1, 1, pcg_shuffle, "x", true},
    {"binomial", 2, 3, library_draw<kBinomial, 3>, "n p size"},
    {"poisson", 0, 2, library_draw<kPoisson, 2>, "lam size"},
    {"multinomial", 2, 3, library_draw<kMultinomial, 3>, "n pvals size"},
    {"gumbel", 0, 3, library_draw<kGumbel, 3>, "loc scale size"},
    {"laplace", 0, 3, library_draw<kLaplace, 3>, "loc scale size"},
    {"logistic", 0, 3, library_draw<kLogistic, 3>, "loc scale size"},
    {"permuted", 1, 1, pcg_permuted_copy, "x axis out"},
};

const Type NumpyGenerator::kType = {.name = "Generator",
                                    .listed_as = "numpy.random",
                                    .repr = [](const Value&) { return std::string("Generator(PCG64)"); },
                                    .methods = [](const Value&) { return std::span<const Method>(kGeneratorMethods); }};

constexpr Method kNumpyRandomFunctions[] = {
    {"RandomState", 0, 1, random_state, "seed"},
    {"default_rng", 0, 1, default_rng, "seed"},
    {"seed", 0, 1, numpy_seed, "seed"},
    {"rand", 0, kAnyNumber, numpy_rand},
    {"randn", 0, kAnyNumber, numpy_randn},
    {"random", 0, 1, numpy_random, "size"},
    {"random_sample", 0, 1, numpy_random, "size"},
    {"sample", 0, 1, numpy_random, "size"},
    {"ranf", 0, 1, numpy_random, "size"},
    {"normal", 0, 3, normal, "loc scale size"},
    {"standard_normal", 0, 1, standard_normal, "size"},
    {"uniform", 0, 3, numpy_uniform, "low high size"},
    {"randint", 1, 4, numpy_randint, "low high size dtype"},
    {"choice", 1, 4, numpy_choice, "a size replace p"},
    {"permutation", 1, 1, permutation, "x"},
    {"shuffle", 1, 1, numpy_shuffle, "x", true},
    {"get_state", 0, 1, get_state, "legacy"},
    {"set_state", 1, 1, set_state, "state"},
    {"binomial", 2, 3, library_draw<kBinomial, 3>, "n p size"},
    {"poisson", 0, 2, library_draw<kPoisson, 2>, "lam size"},
    {"multinomial", 2, 3, library_draw<kMultinomial, 3>, "n pvals size"},
    {"exponential", 0, 2, library_draw<kExponential, 2>, "scale size"},
    {"gumbel", 0, 3, library_draw<kGumbel, 3>, "loc scale size"},
    {"laplace", 0, 3, library_draw<kLaplace, 3>, "loc scale size"},
    {"logistic", 0, 3, library_draw<kLogistic, 3>, "loc scale size"},
};

double next_uniform(MethodCall& call) {
  return call.self.as<NumpyGenerator>() ? pcg_generator(call).uniform() : numpy_generator(call).uniform();
}

std::uint64_t next_up_to(MethodCall& call, std::uint64_t most) {
  return call.self.as<NumpyGenerator>() ? pcg_generator(call).up_to(most) : numpy_generator(call).up_to(most);
}

const Type RandomState::kType = {.name = "RandomState", .listed_as = "numpy.random", .methods = [](const Value&) {
                                   return std::span<const Method>(kNumpyRandomFunctions).subspan(2);
                                 }};

}  // namespace

std::span<const Method> numpy_generator_methods() { return kGeneratorMethods; }
std::span<const Method> numpy_random_functions() { return kNumpyRandomFunctions; }

}  // namespace attn
