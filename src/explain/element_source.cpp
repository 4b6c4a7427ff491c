#include "explain/element_source.h"

#include <algorithm>
#include <functional>

#include "tensor/core/read.h"
#include "tensor/ops/create.h"
#include "tensor/ops/pointwise.h"

namespace attn {
namespace {

// Far from the numbers that ops fill in, and exact as double.
constexpr double kFirstNumber = 1099511627776;

constexpr std::string_view kChoosers[] = {"index", "indices", "mask", "condition", "items", "repeats"};

// A tensor laid out as `like`, in which each element is its number in row-major order, counted from `first`. Where
// several share a place (a stretched axis) the first counts.
Tensor numbers_like(const RecordedValue& like, double first) {
  std::int64_t extent = 1;
  for (std::size_t d = 0; d < like.shape.size(); ++d)
    extent += std::max<std::int64_t>(like.shape[d] - 1, 0) * like.strides[d];
  Tensor storage = full({extent}, Scalar(0.0), DType::Float64);
  double* data = storage.mutable_data<double>();
  for_each_offset(like.shape, like.strides, [&](std::int64_t offset) {
    if (data[offset] == 0) data[offset] = first;
    ++first;
  });
  return storage.as_strided(like.shape, like.strides, 0);
}

// Ids of a narrow type choose among numbers of any type only as int64.
Tensor chooser(const Tensor& tensor) {
  const bool is_ids = is_narrow(tensor.dtype()) && wide_of(tensor.dtype()) == DType::Int64;
  return is_ids && tensor.dtype() != DType::UInt8 ? cast(tensor, DType::Int64) : tensor;
}

}  // namespace

bool ElementSources::is_chooser(std::string_view parameter) {
  return std::find(std::begin(kChoosers), std::end(kChoosers), parameter) != std::end(kChoosers);
}

Rerun& ElementSources::rerun() {
  if (!rerun_) rerun_ = std::make_unique<Rerun>();
  return *rerun_;
}

const std::vector<Tensor>& ElementSources::numbered(OpId id, std::string_view only) {
  const auto [place, is_new] = results_.try_emplace(id);
  if (!is_new) return place->second;
  const Op& op = history_.op(id);
  std::vector<Tensor> inputs;
  double next = kFirstNumber;
  for (const OpOperand& input : op.inputs) {
    const RecordedValue& value = history_.value(input.value);
    if (!value.tensor.defined()) return place->second;
    const bool moves = only.empty() ? !is_chooser(input.parameter) : input.parameter == only;
    inputs.push_back(moves ? numbers_like(value, next) : chooser(value.tensor));
    next += static_cast<double>(value.tensor.numel());
  }
  place->second = rerun()(op, inputs);
  return place->second;
}

std::optional<TakenElement> ElementSources::source_of(OpId id, std::size_t output, const Shape& index,
                                                      std::string_view only, bool& is_known) {
  const std::vector<Tensor>& results = numbered(id, only);
  is_known = output < results.size() && results[output].dim() == static_cast<std::int64_t>(index.size());
  for (std::size_t d = 0; is_known && d < index.size(); ++d)
    is_known = index[d] < results[output].size(static_cast<std::int64_t>(d));
  if (!is_known) return std::nullopt;
  double number = to_double(element_at(results[output], index)) - kFirstNumber;
  const Op& op = history_.op(id);
  for (std::size_t k = 0; k < op.inputs.size() && number >= 0; ++k) {
    const RecordedValue& value = history_.value(op.inputs[k].value);
    const auto count = static_cast<double>(value.tensor.numel());
    if (number < count) return TakenElement{k, unravel(static_cast<std::int64_t>(number), value.shape)};
    number -= count;
  }
  return std::nullopt;
}

std::vector<TakenElement> ElementSources::parts_of(OpId id, std::size_t output, const Shape& index,
                                                   std::string_view parameter, std::string_view base, bool multiplies) {
  const Op& op = history_.op(id);
  std::vector<Tensor> inputs;
  std::size_t at = op.inputs.size();
  for (std::size_t k = 0; k < op.inputs.size(); ++k) {
    const RecordedValue& value = history_.value(op.inputs[k].value);
    if (!value.tensor.defined()) return {};
    inputs.push_back(value.tensor);
    if (op.inputs[k].parameter == parameter) at = k;
    if (op.inputs[k].parameter == base) inputs[k] = full(value.shape, Scalar(multiplies ? 1.0 : 0.0), DType::Float64);
  }
  if (at == op.inputs.size()) return {};
  const RecordedValue& parts = history_.value(op.inputs[at].value);
  const double neutral = multiplies ? 1 : 0;
  // Whether any of the elements with numbers begin to end - 1 has a part.
  const auto has_part = [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> marks(static_cast<std::size_t>(parts.tensor.numel()), neutral);
    std::fill(marks.begin() + begin, marks.begin() + end, neutral + 1);
    std::vector<Tensor> marked = inputs;
    for (Tensor& tensor : marked) tensor = cast(tensor, tensor.dtype());  // the op may write in place
    marked[at] = Tensor::from(marks, parts.shape);
    const std::vector<Tensor> results = rerun()(op, marked);
    return output < results.size() && to_double(element_at(results[output], index)) != neutral;
  };
  std::vector<TakenElement> found;
  const std::function<void(std::int64_t, std::int64_t)> search = [&](std::int64_t begin, std::int64_t end) {
    if (begin == end || !has_part(begin, end)) return;
    if (end - begin == 1) return found.push_back({at, unravel(begin, parts.shape)});
    const std::int64_t middle = begin + (end - begin) / 2;
    search(begin, middle);
    search(middle, end);
  };
  search(0, parts.tensor.numel());
  return found;
}

}  // namespace attn
