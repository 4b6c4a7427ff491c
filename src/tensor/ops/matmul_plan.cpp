#include "tensor/ops/matmul_plan.h"

#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

std::string times(std::int64_t rows, std::int64_t cols) { return std::to_string(rows) + "x" + std::to_string(cols); }

std::int64_t at_end(const Shape& values, std::size_t from_end) { return values[values.size() - from_end]; }

// The kernel of PyTorch that would take the product. It decides only which text an error has.
enum class Kernel { Dot, Vector, Matrix, Batch };

// How PyTorch 1.13 goes about it: a batch times one matrix is folded into a single matrix product with `first` on the
// left (b transposed, when b is the batch), unless the batch holds transposed matrices.
struct Route {
  Kernel kernel = Kernel::Batch;
  bool swapped = false;
};

bool folds(const Tensor& batch, const Tensor& other) {
  if (batch.dim() < 3 || other.dim() > 2) return false;
  const bool transposed = batch.dim() == 3 && other.dim() == 2 && batch.strides()[2] != 1 &&
                          batch.strides()[0] == batch.size(1) * batch.size(2);
  return !transposed;
}

Route route_of(const Tensor& a, const Tensor& b) {
  if (a.dim() == 1 && b.dim() == 1) return {Kernel::Dot, false};
  if ((a.dim() <= 2 && b.dim() <= 2) || folds(a, b)) return {b.dim() == 1 ? Kernel::Vector : Kernel::Matrix, false};
  if (folds(b, a)) return {a.dim() == 1 ? Kernel::Vector : Kernel::Matrix, true};
  return {};
}

std::string inner_text(const MatmulPlan& plan, const Tensor& a, const Tensor& b, const Route& route) {
  const std::int64_t left = a.shape().back();
  const std::int64_t right = at_end(b.shape(), b.dim() == 1 ? 1 : 2);
  const std::int64_t batch = numel_of(plan.batch);
  const std::int64_t first_rows = batch * (route.swapped ? plan.cols : plan.rows);
  const std::int64_t first_depth = route.swapped ? right : left;
  const std::int64_t second_depth = route.swapped ? left : right;
  const std::int64_t second_cols = route.swapped ? plan.rows : plan.cols;
  const std::string first = times(first_rows, first_depth);
  switch (route.kernel) {
    case Kernel::Dot:
      return "inconsistent tensor size, expected tensor [" + std::to_string(left) + "] and src [" +
             std::to_string(right) + "] to have the same number of elements, but got " + std::to_string(left) +
             " and " + std::to_string(right) + " elements respectively";
    case Kernel::Vector:
      return "size mismatch, got " + std::to_string(first_rows) + ", " + first + "," + std::to_string(second_depth);
    case Kernel::Matrix:
      return "mat1 and mat2 shapes cannot be multiplied (" + first + " and " + times(second_depth, second_cols) + ")";
    case Kernel::Batch: break;
  }
  return "Expected size for first two dimensions of batch2 tensor to be: " + shape_text({batch, left}) +
         " but got: " + shape_text({batch, right}) + ".";
}

// PyTorch's own loop for small batches meets the types in another order than its library call for larger ones.
bool names_second_first(const MatmulPlan& plan, const Route& route) {
  constexpr std::int64_t kLoopBelow = 400;  // multiply-adds of one matrix
  return route.kernel == Kernel::Batch && plan.rows * plan.cols * plan.depth >= kLoopBelow;
}

// Where nothing is added up PyTorch does not look at the types.
bool is_empty(const MatmulPlan& plan, const Route& route) {
  return route.kernel != Kernel::Dot && (plan.depth == 0 || numel_of(plan.out_shape) == 0);
}

void check_dtypes(const MatmulPlan& plan, const Tensor& a, const Tensor& b, const Route& route) {
  if (is_empty(plan, route)) return;
  static constexpr const char* kKernelNames[] = {"dot", "addmv_impl_cpu", "addmm_impl_cpu_", "bmm"};
  const bool swapped = route.swapped || names_second_first(plan, route);
  const DType first = swapped ? b.dtype() : a.dtype();
  const DType second = swapped ? a.dtype() : b.dtype();
  const Kernel kernel = names_second_first(plan, route) ? Kernel::Matrix : route.kernel;
  if (first == DType::Bool) throw_not_implemented(kKernelNames[static_cast<int>(kernel)], first);
  if (first != second)
    throw_matmul_dtype("expected scalar type " + scalar_type_name(first) + " but found " + scalar_type_name(second));
}

void check_dims(const Tensor& a, const Tensor& b) {
  if (a.dim() > 0 && b.dim() > 0) return;
  throw TensorError("matmul.scalar", Code::Shape, "RuntimeError",
                    "both arguments to matmul need to be at least 1D, but they are " + std::to_string(a.dim()) +
                        "D and " + std::to_string(b.dim()) + "D");
}

Shape batch_shape(const Tensor& x) {
  if (x.dim() <= 2) return {};
  return {x.shape().begin(), x.shape().end() - 2};
}

// Strides of x over `batch`, to which x's own batch axes broadcast.
Shape batch_strides(const Tensor& x, const Shape& batch) {
  const std::size_t own = batch_shape(x).size();
  Shape strides(batch.size(), 0);
  for (std::size_t i = 0; i < own; ++i)
    if (x.shape()[i] != 1) strides[batch.size() - own + i] = x.strides()[i];
  return strides;
}

}  // namespace

std::int64_t batch_offset(std::int64_t number, const Shape& batch, const Shape& strides) {
  std::int64_t offset = 0;
  for (std::size_t d = batch.size(); d-- > 0;) {
    offset += number % batch[d] * strides[d];
    number /= batch[d];
  }
  return offset;
}

void throw_matmul_dtype(std::string text) {
  throw TensorError("matmul.dtype", Code::Type, "RuntimeError", std::move(text));
}

void require_one_dtype_of_vectors(DType a, DType b) {
  if (a != b)
    throw_matmul_dtype("dot : expected both vectors to have same dtype, but found " + scalar_type_name(a) + " and " +
                       scalar_type_name(b));
}

MatmulPlan plan_matmul(const Tensor& a, const Tensor& b) {
  check_dims(a, b);
  const Route route = route_of(a, b);
  MatmulPlan plan;
  if (route.kernel == Kernel::Dot) require_one_dtype_of_vectors(a.dtype(), b.dtype());
  plan.batch = broadcast_shapes(batch_shape(a), batch_shape(b));
  plan.a_batch_strides = batch_strides(a, plan.batch);
  plan.b_batch_strides = batch_strides(b, plan.batch);
  plan.out_shape = plan.batch;
  plan.depth = a.shape().back();
  plan.a_col = a.strides().back();
  if (a.dim() > 1) {
    plan.rows = at_end(a.shape(), 2);
    plan.a_row = at_end(a.strides(), 2);
    plan.out_shape.push_back(plan.rows);
  }
  plan.b_row = at_end(b.strides(), b.dim() == 1 ? 1 : 2);
  if (b.dim() > 1) {
    plan.cols = b.shape().back();
    plan.b_col = b.strides().back();
    plan.out_shape.push_back(plan.cols);
  }
  const std::int64_t right = at_end(b.shape(), b.dim() == 1 ? 1 : 2);
  if (plan.depth != right)
    throw TensorError("matmul.inner", Code::Shape, "RuntimeError", inner_text(plan, a, b, route),
                      {{"left", plan.depth}, {"right", right}});
  check_dtypes(plan, a, b, route);
  return plan;
}

}  // namespace attn
