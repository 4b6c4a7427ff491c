#include "tensor/ops/sort.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/lanes.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/work.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

template <class T>
struct Entry {
  T value;
  std::int64_t index;
};

template <class T>
bool before(const Entry<T>& a, const Entry<T>& b) {
  return (a.value == a.value && b.value != b.value) || a.value < b.value;
}
template <class T>
bool after(const Entry<T>& a, const Entry<T>& b) {
  return (a.value != a.value && b.value == b.value) || a.value > b.value;
}
template <class T>
using Order = bool (*)(const Entry<T>&, const Entry<T>&);

/// An order that counts its comparisons, so that an interrupt ends a long sort.
template <class T>
class Counted {
 public:
  Counted(Order<T> order, std::int64_t& compared) : order_(order), compared_(&compared) {}
  bool operator()(const Entry<T>& a, const Entry<T>& b) const {
    if (++*compared_ % kWorkChunk == 0) charge(kWorkChunk);
    return order_(a, b);
  }

 private:
  Order<T> order_;
  std::int64_t* compared_;
};

/// For each lane of x a function puts `result.size(axis)` entries in front.
struct Selected {
  Tensor values, indices;
};

template <class T, class F>
void select_lanes(const Tensor& x, std::int64_t axis, Selected& out, F&& arrange) {
  if (x.numel() == 0) return;  // however many lanes of nothing there are
  const T* in = x.data<T>();
  T* values = out.values.mutable_data<T>();
  std::int64_t* indices = out.indices.mutable_data<std::int64_t>();
  const auto place = static_cast<std::size_t>(axis);
  const std::int64_t step = x.strides()[place], out_step = out.values.strides()[place];
  std::vector<Entry<T>> lane;
  lane.reserve(static_cast<std::size_t>(x.size(axis)));
  for_each_lane(x, out.values.strides(), axis, [&](std::int64_t from, std::int64_t to) {
    lane.clear();
    for (std::int64_t i = 0; i < x.size(axis); ++i) {
      if (i % kBlock == 0) look();
      lane.push_back({in[from + i * step], i});
    }
    arrange(lane);
    for (std::int64_t i = 0; i < out.values.size(axis); ++i) {
      if (i % kBlock == 0) look();
      values[to + i * out_step] = lane[static_cast<std::size_t>(i)].value;
      indices[to + i * out_step] = lane[static_cast<std::size_t>(i)].index;
    }
  });
}

// The entry that would be at place k in order; of equal ones the first comes first. NaN is the median of all.
template <class T>
Entry<T> median_of(std::vector<Entry<T>>& lane, std::int64_t k) {
  const auto nan = std::find_if(lane.begin(), lane.end(), [](const Entry<T>& e) {
    look();
    return e.value != e.value;
  });
  if (nan != lane.end()) return *nan;
  const Order<T> order = [](const Entry<T>& a, const Entry<T>& b) {
    return a.value < b.value || (a.value == b.value && a.index < b.index);
  };
  std::int64_t compared = 0;
  std::nth_element(lane.begin(), lane.begin() + k, lane.end(), Counted<T>(order, compared));
  return lane[static_cast<std::size_t>(k)];
}

// The same by PyTorch's own quickselect (Hoare's, with the median of three for a pivot), which decides which of equal
// elements it is.
template <class T>
Entry<T> quick_select(std::vector<Entry<T>>& lane, std::int64_t k) {
  const auto at = [&](std::int64_t i) -> Entry<T>& { return lane[static_cast<std::size_t>(i)]; };
  const auto order = [&](std::int64_t a, std::int64_t b) {
    if (after(at(a), at(b))) std::swap(at(a), at(b));
  };
  std::int64_t left = 0, right = static_cast<std::int64_t>(lane.size()) - 1;
  while (left + 1 < right) {
    std::swap(at((left + right) / 2), at(left + 1));
    order(left + 1, right);
    order(left, right);
    order(left + 1, left);
    std::int64_t i = left + 1, j = right;
    const Entry<T> pivot = at(left);
    for (;;) {
      do {
        look();
        ++i;
      } while (after(pivot, at(i)));
      do {
        look();
        --j;
      } while (after(at(j), pivot));
      if (j < i) break;
      std::swap(at(i), at(j));
    }
    std::swap(at(left), at(j));
    if (j <= k) left = i;
    if (j >= k) right = j - 1;
  }
  if (left + 1 == right) order(left, right);
  return at(k);
}

template <class Choose>
ValuesIndices pick_along(const Tensor& x, std::int64_t axis, bool keepdim, Choose choose) {
  const Tensor lanes = at_least_1d(x);
  Shape shape = lanes.shape();
  shape[static_cast<std::size_t>(axis)] = 1;
  Selected out{Tensor::empty(shape, x.dtype()), Tensor::empty(shape, DType::Int64)};
  dispatch(x.dtype(),
           [&]<class T>(T) { select_lanes<T>(lanes, axis, out, [&](auto& lane) { lane.front() = choose(lane); }); });
  const bool drops = x.dim() == 0 || !keepdim;
  return {drops ? squeeze(out.values, axis) : out.values, drops ? squeeze(out.indices, axis) : out.indices};
}

/// numpy's quicksort: the median of three is the pivot and waits beside the end, of two parts the smaller is sorted
/// first, and up to 16 elements are inserted one by one. A part that was divided too often is sorted in another way.
template <class T>
void quicksort(std::vector<Entry<T>>& lane, Counted<T> order) {
  struct Part {
    std::int64_t left, right;
    int depth;
  };
  const auto at = [&](std::int64_t i) -> Entry<T>& { return lane[static_cast<std::size_t>(i)]; };
  const auto arrange = [&](std::int64_t a, std::int64_t b) {
    if (order(at(b), at(a))) std::swap(at(a), at(b));
  };
  std::vector<Part> waiting = {{0, std::ssize(lane) - 1, 2 * (static_cast<int>(std::bit_width(lane.size())) - 1)}};
  while (!waiting.empty()) {
    auto [left, right, depth] = waiting.back();
    waiting.pop_back();
    for (; right - left > 15 && depth >= 0; --depth) {
      const std::int64_t middle = left + (right - left) / 2;
      arrange(left, middle);
      arrange(middle, right);
      arrange(left, middle);
      const Entry<T> pivot = at(middle);
      std::swap(at(middle), at(right - 1));
      std::int64_t i = left, j = right - 1;
      for (;;) {
        do ++i;
        while (order(at(i), pivot));
        do --j;
        while (order(pivot, at(j)));
        if (i >= j) break;
        std::swap(at(i), at(j));
      }
      std::swap(at(i), at(right - 1));
      const bool left_is_smaller = i - left < right - i;
      waiting.push_back(left_is_smaller ? Part{i + 1, right, depth - 1} : Part{left, i - 1, depth - 1});
      (left_is_smaller ? right : left) = left_is_smaller ? i - 1 : i + 1;
    }
    if (right > left) std::stable_sort(lane.begin() + left, lane.begin() + right + 1, order);
  }
}

template <class T>
void take_first(std::vector<Entry<T>>& lane, std::int64_t k, Counted<T> order, bool sorted) {
  if (k == 0) return;
  // The same calls as PyTorch's, so that equal elements come out alike.
  if (k * 64 <= static_cast<std::int64_t>(lane.size())) {
    std::partial_sort(lane.begin(), lane.begin() + k, lane.end(), order);
    return;
  }
  std::nth_element(lane.begin(), lane.begin() + k - 1, lane.end(), order);
  if (sorted) std::sort(lane.begin(), lane.begin() + k - 1, order);
}

void check_counted(const Tensor& x, const Tensor& weights, std::int64_t minlength) {
  if (minlength < 0) throw TensorError("bincount.length", Code::Value, "RuntimeError", "minlength should be >= 0");
  if (x.dtype() != DType::Int64) throw_not_implemented("bincount_cpu", x.dtype());
  const bool counts = x.dim() == 1 && (x.numel() == 0 || *min(x).data<std::int64_t>() >= 0);
  if (!counts)
    throw TensorError("bincount.input", Code::Value, "RuntimeError",
                      "bincount only supports 1-d non-negative integral inputs.");
  if (weights.defined() && weights.shape() != x.shape())
    throw TensorError("bincount.weights", Code::Shape, "RuntimeError",
                      "weights should be 1-d and have the same length as input");
}

}  // namespace

ValuesIndices sort(const Tensor& x, std::int64_t dim, bool descending, bool stable) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  const Tensor lanes = at_least_1d(x);
  Selected out{empty_like(lanes, x.dtype()), empty_like(lanes, DType::Int64)};
  dispatch(x.dtype(), [&]<class T>(T) {
    std::int64_t compared = 0;
    const Counted<T> order(descending ? after<T> : before<T>, compared);
    select_lanes<T>(lanes, axis, out, [&](auto& lane) {
      if (stable) std::stable_sort(lane.begin(), lane.end(), order);
      else std::sort(lane.begin(), lane.end(), order);
    });
  });
  if (x.dim() > 0) return {out.values, out.indices};
  return {squeeze(out.values), squeeze(out.indices)};
}

Tensor quicksort_order(const Tensor& x, std::int64_t dim) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  const Tensor lanes = at_least_1d(x);
  Selected out{empty_like(lanes, x.dtype()), empty_like(lanes, DType::Int64)};
  dispatch(x.dtype(), [&]<class T>(T) {
    std::int64_t compared = 0;
    select_lanes<T>(lanes, axis, out, [&](auto& lane) { quicksort(lane, Counted<T>(before<T>, compared)); });
  });
  return x.dim() ? out.indices : squeeze(out.indices);
}

ValuesIndices topk(const Tensor& x, std::int64_t k, std::int64_t dim, bool largest, bool sorted) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  const Tensor lanes = at_least_1d(x);
  if (k < 0 || k > lanes.size(axis))
    throw TensorError("topk.k", Code::Value, "RuntimeError", "selected index k out of range",
                      {{"k", k}, {"size", lanes.size(axis)}});
  if (x.dim() == 0) return {x, zeros({}, DType::Int64)};  // whatever k is
  if (x.dtype() == DType::Bool) throw_not_implemented("topk_cpu", x.dtype());
  Shape shape = lanes.shape();
  shape[static_cast<std::size_t>(axis)] = k;
  Selected out{Tensor::empty(shape, x.dtype()), Tensor::empty(shape, DType::Int64)};
  dispatch(x.dtype(), [&]<class T>(T) {
    std::int64_t compared = 0;
    const Counted<T> order(largest ? after<T> : before<T>, compared);
    select_lanes<T>(lanes, axis, out, [&](auto& lane) { take_first(lane, k, order, sorted); });
  });
  return {out.values, out.indices};
}

ValuesIndices median(const Tensor& x, std::int64_t dim, bool keepdim) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  const std::int64_t size = x.dim() ? x.size(axis) : 1;
  if (size == 0)
    throw TensorError("reduce.empty", Code::Index, "IndexError",
                      "median(): Expected reduction dim " + std::to_string(axis) + " to have non-zero size.",
                      {{"axis", axis}});
  if (x.dtype() == DType::Bool) throw_not_implemented("median_out_cpu", x.dtype());
  return pick_along(x, axis, keepdim, [&](auto& lane) { return median_of(lane, (size - 1) / 2); });
}

Tensor median(const Tensor& x) {
  if (x.dtype() == DType::Bool && x.numel() == 0) return Tensor::scalar(true);
  if (x.dtype() == DType::Bool) throw_not_implemented("median_cpu", x.dtype());
  if (x.numel() == 0 && is_floating(x.dtype())) return full({}, std::numeric_limits<double>::quiet_NaN(), x.dtype());
  if (x.numel() == 0) return full({}, std::numeric_limits<std::int64_t>::min(), x.dtype());
  const std::int64_t middle = (x.numel() - 1) / 2;
  return pick_along(reshape(x, {-1}), 0, false, [&](auto& lane) { return median_of(lane, middle); }).values;
}

ValuesIndices kthvalue(const Tensor& x, std::int64_t k, std::int64_t dim, bool keepdim) {
  const std::int64_t axis = wrap_dim(dim, x.dim());
  if (x.dim() > 0 && x.size(axis) == 0)
    throw TensorError("kthvalue.k", Code::Index, "IndexError",
                      "kthvalue(): Expected reduction dim " + std::to_string(axis) + " to have non-zero size.");
  if (k < 1 || k > (x.dim() ? x.size(axis) : 1))
    throw TensorError("kthvalue.k", Code::Value, "RuntimeError",
                      "kthvalue(): selected number k out of range for dimension " + std::to_string(axis));
  if (x.dtype() == DType::Bool && x.dim() > 0) throw_not_implemented("kthvalue_cpu", x.dtype());
  return pick_along(x, axis, keepdim, [&](auto& lane) { return quick_select(lane, k - 1); });
}

Unique unique(const Tensor& x) {
  const ValuesIndices sorted = sort(reshape(x, {-1}), 0, false, true);
  Unique result;
  result.inverse = Tensor::empty(x.shape(), DType::Int64);
  std::vector<std::int64_t> counts;
  const std::int64_t* order = sorted.indices.data<std::int64_t>();
  std::int64_t* inverse = result.inverse.mutable_data<std::int64_t>();
  dispatch(x.dtype(), [&]<class T>(T) {
    const T* in = sorted.values.data<T>();
    Tensor values = Tensor::empty({x.numel()}, x.dtype());
    T* out = values.mutable_data<T>();
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      look();
      const auto found = static_cast<std::int64_t>(counts.size());
      if (found == 0 || !(in[i] == out[found - 1])) {
        out[found] = in[i];
        counts.push_back(0);
      }
      ++counts.back();
      inverse[order[i]] = static_cast<std::int64_t>(counts.size()) - 1;
    }
    result.values = contiguous(narrow(values, 0, 0, static_cast<std::int64_t>(counts.size())));
  });
  result.counts = Tensor::from(counts, {static_cast<std::int64_t>(counts.size())});
  return result;
}

Tensor bincount(const Tensor& x, const Tensor& weights, std::int64_t minlength) {
  check_counted(x, weights, minlength);
  const Tensor numbers = contiguous(x);
  const std::int64_t* in = numbers.data<std::int64_t>();
  const std::int64_t largest = x.numel() ? *std::max_element(in, in + x.numel()) : -1;
  const std::int64_t beyond = checked_add(largest, 1).value_or(largest);  // the limit on memory refuses it
  const std::int64_t size = std::max(beyond, minlength);
  if (!weights.defined() || x.numel() == 0) {
    Tensor counts = zeros({size}, DType::Int64);
    std::int64_t* out = counts.mutable_data<std::int64_t>();
    in_chunks(x.numel(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++out[in[i]];
    });
    return counts;
  }
  const DType dtype = weights.dtype() == DType::Float32 ? DType::Float32 : DType::Float64;
  const Tensor added = cast(weights, dtype);
  Tensor sums = zeros({size}, dtype);
  dispatch(dtype, [&]<class T>(T) {
    T* out = sums.mutable_data<T>();
    const T* weight = added.data<T>();
    in_chunks(x.numel(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) out[in[i]] = static_cast<T>(out[in[i]] + weight[i]);
    });
  });
  return sums;
}

}  // namespace attn
