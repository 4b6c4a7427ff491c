// The op of nn.MultiheadAttention. Its steps are recorded one by one below it.
//
// The steps are those of torch.nn.functional.multi_head_attention_forward in their order: one linear map gives queries,
// keys and values, each is cut into heads (which PyTorch puts into the batch axis), softmax(q k^T / sqrt(head_dim) +
// mask) v, and a last linear map over the heads side by side.
#include "torch/nn/attention_op.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/diagnostic.h"
#include "torch/axis_names.h"

namespace attn {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// An int that names the axis it is the size of.
Value named_size(std::int64_t value, const std::string& name) {
  if (name.empty()) return Value(value);
  Origin origin;
  origin.source = Origin::Source::AxisSize;
  origin.name = name;
  origin.value = value;
  return Value(value, std::make_shared<const Origin>(std::move(origin)));
}

std::int64_t length_along(const Value& value, std::int64_t dim) { return tensor_of(value).size(dim); }

// ---- checks, with PyTorch's texts ----

void check_batched(const OpCall& call, Span span) {
  const std::int64_t key = call.tensor("key").dim(), value = call.tensor("value").dim();
  require_assertion(
      key == 3 && value == 3, span,
      fmt::format("For batched (3-D) `query`, expected `key` and `value` to be 3-D but found {}-D and {}-D tensors "
                  "respectively",
                  key, value));
  if (call.has("key_padding_mask")) {
    const std::int64_t dims = call.tensor("key_padding_mask").dim();
    require_assertion(
        dims == 2, span,
        fmt::format("For batched (3-D) `query`, expected `key_padding_mask` to be `None` or 2-D but found {}-D "
                    "tensor instead",
                    dims));
  }
}

void check_unbatched(const OpCall& call, Span span) {
  const std::int64_t key = call.tensor("key").dim(), value = call.tensor("value").dim();
  require_assertion(
      key == 2 && value == 2, span,
      fmt::format("For unbatched (2-D) `query`, expected `key` and `value` to be 2-D but found {}-D and {}-D "
                  "tensors respectively",
                  key, value));
  if (call.has("key_padding_mask")) {
    const std::int64_t dims = call.tensor("key_padding_mask").dim();
    require_assertion(
        dims == 1, span,
        fmt::format("For unbatched (2-D) `query`, expected `key_padding_mask` to be `None` or 1-D but found {}-D "
                    "tensor instead",
                    dims));
  }
  if (!call.has("attn_mask") || call.tensor("attn_mask").dim() != 3) return;
  const Shape wanted = {call.integer("num_heads"), call.tensor("query").size(0), call.tensor("key").size(0)};
  require_assertion(call.tensor("attn_mask").shape() == wanted, span,
                    fmt::format("Expected `attn_mask` shape to be ({}, {}, {}) but got {}", wanted[0], wanted[1],
                                wanted[2], size_text(tensor_of(call.value("attn_mask")).shape())));
}

void check_dimensions(const OpCall& call, Span span) {
  const std::int64_t dims = call.tensor("query").dim();
  require_assertion(
      dims == 2 || dims == 3, span,
      fmt::format("query should be unbatched 2D or batched 3D tensor but received {}-D query tensor", dims));
  dims == 3 ? check_batched(call, span) : check_unbatched(call, span);
  if (!call.has("attn_mask")) return;
  const std::int64_t mask = call.tensor("attn_mask").dim();
  require_assertion(
      mask == 2 || mask == 3, span,
      fmt::format("For {} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {}-D tensor instead",
                  dims == 3 ? "batched (3-D)" : "unbatched (2-D)", mask));
}

// ---- the op ----

/// One call: the steps share what they know of the sizes.
class Attention {
 public:
  explicit Attention(OpCall& call) : call_(call), heads_(call.integer("num_heads")) {}

  Value run() {
    check_dimensions(call_, call_.span());
    const bool is_batched = call_.tensor("query").dim() == 3;
    query_ = batched("query", is_batched, 1);
    key_ = same("key", "query") ? query_ : batched("key", is_batched, 1);
    value_ = same("value", "key") ? key_ : batched("value", is_batched, 1);
    if (call_.has("key_padding_mask")) padding_ = batched("key_padding_mask", is_batched, 0);
    check_sizes();
    mask_ = prepared_mask();
    project();
    add_extra_keys();
    merge_padding();
    const Value weights = attend();
    return results(weights, is_batched);
  }

 private:
  Value op(std::string_view name, std::vector<Value> positional,
           std::vector<std::pair<std::string, Value>> keywords = {}) {
    return call_.call(name, std::move(positional), std::move(keywords));
  }
  std::vector<Value> ops(std::string_view name, std::vector<Value> positional) {
    return op(name, std::move(positional)).as<Tuple>()->items;
  }
  bool same(std::string_view a, std::string_view b) const { return call_.value(a).object() == call_.value(b).object(); }
  void check(bool holds, std::string text) const { require_assertion(holds, call_.span(), std::move(text)); }

  Value batched(std::string_view name, bool is_batched, std::int64_t dim) {
    return is_batched ? call_.value(name) : op("torch.unsqueeze", {call_.value(name), int_value(dim)});
  }

  void check_sizes() {
    const std::vector<Value> sizes = sizes_of(query_);
    query_len_ = sizes[0], batch_ = sizes[1], width_ = sizes[2];
    key_len_ = sizes_of(key_)[0];
    check(
        number(width_) == call_.integer("embed_dim"),
        fmt::format("was expecting embedding dimension of {}, but got {}", call_.integer("embed_dim"), number(width_)));
    if (call_.handles("in_proj").size() == 1) {
      check(tensor_of(key_).shape() == tensor_of(value_).shape(),
            fmt::format("key shape {} does not match value shape {}", size_text(tensor_of(key_).shape()),
                        size_text(tensor_of(value_).shape())));
      return;
    }
    const Shape &k = tensor_of(key_).shape(), &v = tensor_of(value_).shape();
    check(k[0] == v[0] && k[1] == v[1], fmt::format("key's sequence and batch dims {} do not match value's {}",
                                                    size_text({k[0], k[1]}), size_text({v[0], v[1]})));
  }

  static std::vector<Value> sizes_of(const Value& tensor) {
    return make_size(tensor_of(tensor).shape(), &tensor.as<TensorObject>()->axes).as<Tuple>()->items;
  }
  static std::int64_t number(const Value& size) { return size.as_int()->value; }

  // ---- projections ----

  Value linear(const Value& x, const Value& weight, const Value& bias) {
    return op("torch.nn.functional.linear", {x, weight, bias});
  }

  // Rows of the packed weight or bias; None stays None.
  std::vector<Value> parts(const Value& packed, std::vector<Value> sizes) {
    if (packed.is_none()) return std::vector<Value>(sizes.size());
    return ops("torch.split", {packed, make_list(std::move(sizes))});
  }

  void project() {
    const std::vector<Value> weights = call_.value("in_proj").as<List>()->items;
    const Value bias = call_.value("in_proj_bias");
    const Value width = int_value(number(width_)), both = int_value(2 * number(width_));
    if (weights.size() == 1 && query_.object() == key_.object() && key_.object() == value_.object()) {
      const auto all = ops("torch.chunk", {linear(query_, weights[0], bias), int_value(3), int_value(-1)});
      q_ = all[0], k_ = all[1], v_ = all[2];
    } else if (weights.size() == 1 && key_.object() == value_.object()) {
      const auto w = parts(weights[0], {width, both}), b = parts(bias, {width, both});
      q_ = linear(query_, w[0], b[0]);
      const auto rest = ops("torch.chunk", {linear(key_, w[1], b[1]), int_value(2), int_value(-1)});
      k_ = rest[0], v_ = rest[1];
    } else {
      const auto w = weights.size() == 3 ? weights : parts(weights[0], {width, width, width});
      const auto b = parts(bias, {width, width, width});
      q_ = linear(query_, w[0], b[0]);
      k_ = linear(key_, w[1], b[1]);
      v_ = linear(value_, w[2], b[2]);
    }
  }

  // ---- masks ----

  Value prepared_mask() {
    const Value mask = call_.value("attn_mask");
    if (mask.is_none()) return {};
    const DType dtype = tensor_of(mask).dtype();
    check(is_floating(dtype) || dtype == DType::Bool,
          fmt::format("Only float, byte, and bool types are supported for attn_mask, not {}", name_of(dtype)));
    const bool is_matrix = tensor_of(mask).dim() == 2;
    Shape wanted = {number(query_len_), number(key_len_)};
    if (!is_matrix) wanted.insert(wanted.begin(), number(batch_) * heads_);
    if (tensor_of(mask).shape() != wanted) {
      const std::string text = repr(make_tuple(make_size(wanted).as<Tuple>()->items));
      throw CellError(Code::Shape, call_.span(),
                      fmt::format("The shape of the {}D attn_mask is {}, but should be {}.", is_matrix ? 2 : 3,
                                  size_text(tensor_of(mask).shape()), text));
    }
    return is_matrix ? op("torch.unsqueeze", {mask, int_value(0)}) : mask;
  }

  // Masks grow with the keys that are added behind the others: those are always seen.
  void widen(Value& mask) {
    if (mask.is_none()) return;
    Shape shape = tensor_of(mask).shape();
    shape.back() = 1;
    const Value seen = op("torch.zeros", {make_size(shape)}, {{"dtype", make<DTypeObject>(tensor_of(mask).dtype())}});
    mask = op("torch.cat", {make_list({mask, seen}), int_value(-1)});
  }

  void add_extra_keys() {
    if (call_.has("bias_k")) {
      const Value counts = make_tuple({int_value(1), batch_, int_value(1)});
      k_ = op("torch.cat", {make_list({k_, op("Tensor.repeat", {call_.value("bias_k"), counts})})});
      v_ = op("torch.cat", {make_list({v_, op("Tensor.repeat", {call_.value("bias_v"), counts})})});
      widen(mask_);
      widen(padding_);
    }
    q_ = by_head(q_, query_len_);
    k_ = by_head(k_, sizes_of(k_)[0]);
    v_ = by_head(v_, sizes_of(v_)[0]);
    if (!call_.flag("add_zero_attn")) return;
    const Value sizes = make_tuple({int_value(number(batch_) * heads_), int_value(1), int_value(length_along(k_, 2))});
    const Value dtype = make<DTypeObject>(tensor_of(k_).dtype());
    k_ = op("torch.cat", {make_list({k_, op("torch.zeros", {sizes}, {{"dtype", dtype}})}), int_value(1)});
    v_ = op("torch.cat", {make_list({v_, op("torch.zeros", {sizes}, {{"dtype", dtype}})}), int_value(1)});
    widen(mask_);
    widen(padding_);
  }

  // (len, batch, width) -> (batch * heads, len, head_dim)
  Value by_head(const Value& x, const Value& length) {
    const std::string batch = name_of(batch_.as_int()->origin);
    const Value rows = named_size(number(batch_) * heads_, batch.empty() ? "" : batch + "*head");
    const Value head_dim = named_size(number(width_) / heads_, "head_dim");
    const Value cut = op("Tensor.view", {op("Tensor.contiguous", {x}), make_tuple({length, rows, head_dim})});
    return op("torch.transpose", {cut, int_value(0), int_value(1)});
  }

  void merge_padding() {
    key_len_ = sizes_of(k_)[1];
    const Value length = key_len_;
    if (!padding_.is_none()) {
      const Shape wanted = {number(batch_), number(length)};
      check(tensor_of(padding_).shape() == wanted,
            fmt::format("expecting key_padding_mask shape of ({}, {}), but got {}", wanted[0], wanted[1],
                        size_text(tensor_of(padding_).shape())));
      const Value heads = named_size(heads_, "head"), one = int_value(1), keep = int_value(-1);
      Value mask = op("Tensor.view", {padding_, make_tuple({batch_, one, one, length})});
      mask = op("Tensor.expand", {mask, make_tuple({keep, heads, keep, keep})});
      mask = op("torch.reshape", {mask, make_tuple({int_value(wanted[0] * heads_), one, length})});
      if (mask_.is_none()) mask_ = mask;
      else if (tensor_of(mask_).dtype() == DType::Bool) mask_ = op("torch.logical_or", {mask_, mask});
      else mask_ = op("torch.masked_fill", {mask_, mask, Value(kMinusInfinity)});
    }
    if (mask_.is_none() || tensor_of(mask_).dtype() != DType::Bool) return;
    const Value dtype = make<DTypeObject>(tensor_of(q_).dtype());
    const Value zeros = op("torch.zeros_like", {mask_}, {{"dtype", dtype}});
    mask_ = op("torch.masked_fill", {zeros, mask_, Value(kMinusInfinity)});
  }

  // ---- attention ----

  // The weights; their products with the values stay in v_.
  Value attend() {
    const double scale = std::sqrt(static_cast<double>(length_along(q_, 2)));
    const Value scaled = op("torch.div", {q_, Value(scale)});
    Value scores = op("torch.bmm", {scaled, op("torch.transpose", {k_, int_value(-2), int_value(-1)})});
    if (!mask_.is_none()) scores = op("torch.add", {mask_, scores});
    Value weights = op("torch.nn.functional.softmax", {scores, int_value(-1)});
    const double p = call_.real("dropout");
    if (p > 0) weights = op("torch.nn.functional.dropout", {weights, Value(p)});
    v_ = op("torch.bmm", {weights, v_});
    return weights;
  }

  Value results(Value weights, bool is_batched) {
    const Value rows = int_value(number(query_len_) * number(batch_));
    Value output = op("Tensor.contiguous", {op("torch.transpose", {v_, int_value(0), int_value(1)})});
    output = op("Tensor.view", {output, make_tuple({rows, width_})});
    output = linear(output, call_.value("out_proj_weight"), call_.value("out_proj_bias"));
    output = op("Tensor.view", {output, make_tuple({query_len_, batch_, width_})});
    if (!is_batched) output = op("torch.squeeze", {output, int_value(1)});
    if (!call_.flag("need_weights")) return make_tuple({output, Value()});

    const Value heads = named_size(heads_, "head");
    weights = op("Tensor.view", {weights, make_tuple({batch_, heads, query_len_, key_len_})});
    if (call_.flag("average_attn_weights"))
      weights = op("torch.div", {op("torch.sum", {weights, int_value(1)}), int_value(heads_)});
    if (!is_batched) weights = op("torch.squeeze", {weights, int_value(0)});
    return make_tuple({output, weights});
  }

  OpCall& call_;
  std::int64_t heads_;
  Value query_, key_, value_, padding_, mask_;  // as they came, with an axis for the batch
  Value query_len_, key_len_, batch_, width_;   // sizes that know their axes
  Value q_, k_, v_;                             // projected
};

Value run_attention(OpCall& call) { return Attention(call).run(); }

/// output: the axes of the query; weights: (batch, query, key), with the heads second where they are not averaged.
Axes multi_head_axes(const OpCall& call, const Tensor& output, std::size_t number) {
  const Axes &query = call.handle("query").axes, &key = call.handle("key").axes;
  if (number == 0) return fitted(query, output);
  Axes axes = query.size() == 3 ? Axes{query[1]} : Axes{};
  if (!call.flag("average_attn_weights")) axes.push_back({"head", {}, {}});
  axes.push_back(query[0]);
  axes.push_back(key[0]);
  for (Axis& axis : axes) axis = without_words(axis);
  return fitted(axes, output);
}

}  // namespace

const OpInfo& attention_op() {
  static const OpInfo row{
      "multi_head_attention",
      "",
      "(query: Tensor, key: Tensor, value: Tensor, embed_dim: int, num_heads: int, in_proj: Tensors, "
      "in_proj_bias: Tensor?, bias_k: Tensor?, bias_v: Tensor?, add_zero_attn: bool, dropout: float, "
      "out_proj_weight: Tensor, out_proj_bias: Tensor?, key_padding_mask: Tensor?, need_weights: "
      "bool, attn_mask: Tensor?, average_attn_weights: bool)",
      "Attention of several heads, with its linear maps.",
      "",
      run_attention,
      multi_head_axes,
      ElementRule::Composite};
  return row;
}

void require_assertion(bool holds, Span span, std::string text) {
  if (!holds) throw CellError(Code::Assertion, span, std::move(text));
}

}  // namespace attn
