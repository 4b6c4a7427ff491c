// Softmax needs the largest score of a row before it can take an exponential, and tiles see a row piece by piece. So
// each row keeps the largest score seen so far, the sum of exponentials relative to it, and the weighted sum of values;
// when a larger score comes, both sums are multiplied by exp(old - new). (Milakov and Gimelshein 2018, "Online
// normalizer calculation for softmax"; Dao et al. 2022, "FlashAttention", algorithm 1.) Scores are multiplied by
// 1 / ln 2 besides, for then exp is a power of 2.
//
// Keys and values of a tile are copied into panels once for all rows; a few rows at a time go through scores, weights
// and sums, so that these never leave the first cache.
#include "tensor/kernels/versioned/attention.h"

#include <limits>
#include <numbers>

#include "tensor/kernels/versioned/panel.h"

namespace attn::ATTN_LEVEL {
namespace {

using Floats = PanelOf<float>::Vector;
using Ints [[gnu::vector_size(kVectorBytes)]] = int;

constexpr float kLowest = -std::numeric_limits<float>::infinity();
constexpr auto kPerLn2 = static_cast<float>(std::numbers::log2e);
constexpr int kLanes = PanelOf<float>::kLanes;
constexpr int kTogether = 4;  // vectors side by side, so that none waits for the one before it
constexpr std::int64_t kStep = kTogether * kLanes;

/// 2^x for x <= 0 to about one unit in the last place; what would be subnormal is 0. NaN stays NaN. x is an integer and
/// r, and the polynomial is 2^r to 1e-7 for r from -1/2 to 1/2.
Floats power_of_2(Floats x) {
  constexpr float kRounder = 0x1.8p23F;  // as in math_functions.h
  const Floats shifted = x + kRounder;
  const Floats r = x - (shifted - kRounder);
  Floats p = r * 1.32647273e-3F + 9.67151299e-3F;
  p = p * r + 5.55073358e-2F;
  p = p * r + 2.40222424e-1F;
  p = p * r + 6.93147004e-1F;
  p = p * r + 1.0F;
  const Floats scale = (Floats)(((Ints)shifted << 23) + (Ints)(Floats{} + 1.0F));  // 2 to that integer
  return x < -126.0F ? Floats{} : p * scale;
}

template <int kBy, int... kLane>
Floats rotated(Floats x, std::integer_sequence<int, kLane...>) {
  return __builtin_shufflevector(x, x, ((kLane + kBy) % kLanes)...);
}

/// All lanes by f, in pairs that are half as far apart each time.
template <int kHalf = kLanes / 2, class F>
float fold(Floats x, F&& f) {
  if constexpr (kHalf == 0) return x[0];
  else return fold<kHalf / 2>(f(x, rotated<kHalf>(x, std::make_integer_sequence<int, kLanes>())), f);
}

/// The same for vectors side by side.
template <class F>
float fold(const Floats (&x)[kTogether], F&& f) {
  return fold(f(f(x[0], x[1]), f(x[2], x[3])), f);
}

/// The largest score and -infinity. NaN is passed over.
float largest_of(const float* scores, std::int64_t n) {
  Floats best[kTogether];
  for (Floats& b : best) b = Floats{} + kLowest;
  for (std::int64_t j = 0; j < n; j += kStep)
    for (int v = 0; v < kTogether; ++v) {
      const Floats value = vector_at(scores + j + v * kLanes);
      best[v] = value > best[v] ? value : best[v];
    }
  return fold(best, [](Floats a, Floats b) { return a > b ? a : b; });
}

/// Scores become 2^(factor * score - top); gives their sum.
float turn_into_weights(float* scores, std::int64_t n, float factor, float top) {
  Floats sums[kTogether] = {};
  for (std::int64_t j = 0; j < n; j += kStep)
    for (int v = 0; v < kTogether; ++v) {
      const Floats weights = power_of_2(factor * vector_at(scores + j + v * kLanes) - top);
      sums[v] += weights;
      __builtin_memcpy(scores + j + v * kLanes, &weights, sizeof weights);
    }
  return fold(sums, [](Floats a, Floats b) { return a + b; });
}

void multiply_by(float factor, float* x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) x[i] *= factor;
}

class Attention {
 public:
  explicit Attention(const AttentionRows& rows)
      : rows_(rows),
        scales_later_(!rows.mask.added && !rows.mask.seen && rows.causal <= 0 && rows.scale > 0),
        keys_(reinterpret_cast<float*>(rows.scratch)),
        scores_(keys_ + kAttentionKeys * rows.k.cols),
        largest_(scores_ + kAttentionKeys * kScoreRows),
        sums_(largest_ + rows.q.rows),
        values_(scores_ + kAttentionKeys * kScoreRows + (2 * rows.q.rows + 15) / 16 * 16) {}

  void run() const {
    const std::int64_t first = rows_.first_key, left = rows_.k.rows - first;
    if (first == 0) begin();
    take_tile(first, left < kAttentionKeys ? left : kAttentionKeys);
    if (left <= kAttentionKeys) end();
  }

 private:
  void begin() const {
    for (std::int64_t i = 0; i < rows_.q.rows; ++i) {
      largest_[i] = kLowest;
      sums_[i] = 0;
      for (std::int64_t j = 0; j < rows_.v.cols; ++j) out_row(i)[j] = 0;
    }
  }

  // A row that sees no key is 0 / 0, as PyTorch has it.
  void end() const {
    for (std::int64_t i = 0; i < rows_.q.rows; ++i) multiply_by(1.0F / sums_[i], out_row(i), rows_.v.cols);
  }

  float* out_row(std::int64_t i) const { return rows_.out + i * rows_.out_stride; }

  void take_tile(std::int64_t first_key, std::int64_t keys) const {
    const MatrixView<float> k = rows_.k.block(first_key, 0, keys, rows_.k.cols);
    const MatrixView<float> turned{k.data, k.cols, k.rows, k.col_stride, k.row_stride};
    const MatrixView<float> v = rows_.v.block(first_key, 0, keys, rows_.v.cols);
    for_each_panel<float>(keys, [&](std::int64_t key, std::int64_t count) {
      fill_panel(turned.block(0, key, turned.rows, count), keys_ + key * turned.rows);
    });
    for_each_panel<float>(v.cols, [&](std::int64_t col, std::int64_t count) {
      fill_panel(v.block(0, col, keys, count), values_ + col * keys);
    });
    for (std::int64_t i = 0; i < rows_.q.rows; i += kScoreRows)
      take_rows(i, rows_.q.rows - i < kScoreRows ? rows_.q.rows - i : kScoreRows, first_key, keys);
  }

  void take_rows(std::int64_t first, std::int64_t count, std::int64_t first_key, std::int64_t keys) const {
    const MatrixView<float> q = rows_.q.block(first, 0, count, rows_.q.cols);
    for_each_panel<float>(keys, [&](std::int64_t key, std::int64_t cols) {
      multiply_panel<Put::Store>(q, keys_ + key * q.cols, cols, scores_ + key, kAttentionKeys);
    });
    for (std::int64_t i = 0; i < count; ++i) take_scores(first + i, first_key, scores_ + i * kAttentionKeys, keys);
    const MatrixView<float> weights{scores_, count, keys, kAttentionKeys, 1};
    for_each_panel<float>(rows_.v.cols, [&](std::int64_t col, std::int64_t cols) {
      multiply_panel<Put::Add>(weights, values_ + col * keys, cols, out_row(first) + col, rows_.out_stride);
    });
  }

  // Scores of row i become weights relative to its largest score so far.
  void take_scores(std::int64_t i, std::int64_t first_key, float* scores, std::int64_t n) const {
    if (!scales_later_) mask_row(i, first_key, scores, n);
    const float factor = scales_later_ ? rows_.scale * kPerLn2 : kPerLn2;
    for (; n % kStep != 0; ++n) scores[n] = kLowest;
    const float in_tile = factor * largest_of(scores, n), top = largest_[i];
    const float new_top = in_tile > top ? in_tile : top;
    const float shift = new_top == kLowest ? 0.0F : new_top;  // nothing seen yet: every weight is 2^-inf = 0
    if (new_top != top) {
      const float shrink = power_of_2(Floats{} + (top - shift))[0];
      sums_[i] *= shrink;
      multiply_by(shrink, out_row(i), rows_.v.cols);
      largest_[i] = new_top;
    }
    sums_[i] += turn_into_weights(scores, n, factor, shift);
  }

  // Scores that are hidden become -infinity, others scale * score + mask.
  void mask_row(std::int64_t i, std::int64_t first_key, float* scores, std::int64_t n) const {
    const MaskView& mask = rows_.mask;
    const std::int64_t at = i * mask.row_stride + first_key * mask.col_stride;
    multiply_by(rows_.scale, scores, n);
    if (mask.added)
      for (std::int64_t j = 0; j < n; ++j) scores[j] += mask.added[at + j * mask.col_stride];
    if (mask.seen)  // NOLINTNEXTLINE(bugprone-narrowing-conversions): from float to float
      for (std::int64_t j = 0; j < n; ++j) scores[j] = mask.seen[at + j * mask.col_stride] ? scores[j] : kLowest;
    const std::int64_t visible = i + rows_.causal - first_key;  // keys before it
    if (rows_.causal > 0)
      for (std::int64_t j = visible > 0 ? visible : 0; j < n; ++j) scores[j] = kLowest;
  }

  const AttentionRows& rows_;
  const bool scales_later_;
  float *const keys_, *const scores_, *const largest_, *const sums_, *const values_;
};

}  // namespace

void attend(const AttentionRows& rows) { Attention(rows).run(); }

}  // namespace attn::ATTN_LEVEL
