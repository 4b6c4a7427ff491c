// What all pointwise ops share (broadcasting, promotion), and those that only choose or copy elements.
// Arithmetic is in arithmetic.cpp, ops with one operand in unary.cpp.
#include "tensor/ops/pointwise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tensor/core/error.h"
#include "tensor/core/overlap.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/zip.h"

namespace attn {
namespace {

/// Types of an operand by how much they count: with dimensions, without, a Python number.
struct Ranked {
  std::array<std::optional<DType>, 3> by_rank;

  void add(const Operand& operand) {
    const Tensor* x = operand.tensor();
    const DType dtype = x != nullptr ? x->dtype() : default_dtype(*operand.scalar());
    std::optional<DType>& place = by_rank[x == nullptr ? 2 : x->dim() == 0 ? 1 : 0];
    place = place ? promote(*place, dtype) : dtype;
  }
};

/// The higher rank decides, unless the lower has a higher category (bool, integer, float).
std::optional<DType> combine(std::optional<DType> high, std::optional<DType> low) {
  if (!high || !low) return high ? high : low;
  if (is_floating(*high)) return high;
  return *high == DType::Bool || is_floating(*low) ? promote(*high, *low) : *high;
}

/// out = condition ? a : b; a and b have out's type.
template <class T>
void choose_into(Tensor& out, const Tensor& condition, const Tensor& a, const Tensor& b) {
  const Shape& shape = out.shape();
  const Walk walk = plan_walk(shape, {out.strides(), broadcast_strides(condition, shape), broadcast_strides(a, shape),
                                      broadcast_strides(b, shape)});
  T* const to = out.mutable_data<T>();
  const bool* const mask = condition.data<bool>();
  const T* const left = a.data<T>();
  const T* const right = b.data<T>();
  const auto step = [&](std::size_t k) { return walk.strides[k].back(); };
  for_each_row(walk, [&](const std::int64_t* at, std::int64_t count) {
    const bool* const m = mask + at[1];
    if (step(0) == 1 && step(1) == 1 && step(2) == 0 && step(3) == 1) {  // masked_fill
      const T value = left[at[2]];
      for (std::int64_t i = 0; i < count; ++i) to[at[0] + i] = m[i] ? value : right[at[3] + i];
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const T chosen_a = left[at[2] + i * step(2)];
      const T chosen_b = right[at[3] + i * step(3)];
      to[at[0] + i * step(0)] = m[i * step(1)] ? chosen_a : chosen_b;
    }
  });
}

void choose(Tensor& out, const Tensor& condition, const Tensor& a, const Tensor& b) {
  dispatch(out.dtype(), [&]<class T>(T) { choose_into<T>(out, condition, a, b); });
}

/// Writes x, stretched to out's shape and converted to its type, over out. They must not share storage.
void copy_elements(Tensor& out, const Tensor& x) {
  dispatch(out.dtype(), [&]<class To>(To) {
    dispatch(x.dtype(),
             [&]<class From>(From) { map_into<To, From>(out, x, [](From value) { return convert<To>(value); }); });
  });
}

/// A float on its way to 32 bits or fewer goes through int32 on x86 (uint8 through int64): what does not fit is its
/// lowest number.
Tensor as_narrow_source(const Tensor& x, DType dtype) {
  const bool through_int32 = is_floating(x.dtype()) && is_narrow(dtype) && !is_floating(dtype) && dtype != DType::UInt8;
  if (!through_int32) return x;
  const auto truncate = []<class T>(T value) -> std::int64_t {
    return value > T(-2147483649.0) && value < T(2147483648.0) ? static_cast<std::int64_t>(value) : -2147483648LL;
  };
  return x.dtype() == DType::Float64 ? map<double>(x, truncate) : map<float>(x, truncate);
}

/// Rounds or wraps the elements, which were just written in the wide type.
void make_narrow(Tensor& out) {
  const DType dtype = out.dtype();
  if (!is_narrow(dtype)) return;
  const auto narrow = [&]<class T>(T) {
    T* const data = out.mutable_data<T>();
    for_each_offset(out.shape(), out.strides(), [&](std::int64_t at) { data[at] = narrowed(data[at], dtype); });
  };
  is_floating(dtype) ? narrow(float{}) : narrow(std::int64_t{});
}

/// copy_elements for any pair of types.
void convert_elements(Tensor& out, const Tensor& x) {
  if (out.dtype() == x.dtype()) return copy_elements(out, x);
  copy_elements(out, as_narrow_source(x, out.dtype()));
  make_narrow(out);
}

/// A number as PyTorch takes it into masked_fill, where and clamp: it must fit the type.
Tensor fitting(const Operand& operand, DType dtype) {
  if (operand.scalar() == nullptr) return to(*operand.tensor(), dtype);
  check_fits(*operand.scalar(), dtype);
  return to(as_tensor(operand, wide_of(dtype)), dtype);
}

std::string c_name(DType dtype) {
  if (dtype == DType::Float16) return "at::Half";
  if (dtype == DType::BFloat16) return "at::BFloat16";
  return is_floating(dtype) ? "float" : std::string(short_name(dtype)) + "_t";
}

}  // namespace

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    const std::int64_t size_a = back <= a.size() ? a[a.size() - back] : 1;
    const std::int64_t size_b = back <= b.size() ? b[b.size() - back] : 1;
    const std::size_t axis = shape.size() - back;
    if (size_a != size_b && size_a != 1 && size_b != 1)
      throw TensorError("broadcast", Code::Shape, "RuntimeError",
                        "The size of tensor a (" + std::to_string(size_a) + ") must match the size of tensor b (" +
                            std::to_string(size_b) + ") at non-singleton dimension " + std::to_string(axis),
                        {{"a", size_a}, {"b", size_b}, {"axis", static_cast<std::int64_t>(axis)}});
    shape[axis] = size_a == 1 ? size_b : size_a;
  }
  return shape;
}

DType result_type(const Operand& a, const Operand& b) { return result_type({a, b}); }

DType result_type(std::initializer_list<Operand> operands) {
  Ranked ranked;
  for (const Operand& operand : operands) ranked.add(operand);
  return *combine(ranked.by_rank[0], combine(ranked.by_rank[1], ranked.by_rank[2]));
}

Tensor as_tensor(const Operand& operand, DType dtype) {
  if (const Tensor* x = operand.tensor()) return to(*x, dtype);
  return dispatch(dtype, [&]<class T>(T) {
    return std::visit([](auto value) { return Tensor::scalar(convert<T>(value)); }, *operand.scalar());
  });
}

ZipPlan plan_zip(const OperandPair& pair, DType dtype) {
  return {empty_strided(pair.shape, dtype, pair.strides),
          plan_walk(pair.shape,
                    {pair.strides, broadcast_strides(pair.a, pair.shape), broadcast_strides(pair.b, pair.shape)})};
}

OperandPair make_pair(const Operand& a, const Operand& b, DType common) {
  OperandPair pair{{}, {}, broadcast_shapes(shape_of(a), shape_of(b)), {}};
  pair.a = as_tensor(a, common);
  pair.b = as_tensor(b, common);
  pair.strides = result_strides(pair.shape, {&pair.a, &pair.b});
  return pair;
}

const Shape& shape_of(const Operand& operand) {
  static const Shape kNone;
  return operand.tensor() != nullptr ? operand.tensor()->shape() : kNone;
}

Tensor bool_mask(const Tensor& mask) {
  if (mask.dtype() == DType::Bool) return mask;
  if (is_floating(mask.dtype()))
    throw TensorError(
        "masked_fill.mask", Code::Type, "RuntimeError",
        "masked_fill only supports boolean masks, but got mask with dtype " + std::string(short_name(mask.dtype())));
  if (mask.dtype() != DType::UInt8 && is_narrow(mask.dtype()))
    throw TensorError(
        "masked_fill.mask", Code::Type, "RuntimeError",
        "masked_fill only supports boolean masks, but got mask with dtype " + std::string(short_name(mask.dtype())));
  const std::int64_t* const data = mask.data<std::int64_t>();
  for_each_offset(mask.shape(), mask.strides(), [&](std::int64_t at) {
    if (data[at] != 0 && data[at] != 1)
      throw TensorError("masked_fill.mask", Code::Value, "RuntimeError", "Mask tensor can take 0 and 1 values only");
  });
  return cast(mask, DType::Bool);
}

Tensor masked_fill(const Tensor& x, const Tensor& given_mask, const Operand& value) {
  if (value.tensor() != nullptr && value.tensor()->dim() != 0)
    throw TensorError("masked_fill.value", Code::Shape, "RuntimeError",
                      "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with " +
                          std::to_string(value.tensor()->dim()) + " dimension(s).",
                      {{"dims", value.tensor()->dim()}});
  const Tensor mask = bool_mask(given_mask);
  const Shape shape = broadcast_shapes(mask.shape(), x.shape());
  if (value.tensor() != nullptr)
    dispatch(value.tensor()->dtype(), [&]<class T>(T) { check_fits(*value.tensor()->data<T>(), x.dtype()); });
  const Tensor filling = fitting(value, x.dtype());
  Tensor out = Tensor::empty(shape, x.dtype());
  choose(out, mask, filling, x);
  return out;
}

Tensor where(const Tensor& condition, const Operand& a, const Operand& b) {
  if (condition.dtype() == DType::UInt8) return where(cast(condition, DType::Bool), a, b);
  if (condition.dtype() != DType::Bool)
    throw TensorError("where.condition", Code::Type, "RuntimeError",
                      "where expected condition to be a boolean tensor, but got a tensor with dtype " +
                          scalar_type_name(condition.dtype()));
  const Shape shape = broadcast_shapes(broadcast_shapes(condition.shape(), shape_of(a)), shape_of(b));
  const DType dtype = result_type(a, b);
  const Tensor left = fitting(a, dtype);
  const Tensor right = fitting(b, dtype);
  Tensor out = empty_strided(shape, dtype, result_strides(shape, {&condition, &left, &right}));
  choose(out, condition, left, right);
  return out;
}

Tensor cast(const Tensor& x, DType dtype) {
  Tensor out = Tensor::empty(x.shape(), dtype);
  convert_elements(out, x);
  return out;
}

Tensor to(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  Tensor out = empty_like(x, dtype);
  convert_elements(out, x);
  return out;
}

void check_fits(const Scalar& value, DType dtype) {
  const double number = to_double(value);
  bool fits = true;
  if (dtype == DType::Int64) fits = !is_float(value) || (number >= -0x1p63 && number <= 0x1p63);
  if (is_narrow(dtype) && !is_floating(dtype)) {
    const auto whole = static_cast<std::int64_t>(std::clamp(std::isnan(number) ? 0.0 : number, -9e15, 9e15));
    const bool is_negative_byte = dtype == DType::UInt8 && number < 0;
    fits = std::isfinite(number) &&
           (is_negative_byte ? !is_float(value) && whole >= -255 : narrowed(whole, dtype) == whole);  // an int wraps
  }
  if (dtype == DType::Float16) fits = !std::isfinite(number) || std::fabs(number) <= 65504;
  if (dtype == DType::BFloat16) fits = !std::isfinite(number) || std::fabs(number) <= 0x1.FEp127;
  if (dtype == DType::Float32) fits = !std::isfinite(number) || std::fabs(number) <= std::numeric_limits<float>::max();
  if (!fits)
    throw TensorError("value.overflow", Code::Value, "RuntimeError",
                      "value cannot be converted to type " + c_name(dtype) + " without overflow");
}

void assign(Tensor& target, const Tensor& value) {
  const Shape shape = broadcast_shapes(target.shape(), value.shape());
  if (shape != target.shape())
    throw TensorError(
        "assign.shape", Code::Shape, "RuntimeError",
        "output with shape " + shape_text(target.shape()) + " doesn't match the broadcast shape " + shape_text(shape));
  if (value.dim() > 0) require_no_internal_overlap(target);
  if (target.take_elements(value)) return;
  convert_elements(target, target.shares_storage(value) ? cast(value, value.dtype()) : value);
}

void assign_where(Tensor& target, const Tensor& mask, const Tensor& value) {
  choose(target, bool_mask(mask), to(value, target.dtype()), target);
}

}  // namespace attn
