// The axes of x[...]: kept, sliced (words too), dropped, new, or those of an index tensor.
#include <algorithm>

#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "torch/axis_names.h"
#include "torch/axis_rules.h"
#include "torch/index_items.h"

namespace attn::axis_rule {
namespace {

// What is left of x while the items are gone through from left to right.
class IndexedAxes {
 public:
  IndexedAxes(const TensorObject& input, const std::vector<IndexPart>& parts) : input_(input) {
    for (const IndexPart& part : parts) n_used_ += axes_used(part);
  }

  void take(const IndexPart& part) {
    if (const auto* index = std::get_if<std::int64_t>(&part.item)) {
      if (next_ < input_.axes.size()) gone_.push_back({input_.axes[next_].name, input_.tensor.shape()[next_], *index});
      ++next_;
    } else if (std::holds_alternative<NewAxis>(part.item)) {
      keep(Axis());
    } else if (std::holds_alternative<EllipsisIndex>(part.item)) {
      const std::size_t n_free = input_.axes.size() - std::min(input_.axes.size(), n_used_);
      for (std::size_t i = 0; i < n_free; ++i) keep_next();
    } else if (const auto* slice = std::get_if<SliceIndex>(&part.item)) {
      if (next_ < input_.axes.size()) keep(sliced(*slice));
      ++next_;
    } else {
      take_tensor(part);
    }
  }

  Axes finish(std::size_t n_out) {
    while (next_ < input_.axes.size()) keep_next();
    for (const Gone& gone : gone_) take_rows(gone);
    if (!has_tensor_) return std::move(axes_);
    // The axes of the index tensors stand in the place of the first of them, or in front when they are apart.
    const std::size_t n_chosen = n_out - std::min(n_out, axes_.size());
    Axes chosen(n_chosen);
    if (!has_mask_) {
      for (std::size_t i = 0; i < n_chosen; ++i) chosen[i] = chosen_axis(n_chosen - 1 - i);
    }
    const std::size_t place = are_apart_ ? 0 : tensor_place_;
    axes_.insert(axes_.begin() + static_cast<std::ptrdiff_t>(place), chosen.begin(), chosen.end());
    return std::move(axes_);
  }

 private:
  static std::size_t axes_used(const IndexPart& part) {
    if (std::holds_alternative<NewAxis>(part.item) || std::holds_alternative<EllipsisIndex>(part.item)) return 0;
    const auto* tensor = std::get_if<Tensor>(&part.item);
    return tensor && tensor->dtype() == DType::Bool ? static_cast<std::size_t>(tensor->dim()) : 1;
  }

  void keep(Axis axis) { axes_.push_back(std::move(axis)); }
  void keep_next() {
    if (next_ < input_.axes.size()) keep(input_.axes[next_]);
    ++next_;
  }

  /// An axis of which one index is left, or others than before.
  struct Gone {
    std::string name;
    std::int64_t size;
    std::optional<std::int64_t> index;
  };
  /// Of words in rows by that axis the row of the index stays.
  void take_rows(const Gone& gone) {
    if (gone.name.empty()) return;
    if (!gone.index) return drop_rows_by(axes_, gone.name);
    const std::int64_t row = *gone.index < 0 ? *gone.index + gone.size : *gone.index;
    for (Axis& axis : axes_) {
      if (axis.by != gone.name || !axis.words) continue;
      const auto width = static_cast<std::ptrdiff_t>(axis.words->size()) / gone.size;
      const auto begin = axis.words->begin() + row * width;
      axis.words = std::make_shared<const std::vector<std::string>>(begin, begin + width);
      axis.by.clear();
    }
  }

  Axis sliced(const SliceIndex& slice) {
    const Axis& axis = input_.axes[next_];
    const std::int64_t size = input_.tensor.shape()[next_];
    // slice() itself says which places are left, or only how many.
    const Tensor all = axis.words ? arange(Scalar(std::int64_t{0}), Scalar(size), Scalar(std::int64_t{1}), DType::Int64)
                                  : Tensor::scalar(std::int64_t{0}).as_strided({size}, {0}, 0);
    const Tensor places = attn::slice(all, 0, slice.start, slice.stop, slice.step.value_or(1));
    if (places.numel() == size) return axis;
    Axis out = without_words(axis);
    gone_.push_back({axis.name, size, std::nullopt});
    if (!axis.words) return out;
    std::vector<std::string> words;
    for (std::size_t row = 0; row < axis.words->size(); row += static_cast<std::size_t>(size)) {
      for (std::int64_t i = 0; i < places.numel(); ++i) {
        const std::int64_t place = places.data<std::int64_t>()[i * places.strides()[0]];
        words.push_back((*axis.words)[row + static_cast<std::size_t>(place)]);
      }
    }
    out.by = axis.by;
    out.words = std::make_shared<const std::vector<std::string>>(std::move(words));
    return out;
  }

  void take_tensor(const IndexPart& part) {
    if (has_tensor_ && axes_.size() != tensor_place_) are_apart_ = true;
    if (!has_tensor_) tensor_place_ = axes_.size();
    has_tensor_ = true;
    has_mask_ = has_mask_ || part.tensor->tensor.dtype() == DType::Bool;
    tensors_.push_back(part.tensor.get());
    for (std::size_t i = 0; i < axes_used(part) && next_ + i < input_.axes.size(); ++i)
      gone_.push_back({input_.axes[next_ + i].name, 0, std::nullopt});
    next_ += axes_used(part);
  }

  Axis chosen_axis(std::size_t from_right) const {
    for (const TensorObject* tensor : tensors_) {
      if (from_right >= tensor->axes.size()) continue;
      const Axis& axis = tensor->axes[tensor->axes.size() - 1 - from_right];
      if (!axis.name.empty()) return axis;
    }
    return {};
  }

  const TensorObject& input_;
  std::size_t n_used_ = 0;
  std::size_t next_ = 0;  // the axis of the input that the next item speaks of
  Axes axes_;
  std::vector<Gone> gone_;
  std::vector<const TensorObject*> tensors_;
  std::size_t tensor_place_ = 0;
  bool has_tensor_ = false, has_mask_ = false, are_apart_ = false;
};

}  // namespace

Axes index(const OpCall& call, const Tensor& output, std::size_t) {
  const std::vector<IndexPart> parts = read_index(call.value("items"));
  IndexedAxes axes(call.handle("input"), parts);
  for (const IndexPart& part : parts) axes.take(part);
  return fitted(axes.finish(static_cast<std::size_t>(output.dim())), output);
}

}  // namespace attn::axis_rule
