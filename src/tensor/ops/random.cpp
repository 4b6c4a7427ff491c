#include "tensor/ops/random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <sstream>

#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/overlap.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/core/work.h"
#include "tensor/ops/create.h"
#include "tensor/ops/normal_block.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

// The axes of x, sorted from the largest stride to the smallest.
std::vector<std::size_t> memory_order(const Tensor& x) {
  std::vector<std::size_t> axes(x.shape().size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::ranges::stable_sort(axes, std::greater{}, [&](std::size_t axis) { return x.strides()[axis]; });
  return axes;
}

// From this range on randint takes a 64-bit draw. PyTorch 1.13; newer versions switch at 2^28.
constexpr std::uint64_t kWideRange = std::uint64_t{1} << 32;

[[noreturn]] void refuse_random(std::string rule, std::string text) {
  throw TensorError(std::move(rule), Code::Runtime, "RuntimeError", std::move(text));
}

void require_floating(const Tensor& x, const char* kernel) {
  if (!is_floating(x.dtype())) throw_not_implemented(kernel, x.dtype());
}

template <class T>
T uniform(Generator& generator) {
  if constexpr (std::is_same_v<T, float>) return generator.uniform24();
  else return generator.uniform53();
}

}  // namespace

namespace {

// The bytes of PyTorch's state: the generator as Torch laid it out, then the kept half of a normal in float32.
struct StateBytes {
  std::uint64_t seed = 0;
  std::int32_t left = 1;  // draws until new words are made
  std::int32_t is_seeded = 1;
  std::uint64_t next = 0;
  std::uint64_t words[624] = {};
  double normal_x = 0, normal_y = 0, normal_rho = 0;
  std::int32_t has_normal = 0;
  float normal_float = 0;
  std::uint64_t has_normal_float = 0;
};
static_assert(sizeof(StateBytes) == 5056);

}  // namespace

std::vector<std::uint8_t> Generator::state() const {
  std::stringstream text;  // the words, and how many of them are taken
  text << engine_;
  StateBytes out;
  out.seed = seed_;
  for (std::uint64_t& word : out.words) text >> word;
  text >> out.next;
  out.left = static_cast<std::int32_t>(std::size(out.words) + 1 - out.next);
  if (is_fresh()) out.next = 0;
  out.has_normal = kept_normal_.has_value();
  out.normal_y = kept_normal_.value_or(0);
  std::vector<std::uint8_t> bytes(sizeof(out));
  std::memcpy(bytes.data(), &out, sizeof(out));
  return bytes;
}

bool Generator::set_state(std::span<const std::uint8_t> bytes) {
  StateBytes in;
  if (bytes.size() != sizeof(in)) return false;
  std::memcpy(&in, bytes.data(), sizeof(in));
  if (in.left < 1 || in.left > 625 || in.next > 624) return false;
  std::stringstream text;
  for (const std::uint64_t word : in.words) text << static_cast<std::uint32_t>(word) << ' ';
  text << std::size(in.words) + 1 - static_cast<std::size_t>(in.left);
  text >> engine_;
  seed_ = in.seed;
  kept_normal_ = in.has_normal ? std::optional(in.normal_y) : std::nullopt;
  return true;
}

Tensor in_memory_order(const Tensor& x) {
  Shape shape, strides;
  for (const std::size_t axis : memory_order(x)) {
    shape.push_back(x.shape()[axis]);
    strides.push_back(x.strides()[axis]);
  }
  return x.as_strided(shape, strides, x.offset());
}

namespace {

template <class T, class Draw>
void fill(Tensor& x, Draw&& draw) {
  T* out = x.mutable_data<T>();
  const Tensor ordered = in_memory_order(x);
  const Walk walk = plan_walk(ordered.shape(), {contiguous_strides(ordered.shape()), ordered.strides()});
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) out[at[1] + i * walk.strides[1].back()] = draw();
  });
}

// n >= 16. Both passes go over all of `out` as PyTorch's do: the uniforms of one block are used by that block only.
template <class T>
void fill_normal_blocks(T* out, std::int64_t n, T mean, T std, Generator& generator) {
  in_chunks(n, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out[i] = uniform<T>(generator);
    for (std::int64_t i = begin; i + kNormalBlock <= end; i += kNormalBlock) normal_block(out + i, mean, std);
  });
  if (n % kNormalBlock == 0) return;
  T* tail = out + n - kNormalBlock;
  for (std::int64_t i = 0; i < kNormalBlock; ++i) tail[i] = uniform<T>(generator);
  normal_block(tail, mean, std);
}
static_assert(kWorkChunk % kNormalBlock == 0);

template <class T>
void fill_normal(Tensor& x, double mean, double std, Generator& generator) {
  if (x.numel() >= kNormalBlock && x.is_contiguous())
    fill_normal_blocks<T>(x.mutable_data<T>(), x.numel(), static_cast<T>(mean), static_cast<T>(std), generator);
  else fill<T>(x, [&] { return static_cast<T>(std::fma(generator.small_normal(), std, mean)); });
}

void require_int_bounds(std::int64_t low, std::int64_t last, DType dtype) {
  static constexpr const char* kNames[] = {"bool",           "unsigned char", "signed char",  "short",
                                           "unsigned short", "int",           "unsigned int", "long",
                                           "c10::Half",      "c10::BFloat16", "float",        "double"};
  const std::string name = kNames[static_cast<std::size_t>(dtype)];
  const auto inside = [&](std::int64_t bound) {
    if (dtype == DType::Bool) return bound == 0 || bound == 1;
    if (dtype == DType::Float16) return std::abs(bound) <= 65504;
    return is_floating(dtype) || narrowed(bound, dtype) == bound;
  };
  if (!inside(low)) refuse_random("randint.bound", "from is out of bounds for " + name);
  if (!inside(last)) refuse_random("randint.bound", "to - 1 is out of bounds for " + name);
}

template <class T>
void require_uniform_bounds(double from, double to, const char* type_name) {
  constexpr double kMax = static_cast<double>(std::numeric_limits<T>::max());
  const auto inside = [&](double bound) { return bound >= -kMax && bound <= kMax; };
  if (!inside(from)) refuse_random("uniform.bound", std::string("from is out of bounds for ") + type_name);
  if (!inside(to)) refuse_random("uniform.bound", std::string("to is out of bounds for ") + type_name);
  const std::string a = format_general(from, 6);
  const std::string b = format_general(to, 6);
  if (from > to)
    refuse_random("uniform.order", "uniform_ expects to return a [from, to) range, but found from=" + a + " > to=" + b);
  if (to - from > kMax)
    refuse_random("uniform.range", "uniform_ expects to-from <= std::numeric_limits<" + scalar_type_name(dtype_of<T>) +
                                       ">::max(), but found to=" + b + " and from=" + a +
                                       " which result in to-from to exceed the limit");
}

template <class T>
void fill_uniform(Tensor& x, double from, double to, Generator& generator) {
  require_uniform_bounds<T>(from, to, sizeof(T) == sizeof(float) ? "float" : "double");
  const T low = static_cast<T>(from);
  const T width = static_cast<T>(to) - low;
  fill<T>(x, [&] { return std::fma(uniform<T>(generator), width, low); });
}

bool is_probability(double p) { return p >= 0.0 && p <= 1.0; }

template <class T>
Tensor draw_bernoulli(const Tensor& p, Generator& generator) {
  Tensor result = cast(p, p.dtype());  // a contiguous copy
  T* out = result.mutable_data<T>();
  in_chunks(p.numel(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (!is_probability(static_cast<double>(out[i])))
        refuse_random(
            "bernoulli.p",
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  "
            "If so, please report an enhancement request to PyTorch.)");
      out[i] = uniform<T>(generator) < out[i] ? T{1} : T{0};
    }
  });
  return result;
}

// 0 < p < 1, except that p = 1 draws nothing.
template <class T>
void fill_scale(Tensor& scale, double p, Generator& generator) {
  const T kept = T{1} / static_cast<T>(1.0 - p);
  fill<T>(scale, [&] { return p < 1.0 && generator.uniform53() < 1.0 - p ? kept : T{0}; });
}

}  // namespace

void Generator::manual_seed(std::uint64_t seed) {
  seed_ = seed;
  engine_.seed(static_cast<std::uint32_t>(seed));
  kept_normal_.reset();
}

std::uint64_t Generator::word64() {
  const std::uint64_t high = word();
  return (high << 32) | word();
}

float Generator::uniform24() { return static_cast<float>(word() & 0xFFFFFFU) * 0x1p-24F; }

double Generator::uniform53() { return static_cast<double>(word64() & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53; }

double Generator::small_normal() {
  if (kept_normal_) {
    const double kept = *kept_normal_;
    kept_normal_.reset();
    return kept;
  }
  const double u1 = uniform53();
  const double u2 = uniform53();
  const double radius = std::sqrt(-2.0 * std::log(1.0 - u2));
  const double angle = 2.0 * std::numbers::pi * u1;
  kept_normal_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

Tensor rand(const Shape& shape, Generator& generator, DType dtype) {
  Tensor result = Tensor::empty(shape, dtype);
  uniform_(result, 0.0, 1.0, generator);
  return result;
}

Tensor randn(const Shape& shape, Generator& generator, DType dtype) {
  Tensor result = Tensor::empty(shape, dtype);
  normal_(result, 0.0, 1.0, generator);
  return result;
}

namespace {

// Draws into the places of an int64 tensor, for one of type `dtype`.
void fill_randint(Tensor& result, std::int64_t low, std::int64_t high, Generator& generator, DType dtype) {
  if (low >= high)
    refuse_random("randint.range", "random_ expects 'from' to be less than 'to', but got from=" + std::to_string(low) +
                                       " >= to=" + std::to_string(high));
  require_int_bounds(low, high - 1, dtype);
  const std::uint64_t base = static_cast<std::uint64_t>(low);
  const std::uint64_t range = static_cast<std::uint64_t>(high) - base;
  fill<std::int64_t>(result, [&] {
    const std::uint64_t draw = range >= kWideRange ? generator.word64() : generator.word();
    return static_cast<std::int64_t>(draw % range + base);  // wraps around for a negative `low`, as intended
  });
}

}  // namespace

Tensor randint(std::int64_t low, std::int64_t high, const Shape& shape, Generator& generator, DType dtype) {
  Tensor result = Tensor::empty(shape, DType::Int64);
  fill_randint(result, low, high, generator, dtype);
  return to(result, dtype);
}

Tensor randint_like(std::int64_t low, std::int64_t high, const Tensor& x, Generator& generator) {
  Tensor drawn = empty_in_memory_order(x, DType::Int64);
  fill_randint(drawn, low, high, generator, x.dtype());
  return to(drawn, x.dtype());
}

Tensor empty_in_memory_order(const Tensor& x, DType dtype) {
  Shape strides(x.shape().size());
  std::int64_t step = 1;
  const std::vector<std::size_t> order = memory_order(x);
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    strides[*axis] = step;
    step *= x.shape()[*axis];
  }
  return Tensor::empty({x.numel()}, dtype).as_strided(x.shape(), strides, 0);
}

Tensor randperm(std::int64_t n, Generator& generator) {
  Tensor result = Tensor::empty({n}, DType::Int64);
  std::int64_t* out = result.mutable_data<std::int64_t>();
  in_chunks(n, [&](std::int64_t begin, std::int64_t end) { std::iota(out + begin, out + end, begin); });
  in_chunks(n - 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t step = generator.word() % static_cast<std::uint64_t>(n - i);
      std::swap(out[i], out[i + static_cast<std::int64_t>(step)]);
    }
  });
  return result;
}

Tensor bernoulli(const Tensor& p, Generator& generator) {
  require_floating(p, "bernoulli_tensor_cpu_p_");
  return p.dtype() == DType::Float32 ? draw_bernoulli<float>(p, generator) : draw_bernoulli<double>(p, generator);
}

void normal_(Tensor& x, double mean, double std, Generator& generator) {
  if (!(std >= 0.0)) refuse_random("normal.std", "normal expects std >= 0.0, but found std " + format_general(std, 6));
  require_floating(x, "normal_kernel_cpu");
  require_no_internal_overlap(x);
  if (x.dtype() == DType::Float32) fill_normal<float>(x, mean, std, generator);
  else fill_normal<double>(x, mean, std, generator);
}

void uniform_(Tensor& x, double from, double to, Generator& generator) {
  require_floating(x, "check_uniform_bounds");
  require_no_internal_overlap(x);
  if (x.dtype() == DType::Float32) fill_uniform<float>(x, from, to, generator);
  else fill_uniform<double>(x, from, to, generator);
}

Dropped dropout(const Tensor& x, double p, Generator& generator) {
  if (!is_probability(p))
    throw TensorError("dropout.p", Code::Value, std::isnan(p) ? "RuntimeError" : "ValueError",
                      "dropout probability has to be between 0 and 1, but got " + python_repr(p));
  if (p == 0.0) return {x, full(x.shape(), 1.0, DType::Float32)};
  if (!is_floating(x.dtype())) {
    Tensor unused = Tensor::empty(x.shape(), DType::Float64);  // PyTorch has drawn when it notices
    fill_scale<double>(unused, p, generator);
    throw_cannot_cast(DType::Float32, x.dtype(), "dtype.cast");
  }
  Tensor scale = Tensor::empty(x.shape(), x.dtype());
  if (x.dtype() == DType::Float32) fill_scale<float>(scale, p, generator);
  else fill_scale<double>(scale, p, generator);
  return {mul(x, scale), scale};
}

}  // namespace attn
