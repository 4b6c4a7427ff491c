// Jobs are blocks of rows of one head, fixed by the shapes alone: their number never changes a bit.
#include "tensor/ops/attention.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "base/number.h"
#include "tensor/core/parallel.h"
#include "tensor/kernels/levels.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/matmul_plan.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

constexpr std::int64_t kManyScores = std::int64_t{1} << 18;  // of one matrix
constexpr std::int64_t kJobRows = 1024;                      // of one job, so that copying keys and values pays
constexpr std::int64_t kFewRows = 64;
constexpr std::int64_t kJobs = 16;                         // for threads to share
constexpr std::int64_t kKeysWork = std::int64_t{1} << 26;  // multiply-adds between two looks at the interrupt flag

// Sizes by the letters of the documentation.
struct Sizes {
  std::int64_t T, S, D, E;
};

Sizes sizes_of(const Tensor& q, const Tensor& k, const Tensor& v) {
  return {q.size(q.dim() - 2), k.size(k.dim() - 2), q.size(q.dim() - 1), v.size(v.dim() - 1)};
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  return std::equal(from.rbegin(), from.rend(), to.rbegin(),
                    [](std::int64_t a, std::int64_t b) { return a == b || a == 1; });
}

// The axes before the last two, which must be the same for all.
Shape batch_of(const Tensor& x) { return {x.shape().begin(), x.shape().end() - 2}; }

void charge_attention(std::int64_t batch, const Sizes& s) {
  std::optional<std::int64_t> work = checked_mul(batch, s.T);
  for (const std::int64_t size : {s.S, s.D + s.E})
    if (work) work = checked_mul(*work, size);
  charge(work.value_or(std::numeric_limits<std::int64_t>::max()));
}

std::int64_t rows_of_job(std::int64_t matrices, const Sizes& s) {
  std::int64_t rows = kJobRows;
  while (rows > kFewRows &&
         (rows * kAttentionKeys > kKeysWork / (s.D + s.E) || (s.T + rows - 1) / rows * matrices < kJobs))
    rows /= 2;
  return std::min(rows, s.T);
}

// Elements of a row next to each other.
Tensor with_rows(const Tensor& x) { return x.strides().back() == 1 ? x : contiguous(x); }

class Attention {
 public:
  Attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options)
      : sizes_(sizes_of(q, k, v)), batch_(batch_of(q)), options_(options) {
    q_ = with_rows(q), k_ = with_rows(k), v_ = with_rows(v);
    if (options.mask.defined()) {
      Shape scores = batch_;
      scores.insert(scores.end(), {sizes_.T, sizes_.S});
      mask_ = expand(options.mask, scores);
    }
  }

  Tensor run() {
    Shape shape = batch_;
    shape.insert(shape.end(), {sizes_.T, sizes_.E});
    Tensor out = Tensor::empty(shape, DType::Float32);
    float* const to = out.mutable_data<float>();
    const std::int64_t matrices = numel_of(batch_);
    charge_attention(matrices, sizes_);
    note_level_used();
    const std::int64_t step = rows_of_job(matrices, sizes_), blocks = (sizes_.T + step - 1) / step;
    const auto lines = static_cast<std::size_t>(AttentionRows::scratch_lines(step, sizes_.D, sizes_.E));
    run_jobs(matrices * blocks, threads(), [&]() -> Worker {
      return [&, scratch = std::make_shared<std::vector<CacheLine>>(lines)](std::int64_t job, const StopCheck& check) {
        const std::int64_t first = job % blocks * step;
        AttentionRows rows = rows_of(job / blocks, first, std::min(step, sizes_.T - first), to);
        rows.scratch = scratch->data();
        for (; rows.first_key < rows.k.rows; rows.first_key += kAttentionKeys) {
          check();
          kernels().attend(rows);
        }
      };
    });
    return out;
  }

 private:
  static MatrixView<float> matrix(const Tensor& x, std::int64_t offset, std::int64_t first, std::int64_t rows) {
    const std::int64_t step = x.strides()[x.shape().size() - 2];
    return {x.data<float>() + offset + first * step, rows, x.shape().back(), step, 1};
  }

  AttentionRows rows_of(std::int64_t number, std::int64_t first, std::int64_t count, float* out) const {
    const auto at = [&](const Tensor& x) { return batch_offset(number, batch_, x.strides()); };
    AttentionRows rows;
    rows.q = matrix(q_, at(q_), first, count);
    // Of keys that no row sees nothing comes.
    const std::int64_t seen = options_.is_causal ? std::min(first + count, sizes_.S) : sizes_.S;
    rows.k = matrix(k_, at(k_), 0, seen);
    rows.v = matrix(v_, at(v_), 0, seen);
    rows.scale = static_cast<float>(options_.scale);
    rows.causal = options_.is_causal ? first + 1 : 0;
    rows.out = out + (number * sizes_.T + first) * sizes_.E;
    rows.out_stride = sizes_.E;
    if (mask_.defined()) rows.mask = mask_of(at(mask_), first);
    return rows;
  }

  MaskView mask_of(std::int64_t offset, std::int64_t first) const {
    const std::size_t dims = mask_.shape().size();
    MaskView view{nullptr, nullptr, mask_.strides()[dims - 2], mask_.strides()[dims - 1]};
    offset += first * view.row_stride;
    if (mask_.dtype() == DType::Bool) view.seen = mask_.data<bool>() + offset;
    else view.added = mask_.data<float>() + offset;
    return view;
  }

  const Sizes sizes_;
  const Shape batch_;
  const AttentionOptions& options_;
  Tensor q_, k_, v_, mask_;
};

}  // namespace

bool takes_tiles(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options) {
  for (const Tensor* x : {&q, &k, &v})
    if (x->dtype() != DType::Float32 || x->dim() < 2 || batch_of(*x) != batch_of(q)) return false;
  const auto [T, S, D, E] = sizes_of(q, k, v);
  if (k.size(k.dim() - 1) != D || v.size(v.dim() - 2) != S || D == 0 || E == 0) return false;
  if (checked_mul(T, S).value_or(kManyScores) < kManyScores) return false;
  if (!options.mask.defined()) return true;
  Shape scores = batch_of(q);
  scores.insert(scores.end(), {T, S});
  const DType type = options.mask.dtype();
  return (type == DType::Bool || type == DType::Float32) && broadcasts_to(options.mask.shape(), scores);
}

Tensor attention_in_tiles(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options) {
  return Attention(q, k, v, options).run();
}

}  // namespace attn
