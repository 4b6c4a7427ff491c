#include "python/value.h"

#include "base/limits.h"

namespace attn {

std::vector<Value> ItemCollector::take() {
  if (full_.empty()) return std::move(last_);
  const Ref<List> all = make<List>();
  all->items.reserve(full_.size() * kPiece + last_.size());
  const auto append = [&](std::vector<Value>& piece) {
    look();
    std::move(piece.begin(), piece.end(), std::back_inserter(all->items));
  };
  for (Ref<List>& piece : full_) {
    append(piece->items);
    piece = nullptr;
  }
  append(last_);
  return std::move(all->items);
}

std::optional<std::int64_t> Range::count(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  const auto a = static_cast<std::uint64_t>(start), b = static_cast<std::uint64_t>(stop);
  const auto gap = static_cast<std::uint64_t>(step);
  const std::uint64_t last = step > 0 ? (b - a - 1) / gap : (a - b - 1) / (0 - gap);
  if (last >= static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<std::int64_t>(last) + 1;
}

// ---- making values ----

Value make_str(std::string text) { return make<Str>(std::move(text)); }
Value make_list(std::vector<Value> items) { return make<List>(std::move(items)); }
Value make_tuple(std::vector<Value> items) { return make<Tuple>(std::move(items)); }
namespace {

/// With what its storage held.
template <class... Members>
class KeptTensor : public KeptMembers<TensorObject, Members...> {
 public:
  explicit KeptTensor(TensorObject& object, Members TensorObject::*... members)
      : KeptMembers<TensorObject, Members...>(object, members...), object_(object) {
    if (object.tensor.defined()) held_ = object.tensor.storage();
  }
  void put_back() const override {
    KeptMembers<TensorObject, Members...>::put_back();
    if (object_.tensor.defined()) object_.tensor.put_back(held_);
  }

 private:
  TensorObject& object_;
  Storage held_;
};

}  // namespace

std::optional<std::unique_ptr<Kept>> TensorObject::keep() {
  using T = TensorObject;
  return std::unique_ptr<Kept>(new KeptTensor(*this, &T::tensor, &T::axes, &T::requires_grad, &T::is_parameter,
                                              &T::grad_fn, &T::history, &T::output, &T::graph_write, &T::base, &T::grad,
                                              &T::hooks, &T::attributes));
}

Value make_tensor(Tensor tensor) { return make<TensorObject>(std::move(tensor)); }

const std::vector<Value>* items_of(const Value& value) {
  if (const List* list = value.as<List>()) return &list->items;
  if (const Tuple* tuple = value.as<Tuple>()) return &tuple->items;
  return nullptr;
}

Value make_size(const Shape& shape, const Axes* axes) {
  std::vector<Value> items;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    OriginPtr origin;
    if (axes && !(*axes)[i].name.empty()) {
      Origin made;
      made.source = Origin::Source::AxisSize;
      made.name = (*axes)[i].name;
      made.value = shape[i];
      if (const OriginPtr& born = (*axes)[i].origin; born && born->depth < kMaxOriginDepth) {
        made.operands = {born};
        made.depth = born->depth + 1;
      }
      origin = make_origin(std::move(made));
    }
    items.emplace_back(shape[i], std::move(origin));
  }
  Ref<Tuple> size = make<Tuple>(std::move(items));
  size->is_size = true;
  return size;
}

Value from_scalar(const Scalar& scalar) {
  return std::visit([](auto value) { return Value(value); }, scalar);
}

}  // namespace attn
