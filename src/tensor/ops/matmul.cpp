// A product of tensors is a batch of products of matrices, and each of these is cut into tiles by its shape alone.
// Tiles are the jobs of the threads. Small products are computed by fixed_product, large ones by the kernel of the
// level; which one is decided by the size of a single matrix product, so that a batch gives the same bits as its
// matrices one by one.
#include "tensor/ops/matmul.h"

#include <limits>

#include "base/limits.h"
#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/parallel.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/fixed_product.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/matmul_plan.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

constexpr std::int64_t kLargeProduct = std::int64_t{1} << 20;  // multiply-adds of one matrix product
constexpr std::int64_t kWorthThreads = std::int64_t{1} << 22;  // multiply-adds of the whole batch
constexpr std::int64_t kLargeSide = 4;                         // thinner ones are not worth copying b
constexpr std::int64_t kTileSide = kTileRows;                  // what a tile copies of its operands is then a trifle
constexpr std::int64_t kTileWork = std::int64_t{1} << 30;      // multiply-adds
constexpr std::int64_t kTiles = 4;                             // of a matrix, for threads to share
constexpr std::int64_t kTileArea = 64 * 64;                    // smaller tiles cost more than they help

template <class T>
struct Scratch {
  Packed<T> a, b;
  std::vector<CacheLine> lines;
};

// What is done between two looks at the interrupt flag takes a millisecond, but a tenth of a second where numbers are
// denormal.
template <class T>
void large_product(const MatrixView<T>& a, const MatrixView<T>& b, T* out, std::int64_t out_stride, Scratch<T>& scratch,
                   const StopCheck& check) {
  constexpr std::int64_t kCols = 1024 / sizeof(T), kDepth = 256;  // whole panels
  const bool is_regular = b.col_stride == 1 || b.row_stride == 1;
  scratch.lines.resize(kPanelLines + (rows_collide(a) ? kTileLines : 0));
  for (std::int64_t k = 0; k < a.cols; k += kDepth) {
    const std::int64_t depth = std::min(kDepth, a.cols - k);
    const MatrixView<T> slice = a.block(0, k, a.rows, depth), left = a.col_stride == 1 ? slice : scratch.a.copy(slice);
    for (std::int64_t col = 0; col < b.cols; col += kCols) {
      check();
      const MatrixView<T> part = b.block(k, col, depth, std::min(kCols, b.cols - col));
      kernels().of<T>().large_product(k == 0 ? Put::Store : Put::Add, left, is_regular ? part : scratch.b.copy(part),
                                      out + col, out_stride, scratch.lines.data());
    }
  }
}

// A side cut into nearly equal parts.
struct Cut {
  Cut(std::int64_t side, std::int64_t tile) : size(side), parts(tile > 0 ? (side + tile - 1) / tile : 1) {}
  std::int64_t begin(std::int64_t part) const { return size / parts * part + std::min(part, size % parts); }
  std::int64_t length(std::int64_t part) const { return begin(part + 1) - begin(part); }

  std::int64_t size, parts;
};

// Multiply-adds of one matrix product.
double work_of_one(const MatmulPlan& plan) {
  return static_cast<double>(plan.rows) * static_cast<double>(plan.cols) * static_cast<double>(plan.depth);
}

bool is_large(const MatmulPlan& plan) { return work_of_one(plan) >= static_cast<double>(kLargeProduct); }

struct Tiles {
  std::int64_t count() const { return rows.parts * cols.parts; }

  Cut rows, cols;
};

// The longer side is halved until a tile is no more work than it may be.
Tiles tiles_of(const MatmulPlan& plan) {
  if (!is_large(plan)) return {Cut(plan.rows, plan.rows), Cut(plan.cols, plan.cols)};
  std::int64_t rows = std::min(plan.rows, kTileSide), cols = std::min(plan.cols, kTileSide);
  const std::int64_t all = plan.rows * plan.cols;  // both fit, for the result was allocated
  const std::int64_t most = std::max(std::min(all / kTiles, kTileWork / plan.depth), kTileArea);
  while (rows * cols > most) {
    std::int64_t& longer = rows > cols ? rows : cols;
    longer = (longer + 1) / 2;
  }
  return {Cut(plan.rows, rows), Cut(plan.cols, cols)};
}

void charge_product(const MatmulPlan& plan, std::int64_t batch) {
  std::optional<std::int64_t> work = checked_mul(batch, plan.rows);
  for (const std::int64_t size : {plan.cols, std::max<std::int64_t>(plan.depth, 1)})
    if (work) work = checked_mul(*work, size);
  charge(work.value_or(std::numeric_limits<std::int64_t>::max()));
}

// One product of tensors: its tiles are numbered, matrix by matrix.
template <class T>
class Product {
 public:
  /// `bias` has an element for each column, or is null.
  Product(const MatmulPlan& plan, const T* a, const T* b, const T* bias, T* out)
      : plan_(plan), tiles_(tiles_of(plan)), a_(a), b_(b), bias_(bias), out_(out) {
    if constexpr (std::is_floating_point_v<T>)
      use_level_ = is_large(plan) && std::min(plan.rows, plan.cols) >= kLargeSide;
    if (use_level_) note_level_used();
  }

  void run() const {
    const std::int64_t batch = numel_of(plan_.batch);
    charge_product(plan_, batch);
    const double work = static_cast<double>(batch) * work_of_one(plan_);
    run_jobs(batch * tiles_.count(), work >= static_cast<double>(kWorthThreads) ? threads() : 1, [this]() -> Worker {
      return [this, scratch = std::make_shared<Scratch<T>>()](std::int64_t job, const StopCheck& check) {
        run_tile(job, *scratch, check);
      };
    });
  }

 private:
  void run_tile(std::int64_t job, Scratch<T>& scratch, const StopCheck& check) const {
    const auto& [rows, cols] = tiles_;
    const std::int64_t number = job / tiles_.count();
    const std::int64_t row_part = job % tiles_.count() / cols.parts, col_part = job % cols.parts;
    const std::int64_t row = rows.begin(row_part), col = cols.begin(col_part);
    const MatrixView<T> left{a_ + batch_offset(number, plan_.batch, plan_.a_batch_strides) + row * plan_.a_row,
                             rows.length(row_part), plan_.depth, plan_.a_row, plan_.a_col};
    const MatrixView<T> right{b_ + batch_offset(number, plan_.batch, plan_.b_batch_strides) + col * plan_.b_col,
                              plan_.depth, cols.length(col_part), plan_.b_row, plan_.b_col};
    T* target = out_ + (number * plan_.rows + row) * plan_.cols + col;
    multiply(left, right, target, scratch, check);
    if (bias_) add_to_rows(bias_ + col, left.rows, right.cols, target);
  }

  void multiply(const MatrixView<T>& left, const MatrixView<T>& right, T* target, Scratch<T>& scratch,
                const StopCheck& check) const {
    if constexpr (std::is_floating_point_v<T>)
      if (use_level_) return large_product(left, right, target, plan_.cols, scratch, check);
    fixed_product(left, right, target, plan_.cols, scratch.b, check);
  }

  // While the tile is still in the cache.
  void add_to_rows(const T* bias, std::int64_t rows, std::int64_t cols, T* target) const {
    for (std::int64_t i = 0; i < rows; ++i, target += plan_.cols)
      for (std::int64_t j = 0; j < cols; ++j) target[j] += bias[j];
  }

  const MatmulPlan& plan_;
  const Tiles tiles_;
  const T *a_, *b_, *bias_;
  T* out_;
  bool use_level_ = false;
};

// As dispatch(), for the types that have products. Integers wrap around, which is defined for unsigned ones only.
template <class F>
void with_elements(DType dtype, F&& f) {
  switch (dtype) {
    case DType::Float32: return f(float{});
    case DType::Float64: return f(double{});
    default: return f(std::uint64_t{});
  }
}

/// a b, with `bias` added to each row where it is defined: one contiguous axis of as many elements as there are
/// columns.
Tensor run(const MatmulPlan& plan, const Tensor& a, const Tensor& b, const Tensor& bias = {}) {
  // The types differ where nothing is added up. PyTorch's ops for vectors and for stacks then take that of b.
  const DType dtype = (b.dim() == 1 || (a.dim() > 1 && b.dim() > 2) ? b : a).dtype();
  if (plan.depth == 0 && !bias.defined()) return zeros(plan.out_shape, dtype);
  Tensor result = Tensor::empty(plan.out_shape, dtype);
  if (result.numel() == 0) return result;
  if (bias.defined()) charge(result.numel());
  with_elements(a.dtype(), [&]<class T>(T) {
    const T* const addend = bias.defined() ? bias.data<T>() : nullptr;
    Product<T>(plan, a.data<T>(), b.data<T>(), addend, result.mutable_data<T>()).run();
  });
  return result;
}

void require_dims(const Tensor& x, std::int64_t dims, const char* text) {
  if (x.dim() != dims) throw_shape("matmul.dims", text, {{"dims", x.dim()}, {"wanted", dims}});
}

// What PyTorch's addmm, which it takes for x with two axes (or three, contiguous), checks beyond matmul.
void check_addmm(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (weight.dim() == 1) throw_shape("linear.weight", "mat2 must be a matrix, got 1-D tensor");
  if (x.shape().back() != weight.shape().back()) return;  // the product says so
  if (bias.dtype() != weight.dtype()) throw_matmul_dtype("self and mat2 must have the same dtype");
  if (x.dtype() != weight.dtype()) throw_matmul_dtype("mat1 and mat2 must have the same dtype");
}

void check_addition(const Tensor& product, const Tensor& bias) {
  broadcast_shapes(product.shape(), bias.shape());
  const DType wanted = result_type(product, bias);
  if (is_floating(wanted) && !is_floating(product.dtype())) throw_cannot_cast(wanted, product.dtype(), "matmul.dtype");
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

// A matrix times a stack PyTorch computes as the transposed product, which it copies back if its order is another one.
bool is_turned_back(const Tensor& a, const Tensor& b, const Tensor& product) {
  return a.dim() == 2 && b.dim() > 2 && (product.shape().back() == 1 || a.size(0) == 1);
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  Tensor product = run(plan_matmul(a, b), a, b);
  if (!is_turned_back(a, b, product)) return product;
  Shape strides = product.strides();
  strides[strides.size() - 2] = 1;
  strides.back() = a.size(0);
  return product.as_strided(product.shape(), strides, 0);
}

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
  const MatmulPlan plan = plan_matmul(rows, transposed);
  const bool is_row = as_addmm && bias.shape() == Shape{plan.cols} && bias.is_contiguous();
  Tensor product = run(plan, rows, transposed, is_row ? bias : Tensor());
  if (as_addmm && !is_row) add_bias(product, bias);
  if (weight.dim() > 1) out_shape.push_back(weight.size(0));
  product = reshape(product, out_shape);
  if (bias.defined() && !as_addmm) {
    check_addition(product, bias);
    add_bias(product, bias);
  }
  return product;
}

}  // namespace attn
