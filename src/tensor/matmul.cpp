// A product of tensors is a batch of products of matrices, and each of these is cut into tiles by its shape alone.
// Tiles are the jobs of the threads. Small products are computed by fixed_product, large ones by Eigen; which one is
// decided by the size of a single matrix product, so that a batch gives the same bits as its matrices one by one.
#include "tensor/matmul.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <stdexcept>

// Before Eigen: no threads of its own, and a failed check throws instead of ending the program.
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_CPUID
#define eigen_assert(condition)                                     \
  do {                                                              \
    if (!(condition)) throw std::logic_error("Eigen: " #condition); \
  } while (false)
#include <Eigen/Core>

#include "base/limits.h"
#include "base/number.h"
#include "tensor/create.h"
#include "tensor/error.h"
#include "tensor/fixed_product.h"
#include "tensor/layout.h"
#include "tensor/matmul_plan.h"
#include "tensor/parallel.h"
#include "tensor/pointwise.h"
#include "tensor/scalar_type.h"

namespace attn {
namespace {

constexpr std::int64_t kLargeProduct = std::int64_t{1} << 20;  // multiply-adds of one matrix product
constexpr std::int64_t kWorthThreads = std::int64_t{1} << 22;  // multiply-adds of the whole batch
constexpr std::int64_t kLargeSide = 4;                         // thinner ones Eigen would take as vectors
constexpr std::int64_t kTileRows = 128, kTileCols = 1024;
constexpr std::int64_t kTileWork = std::int64_t{1} << 28;  // multiply-adds between two looks at the interrupt flag

std::atomic<int> thread_count{1};

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using ColMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
template <class Matrix>
using Mapped = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;

// The blocking inside Eigen follows the sizes of the caches: fixed, or bits would differ from machine to machine.
void fix_cache_sizes() {
  static std::once_flag once;
  std::call_once(once, [] { Eigen::setCpuCacheSizes(32 * 1024, 512 * 1024, 4 * 1024 * 1024); });
}

// Calls f with m as a row-major or column-major Eigen map; a matrix that is neither is copied into `scratch` first.
template <class T, class F>
void with_map(const MatrixView<T>& m, Packed<T>& scratch, F&& f) {
  if (m.col_stride == 1) return f(Mapped<RowMajor<T>>(m.data, m.rows, m.cols, Eigen::OuterStride<>(m.row_stride)));
  if (m.row_stride == 1) return f(Mapped<ColMajor<T>>(m.data, m.rows, m.cols, Eigen::OuterStride<>(m.col_stride)));
  const MatrixView<T> copy = scratch.copy(m);
  f(Mapped<RowMajor<T>>(copy.data, m.rows, m.cols, Eigen::OuterStride<>(m.cols)));
}

template <class T>
struct Scratch {
  Packed<T> a, b;
};

template <class T>
void eigen_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride,
                   Scratch<T>& scratch) {
  Eigen::Map<RowMajor<T>, Eigen::Unaligned, Eigen::OuterStride<>> result(out, a.rows, b.cols,
                                                                         Eigen::OuterStride<>(out_stride));
  with_map(a, scratch.a, [&](const auto& left) {
    with_map(b, scratch.b, [&](const auto& right) { result.noalias() = left * right; });
  });
}

// A side cut into nearly equal parts.
struct Cut {
  Cut(std::int64_t side, std::int64_t tile) : size(side), parts(std::max<std::int64_t>((side + tile - 1) / tile, 1)) {}
  std::int64_t begin(std::int64_t part) const { return size / parts * part + std::min(part, size % parts); }
  std::int64_t length(std::int64_t part) const { return begin(part + 1) - begin(part); }

  std::int64_t size, parts;
};

bool is_large(const MatmulPlan& plan) {
  const auto work = static_cast<double>(plan.rows) * static_cast<double>(plan.cols) * static_cast<double>(plan.depth);
  return work >= static_cast<double>(kLargeProduct);
}

struct Tiles {
  explicit Tiles(const MatmulPlan& plan) : Tiles(plan, tile_shape(plan)) {}
  std::int64_t count() const { return rows.parts * cols.parts; }

  Cut rows, cols;

 private:
  Tiles(const MatmulPlan& plan, std::pair<std::int64_t, std::int64_t> tile)
      : rows(plan.rows, tile.first), cols(plan.cols, tile.second) {}

  static std::pair<std::int64_t, std::int64_t> tile_shape(const MatmulPlan& plan) {
    if (!is_large(plan)) return {std::max<std::int64_t>(plan.rows, 1), std::max<std::int64_t>(plan.cols, 1)};
    std::int64_t tile_rows = kTileRows;
    std::int64_t tile_cols = kTileCols;
    while (tile_cols > 64 && tile_rows * tile_cols > kTileWork / plan.depth) {
      tile_cols /= 2;
      tile_rows = std::max<std::int64_t>(tile_rows / 2, 16);
    }
    return {tile_rows, tile_cols};
  }
};

std::int64_t batch_offset(std::int64_t number, const Shape& batch, const Shape& strides) {
  std::int64_t offset = 0;
  for (std::size_t d = batch.size(); d-- > 0;) {
    offset += number % batch[d] * strides[d];
    number /= batch[d];
  }
  return offset;
}

void charge_product(const MatmulPlan& plan, std::int64_t batch) {
  std::optional<std::int64_t> work = checked_mul(batch, plan.rows);
  for (const std::int64_t size : {plan.cols, std::max<std::int64_t>(plan.depth, 1)})
    if (work) work = checked_mul(*work, size);
  charge(work.value_or(std::numeric_limits<std::int64_t>::max()));
}

template <class T>
void multiply(const MatmulPlan& plan, const T* a, const T* b, T* out) {
  const std::int64_t batch = numel_of(plan.batch);
  charge_product(plan, batch);
  const bool use_eigen = std::is_floating_point_v<T> && is_large(plan) && std::min(plan.rows, plan.cols) >= kLargeSide;
  if (use_eigen) fix_cache_sizes();
  const Tiles tiles(plan);
  const auto run_tile = [&](std::int64_t job, Scratch<T>& scratch, const StopCheck& check) {
    const std::int64_t number = job / tiles.count();
    const std::int64_t row_part = job % tiles.count() / tiles.cols.parts;
    const std::int64_t col_part = job % tiles.cols.parts;
    const std::int64_t row = tiles.rows.begin(row_part);
    const std::int64_t col = tiles.cols.begin(col_part);
    const MatrixView<T> left{a + batch_offset(number, plan.batch, plan.a_batch_strides) + row * plan.a_row,
                             tiles.rows.length(row_part), plan.depth, plan.a_row, plan.a_col};
    const MatrixView<T> right{b + batch_offset(number, plan.batch, plan.b_batch_strides) + col * plan.b_col, plan.depth,
                              tiles.cols.length(col_part), plan.b_row, plan.b_col};
    T* target = out + (number * plan.rows + row) * plan.cols + col;
    if constexpr (std::is_floating_point_v<T>)
      if (use_eigen) return eigen_product(left, right, target, plan.cols, scratch);
    fixed_product(left, right, target, plan.cols, scratch.b, check);
  };
  const double work = static_cast<double>(batch) * static_cast<double>(plan.rows) * static_cast<double>(plan.cols) *
                      static_cast<double>(plan.depth);
  run_jobs(batch * tiles.count(), work >= static_cast<double>(kWorthThreads) ? threads() : 1, [&]() -> Worker {
    return [&run_tile, scratch = std::make_shared<Scratch<T>>()](std::int64_t job, const StopCheck& check) {
      run_tile(job, *scratch, check);
    };
  });
}

// As dispatch(), for the types that have products. Integers wrap around, which is defined for unsigned ones only.
template <class F>
void with_elements(DType dtype, F&& f) {
  switch (dtype) {
    case DType::Float32: return f(float{});
    case DType::Float64: return f(double{});
    default: return f(std::uint64_t{});
  }
}

Tensor run(const MatmulPlan& plan, const Tensor& a, const Tensor& b) {
  const bool is_vector_or_batch = a.dim() != 2 || b.dim() != 2;
  if (plan.depth == 0) return zeros(plan.out_shape, (is_vector_or_batch ? b : a).dtype());
  Tensor result = Tensor::empty(plan.out_shape, (is_vector_or_batch ? b : a).dtype());
  if (result.numel() == 0) return result;
  with_elements(a.dtype(), [&]<class T>(T) { multiply(plan, a.data<T>(), b.data<T>(), result.mutable_data<T>()); });
  return result;
}

[[noreturn]] void throw_shape(std::string rule, std::string text, std::vector<Fact> facts = {}) {
  throw TensorError(std::move(rule), Code::Shape, "RuntimeError", std::move(text), std::move(facts));
}

void require_dims(const Tensor& x, std::int64_t dims, const char* text) {
  if (x.dim() != dims) throw_shape("matmul.dims", text, {{"dims", x.dim()}, {"wanted", dims}});
}

[[noreturn]] void throw_dtype(std::string text) {
  throw TensorError("matmul.dtype", Code::Type, "RuntimeError", std::move(text));
}

// What PyTorch's addmm, which it takes for x with two axes (or three, contiguous), checks beyond matmul.
void check_addmm(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (weight.dim() == 1) throw_shape("linear.weight", "mat2 must be a matrix, got 1-D tensor");
  if (x.shape().back() != weight.shape().back()) return;  // the product says so
  if (bias.dtype() != weight.dtype()) throw_dtype("self and mat2 must have the same dtype");
  if (x.dtype() != weight.dtype()) throw_dtype("mat1 and mat2 must have the same dtype");
}

void check_addition(const Tensor& product, const Tensor& bias) {
  broadcast_shapes(product.shape(), bias.shape());
  const DType wanted = result_type(product, bias);
  if (is_floating(wanted) && !is_floating(product.dtype()))
    throw_dtype("result type " + scalar_type_name(wanted) + " can't be cast to the desired output type " +
                scalar_type_name(product.dtype()));
}

void add_bias(Tensor& product, const Tensor& bias) {
  const Tensor expanded = expand(to(bias, product.dtype()), product.shape());
  charge(product.numel());
  const auto add_all = [&]<class T>(T* out, const T* addend) {
    for_each_offset(expanded.shape(), expanded.strides(), [&](std::int64_t offset) { *out++ += addend[offset]; });
  };
  with_elements(product.dtype(), [&]<class T>(T) { add_all(product.mutable_data<T>(), expanded.data<T>()); });
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) { return run(plan_matmul(a, b), a, b); }

Tensor mm(const Tensor& a, const Tensor& b) {
  require_dims(a, 2, "self must be a matrix");
  require_dims(b, 2, "mat2 must be a matrix");
  return matmul(a, b);
}

Tensor bmm(const Tensor& a, const Tensor& b) {
  require_dims(a, 3, "batch1 must be a 3D tensor");
  require_dims(b, 3, "batch2 must be a 3D tensor");
  const bool inner_differs = a.size(2) != b.size(1);
  if (a.size(0) != b.size(0) || inner_differs)
    throw_shape(inner_differs ? "matmul.inner" : "bmm.batch",
                "Expected size for first two dimensions of batch2 tensor to be: " + shape_text({a.size(0), a.size(2)}) +
                    " but got: " + shape_text({b.size(0), b.size(1)}) + ".",
                {{"left", inner_differs ? a.size(2) : a.size(0)}, {"right", inner_differs ? b.size(1) : b.size(0)}});
  return matmul(a, b);
}

Tensor dot(const Tensor& a, const Tensor& b) {
  if (a.dim() != 1 || b.dim() != 1)
    throw_shape("matmul.dims", "1D tensors expected, but got " + std::to_string(a.dim()) + "D and " +
                                   std::to_string(b.dim()) + "D tensors");
  return matmul(a, b);
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (x.dim() == 0 || weight.dim() == 0) return matmul(x, weight);  // throws
  const bool as_addmm = bias.defined() && (x.dim() == 2 || (x.dim() == 3 && x.is_contiguous()));
  if (as_addmm) check_addmm(x, weight, bias);

  Shape out_shape(x.shape().begin(), x.shape().end() - 1);
  const Tensor rows = reshape(x, {numel_of(out_shape), x.shape().back()});
  const Tensor transposed = t(weight);
  Tensor product = run(plan_matmul(rows, transposed), rows, transposed);
  if (as_addmm) add_bias(product, bias);
  if (weight.dim() > 1) out_shape.push_back(weight.size(0));
  product = reshape(product, out_shape);
  if (bias.defined() && !as_addmm) {
    check_addition(product, bias);
    add_bias(product, bias);
  }
  return product;
}

void set_threads(int threads) { thread_count = std::max(threads, 1); }
int threads() { return thread_count; }

}  // namespace attn
