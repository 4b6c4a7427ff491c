#pragma once
// How values flow through the ops of a Trace: who made a value, who uses it, and from which scores the weights come.
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// A product of two tensors over a shared axis, with that axis in each operand.
struct Contraction {
  const Op* op = nullptr;
  ValueId left = -1, right = -1;
  std::size_t left_axis = 0, right_axis = 0;
};

/// What is between the product of queries and keys and the softmax: the ops on the way, the last first.
struct Scores {
  Contraction product;
  std::vector<const Op*> way;
};

class Flow {
 public:
  explicit Flow(const Trace& trace);

  const Trace& trace() const { return trace_; }
  const RecordedValue& value(ValueId id) const { return trace_.value(id); }
  OpId id_of(const Op& op) const { return static_cast<OpId>(&op - trace_.ops.data()); }
  /// Ops that the code calls itself, those that failed left out.
  const std::vector<const Op*>& ops() const { return ops_; }
  const Op* maker(ValueId id) const;
  const std::vector<const Op*>& users(ValueId id) const;

  std::optional<Contraction> contraction(const Op& op) const;
  /// The scores that a value was made from, one element from one element; nothing when it comes from no product, or
  /// from one with a parameter.
  std::optional<Scores> scores_of(ValueId id) const;
  /// Products that take a value as it is, or with its axes turned; each with the place of `axis` of the value, and the
  /// axis that it sums over, as axes of its operand.
  struct Use {
    const Op* op;
    ValueId operand;
    std::size_t axis, contracted;
  };
  std::vector<Use> products_with(ValueId id, std::size_t axis) const;
  /// Whether entries of a value, moved about, go into a product, or come from one.
  bool goes_into_product(ValueId id, int depth = 8) const;
  bool comes_from_product(ValueId id, int depth = 8) const;
  /// Whether a name is bound to it, or it is the value of a statement.
  bool is_kept(ValueId id) const { return kept_.contains(id); }
  /// Whether numbers were drawn for it.
  bool is_drawn(ValueId id, int depth = 8) const;

 private:
  void add_user(ValueId id, const Op& op);
  /// A comment on a line of its own that names axes makes another value of a tensor: the one before; -1: none.
  ValueId before_it_was_named(ValueId id) const;
  bool find_scores(ValueId id, Scores& out, int depth) const;
  void find_products(ValueId id, std::size_t axis, std::vector<Use>& out, int depth) const;

  const Trace& trace_;
  std::vector<const Op*> ops_;
  std::unordered_map<ValueId, const Op*> makers_;
  std::unordered_map<ValueId, std::vector<const Op*>> users_;
  std::unordered_set<ValueId> kept_;
  std::unordered_map<ValueId, ValueId> named_;  // by before_it_was_named()
};

/// The name of an op without the "_" of one that writes in place.
std::string_view plain_name(const Op& op);
/// The value given for a parameter that is a tensor; -1: none.
ValueId input_named(const Op& op, std::string_view parameter);
/// What was given for another parameter, as written by repr(); nothing when it was left out.
std::optional<std::string_view> attribute(const Op& op, std::string_view name);
/// The integers in a text: {0, 2, 1} of "(0, 2, 1)".
std::vector<std::int64_t> ints_in(std::string_view text);
/// An axis counted from the front.
std::size_t wrapped_axis(std::int64_t axis, std::size_t dims);
/// The axis that a softmax normalizes over; of one written out, exp(x) / exp(x).sum(axis, keepdim=True), too.
std::optional<std::size_t> softmax_axis(const Flow& flow, const Op& op);
/// The scores that such an op normalizes; written out, those before their largest was subtracted.
ValueId softmax_input(const Flow& flow, const Op& op);

/// The only number of a tensor, or an attribute that is a number.
std::optional<double> number_of(const Flow& flow, const Op& op, std::string_view parameter);

/// "head_dim 4", or "axis 3 (size 4)" without a name.
std::string axis_with_size(const RecordedValue& value, std::size_t axis);

}  // namespace attn
