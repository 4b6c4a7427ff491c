// Softmax needs the largest score of a row before it can take an exponential, and tiles see a row piece by piece. So
// each row keeps the largest score seen so far, the sum of exponentials relative to it, and the weighted sum of values;
// when a larger score comes, both sums are multiplied by exp(old - new). (Milakov and Gimelshein 2018, "Online
// normalizer calculation for softmax"; Dao et al. 2022, "FlashAttention", algorithm 1.)
#include "tensor/kernels/versioned/attention.h"

#include "tensor/kernels/versioned/product.h"
#include "tensor/kernels/versioned/row.h"

namespace attn::ATTN_LEVEL {
namespace {

// Scores that are hidden become -infinity, others scale * score + mask.
void mask_row(const AttentionRows& rows, std::int64_t i, std::int64_t first_key, float* scores, std::int64_t n) {
  const MaskView& mask = rows.mask;
  const std::int64_t at = i * mask.row_stride + first_key * mask.col_stride;
  scale(scores, n, rows.scale);
  if (mask.added)
    for (std::int64_t j = 0; j < n; ++j) scores[j] += mask.added[at + j * mask.col_stride];
  if (mask.seen)
    for (std::int64_t j = 0; j < n; ++j) scores[j] = mask.seen[at + j * mask.col_stride] ? scores[j] : kLowest;
  const std::int64_t visible = i + rows.causal - first_key;  // keys before it
  if (rows.causal > 0)
    for (std::int64_t j = visible > 0 ? visible : 0; j < n; ++j) scores[j] = kLowest;
}

// Scores become weights relative to the largest score of the row so far.
void take_scores(const AttentionRows& rows, std::int64_t i, float* scores, std::int64_t n) {
  float &top = rows.largest()[i], &sum = rows.sums()[i];
  const float in_tile = largest(scores, n);
  const float new_top = in_tile > top ? in_tile : top;
  const float shift = new_top == kLowest ? 0.0F : new_top;  // nothing seen yet: every weight is exp(-inf) = 0
  if (new_top != top) {
    const float factor = top == kLowest ? 0.0F : exp_of_negative(Floats{} + (top - shift))[0];
    sum *= factor;
    scale(rows.out + i * rows.out_stride, rows.v.cols, factor);
    top = new_top;
  }
  sum += static_cast<float>(exponentials(scores, n, shift, scores));
}

void take_tile(const AttentionRows& rows, std::int64_t first_key, std::int64_t keys) {
  float* const scores = rows.scores();
  const MatrixView<float> k = rows.k.block(first_key, 0, keys, rows.k.cols);
  const MatrixView<float> turned{k.data, k.cols, k.rows, k.col_stride, k.row_stride};
  for (std::int64_t i = 0; i < rows.q.rows * keys; ++i) scores[i] = 0;
  add_large_product(rows.q, turned, scores, keys);
  for (std::int64_t i = 0; i < rows.q.rows; ++i) {
    mask_row(rows, i, first_key, scores + i * keys, keys);
    take_scores(rows, i, scores + i * keys, keys);
  }
  add_large_product<float>({scores, rows.q.rows, keys, keys, 1}, rows.v.block(first_key, 0, keys, rows.v.cols),
                           rows.out, rows.out_stride);
}

}  // namespace

void attend(const AttentionRows& rows) {
  for (std::int64_t i = 0; i < rows.q.rows; ++i) {
    rows.largest()[i] = kLowest;
    rows.sums()[i] = 0;
    for (std::int64_t j = 0; j < rows.v.cols; ++j) rows.out[i * rows.out_stride + j] = 0;
  }
  // Of keys that no row sees nothing comes.
  const std::int64_t last = rows.causal > 0 ? rows.q.rows - 1 + rows.causal : rows.k.rows;
  const std::int64_t end = last < rows.k.rows ? last : rows.k.rows;
  for (std::int64_t key = 0; key < end; key += kAttentionKeys)
    take_tile(rows, key, end - key < kAttentionKeys ? end - key : kAttentionKeys);
  // A row that sees no key is 0 / 0, as PyTorch has it.
  for (std::int64_t i = 0; i < rows.q.rows; ++i)
    scale(rows.out + i * rows.out_stride, rows.v.cols, 1.0F / rows.sums()[i]);
}

}  // namespace attn::ATTN_LEVEL
