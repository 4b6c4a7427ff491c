#include "lang/narrow_types.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "base/words.h"
#include "tensor/create.h"
#include "tensor/error.h"
#include "tensor/pointwise.h"

namespace attn {

namespace {

enum class Comes { AsItIs, Common, FirstAsInput };  // the type of what comes out, after computing in the wide type
enum class Operands { Moved, Widened };
constexpr unsigned kInts = 1, kHalves = 2, kInt32 = 4, kAny = kInts | kHalves;

}  // namespace

struct NarrowTypes::Row {
  std::string_view ops;  // names of rows, blank-separated
  unsigned types;
  Operands operands;
  Comes comes = Comes::AsItIs;
};

namespace {

constexpr std::string_view kMoves =
    "index index_put roll flip fliplr flipud repeat_interleave tile broadcast_to broadcast_tensors movedim unflatten "
    "ravel gather masked_select diagonal hstack vstack cat stack split chunk unbind view view_as reshape reshape_as "
    "flatten permute transpose t T mT squeeze unsqueeze expand expand_as contiguous clone repeat narrow select tril "
    "triu masked_fill masked_fill_ where fill_ zero_ copy_ detach requires_grad_ cpu";
constexpr std::string_view kAsks =
    "size dim numel item tolist stride is_contiguous is_floating_point is_tensor element_size type nonzero argwhere "
    "where_places numpy imshow";
constexpr std::string_view kConverts =
    "to type_as float double long int short char byte half bfloat16 bool tensor zeros ones empty full arange eye "
    "zeros_like ones_like empty_like full_like new_zeros new_ones new_empty new_full new_tensor randint";
constexpr std::string_view kCompares = "eq ne lt le gt ge logical_and logical_or logical_xor logical_not equal";

}  // namespace

const NarrowTypes::Row* NarrowTypes::find_row() const {
  static constexpr Row kRows[] = {
      {kMoves, kAny, Operands::Moved},
      {kAsks, kAny, Operands::Moved},
      {kConverts, kAny, Operands::Moved},
      {kCompares, kAny, Operands::Widened},
      {"isnan isinf isfinite argmax argmin count_nonzero", kAny, Operands::Widened},
      {"add sub mul neg abs maximum minimum", kAny, Operands::Widened, Comes::Common},
      {"div", kHalves, Operands::Widened, Comes::Common},
      {"floor_divide remainder pow square bitwise_and bitwise_or bitwise_xor bitwise_not matmul mm bmm dot", kInts,
       Operands::Widened, Comes::Common},
      {"max min amax amin sort topk", kAny, Operands::Widened, Comes::FirstAsInput},
      {"div sum prod cumsum exp log sqrt rsqrt reciprocal sin cos tanh sigmoid", kInts, Operands::Widened},
      {"embedding", kInt32, Operands::Widened},
  };
  unsigned given = 0;
  for (const TensorObject* input : call_.inputs()) {
    const DType dtype = input->tensor.dtype();
    if (is_narrow(dtype)) given |= is_floating(dtype) ? kHalves : dtype == DType::Int32 ? kInts | kInt32 : kInts;
  }
  for (const Row& row : kRows) {
    if (!has_word(row.ops, call_.info().name)) continue;
    if ((given & ~row.types) == 0 || (given & ~kInt32 & ~row.types) == 0 || (row.types == kInt32 && given == 5))
      return &row;
  }
  return nullptr;
}

NarrowTypes::NarrowTypes(OpCall& call) : call_(call) {
  const TensorObject* narrow = nullptr;
  for (const TensorObject* input : call.inputs())
    if (is_narrow(input->tensor.dtype())) narrow = input;
  const auto dtype = call.dtype("dtype");
  const bool wants_narrow = dtype && is_narrow(*dtype) && !has_word(kConverts, call.info().name) &&
                            !has_word(kMoves, call.info().name) && !has_word(kAsks, call.info().name);
  if (!narrow && !wants_narrow) return;
  row_ = wants_narrow ? nullptr : find_row();
  const DType type = narrow ? narrow->tensor.dtype() : *dtype;
  if (!row_) {
    throw CellError(Code::Unsupported, call.span(),
                    fmt::format("{} of {} is not supported", call.info().name, name_of(type)),
                    is_floating(type) ? "compute in float32: put .float() behind the tensor"
                                      : "compute in int64 or float32: put .long() or .float() behind the tensor");
  }
  check_operands(*row_);
}

void NarrowTypes::check_operands(const Row& row) const {
  const auto narrow_tensor = [&](std::string_view name) {
    const TensorObject* object = call_.value(name).as<TensorObject>();
    return object && is_narrow(object->tensor.dtype()) && object->tensor.dtype() != DType::UInt8;
  };
  const bool is_index = call_.info().name == "index" || call_.info().name == "index_put";
  if (row.operands == Operands::Moved && !is_index && narrow_tensor("index"))
    throw CellError(Code::Unsupported, call_.span(), "indices of a type other than torch.int64",
                    "put .long() behind the indices");
}

// A number beside a narrow tensor has its type: it is rounded to it, and an int has to fit.
void NarrowTypes::widen_operand(std::string_view parameter) {
  const Value& value = call_.value(parameter);
  if (const TensorObject* object = value.as<TensorObject>()) {
    Tensor tensor = object->tensor;
    if (is_narrow(common_)) tensor = to(tensor, common_);
    tensor = to(tensor, wide_of(tensor.dtype()));
    if (tensor.dtype() == object->tensor.dtype()) return;
    Ref<TensorObject> wide = make<TensorObject>(tensor);
    wide->axes = object->axes;
    wide->requires_grad = object->requires_grad;
    call_.replace(parameter, wide);
  } else if (const auto number = as_scalar(value); number && is_narrow(common_)) {
    if (is_floating(common_)) {
      call_.replace(parameter, Value(static_cast<double>(narrowed(static_cast<float>(to_double(*number)), common_))));
    } else if (narrowed(to_int(*number), common_) != to_int(*number)) {
      throw CellError(Code::Unsupported, call_.span(),
                      fmt::format("{} does not fit {}", to_int(*number), name_of(common_)),
                      "put .long() behind the tensor");
    }
  }
}

void NarrowTypes::widen() {
  if (!row_ || row_->operands == Operands::Moved) return;
  const auto operand = [&](std::string_view name) -> std::optional<Operand> {
    if (const TensorObject* object = call_.value(name).as<TensorObject>()) return Operand(object->tensor);
    const auto number = as_scalar(call_.value(name));
    return number ? std::optional<Operand>(*number) : std::nullopt;
  };
  const auto& parameters = call_.parameters();
  const auto first = operand(parameters[0].name);
  const bool takes_two = call_.info().name != "embedding" && parameters.size() > 1 &&
                         (parameters[1].type == "Tensor" || parameters[1].type == "Operand");
  const auto second = takes_two ? operand(parameters[1].name) : std::nullopt;
  if (first) common_ = second ? result_type(*first, *second) : first->tensor() ? first->tensor()->dtype() : common_;
  widen_operand(parameters[0].name);
  if (takes_two) widen_operand(parameters[1].name);
}

void NarrowTypes::narrow(const Value& result) const {
  if (!row_ || row_->comes == Comes::AsItIs || !is_narrow(common_)) return;
  TensorObject* out = result.as<TensorObject>();
  if (const Tuple* tuple = result.as<Tuple>(); tuple && !tuple->items.empty()) out = tuple->items[0].as<TensorObject>();
  if (out && out->tensor.dtype() == wide_of(common_)) out->tensor = to(out->tensor, common_);
}

}  // namespace attn
