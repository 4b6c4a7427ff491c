// torch.nn.functional.scaled_dot_product_attention, which PyTorch has from version 2 on: a composite of recorded steps,
// and one step where sequences are long.
#include "tensor/ops/attention.h"

#include <cmath>

#include "base/diagnostic.h"
#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

// softmax(scale * q k^T + mask)
Value masked_scores(OpCall& call, const Value& scores) {
  const Tensor &query = call.tensor("query"), &key = call.tensor("key");
  if (call.flag("is_causal")) {
    const Value ones =
        call.call("torch.ones", {int_value(query.size(query.dim() - 2)), int_value(key.size(key.dim() - 2))},
                  {{"dtype", make<DTypeObject>(DType::Bool)}});
    const Value hidden = call.call("torch.logical_not", {call.call("torch.tril", {ones})});
    return call.call("torch.masked_fill", {scores, hidden, Value(-HUGE_VAL)});
  }
  if (!call.has("attn_mask")) return scores;
  const Value mask = call.value("attn_mask");
  if (call.tensor("attn_mask").dtype() != DType::Bool) return call.call("torch.add", {scores, mask});
  return call.call("torch.masked_fill", {scores, call.call("torch.logical_not", {mask}), Value(-HUGE_VAL)});
}

double scale_of(const OpCall& call) {
  const Tensor& query = call.tensor("query");
  return call.has("scale") ? call.real("scale") : 1 / std::sqrt(static_cast<double>(query.size(query.dim() - 1)));
}

AttentionOptions options_of(const OpCall& call) {
  return {call.has("attn_mask") ? call.tensor("attn_mask") : Tensor(), call.flag("is_causal"), scale_of(call)};
}

// Of long sequences the matrix of scores is never made, so there are no steps inside to record.
bool is_one_step(const OpCall& call) {
  return call.real("dropout_p") <= 0 && call.tensor("query").dim() >= 2 &&
         takes_tiles(call.tensor("query"), call.tensor("key"), call.tensor("value"), options_of(call));
}

// Of the products; where there are steps inside, they have theirs.
std::int64_t attention_multiply_adds(const OpCall& call, const Tensor& output) {
  if (!is_one_step(call)) return 0;
  const Tensor &query = call.tensor("query"), &key = call.tensor("key");
  const std::int64_t rows = output.numel() / output.size(output.dim() - 1);
  return rows * key.size(key.dim() - 2) * (query.size(query.dim() - 1) + output.size(output.dim() - 1));
}

Value scaled_dot_product_op(OpCall& call) {
  const Tensor& query = call.tensor("query");
  if (call.has("attn_mask") && call.flag("is_causal"))
    throw TensorError("attention.mask", Code::Value, "RuntimeError",
                      "scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  wrap_dim(-2, call.tensor("key").dim());
  if (is_one_step(call))
    return make_tensor(attention_in_tiles(query, call.tensor("key"), call.tensor("value"), options_of(call)));
  const Value turned = call.call("torch.transpose", {call.value("key"), int_value(-2), int_value(-1)});
  const Value products = call.call("torch.matmul", {call.value("query"), turned});
  const Value scores = masked_scores(call, call.call("torch.mul", {products, Value(scale_of(call))}));
  Value weights = call.call("torch.softmax", {scores, int_value(-1)});
  if (call.real("dropout_p") > 0) {
    call.interpreter().require_effects("wrong_cell.draw", call.span());
    weights = call.call("torch.nn.functional.dropout", {weights, call.value("dropout_p")});
  }
  return last_step(call, call.call("torch.matmul", {weights, call.value("value")}));
}

// The rows of the query, the columns of the value.
Axes attention_axes(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("query").axes;
  if (axes.size() != static_cast<std::size_t>(output.dim())) return Axes(static_cast<std::size_t>(output.dim()));
  axes.back() = call.handle("value").axes.back();
  return axes;
}

const OpInfo kAttentionOps[] = {
    OpInfo("torch.nn.functional.scaled_dot_product_attention",
           "(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor? = None, dropout_p: float = 0.0, "
           "is_causal: bool = False, scale: float? = None)",
           "softmax(scale * query @ key^T + mask) @ value; a Bool mask is True where a key is seen.",
           "F.scaled_dot_product_attention(torch.ones(2, 3), torch.ones(4, 3), torch.ones(4, 5))",
           scaled_dot_product_op,
           {.axes = attention_axes,
            .element = kComposite,
            .grad_fn = "UnsafeViewBackward0",
            .cost = attention_multiply_adds}),
};

}  // namespace

std::span<const OpInfo> attention_ops() { return kAttentionOps; }

}  // namespace attn
