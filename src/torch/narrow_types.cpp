#include "torch/narrow_types.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "base/words.h"
#include "tensor/core/error.h"
#include "tensor/core/overlap.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/matmul_plan.h"
#include "tensor/ops/pointwise.h"
#include "text/unsupported.h"

namespace attn {

// The type of what comes out, after computing in the wide type. Quotients have the common type where they are rounded.
enum class Comes { AsItIs, Common, FirstAsInput, CommonIfRounded };
enum class Operands { Moved, Widened };

struct NarrowTypes::Row {
  std::string_view ops;  // names of rows, blank-separated
  unsigned types;
  Operands operands;
  Comes comes = Comes::AsItIs;
};

namespace {

constexpr unsigned kInts = 1, kHalves = 2, kInt32 = 4, kIntsAndHalves = kInts | kHalves;

constexpr std::string_view kMoves =
    "index index_put roll flip fliplr flipud repeat_interleave tile broadcast_to broadcast_tensors movedim unflatten "
    "ravel gather masked_select diagonal hstack vstack cat stack split chunk unbind view view_as reshape reshape_as "
    "flatten permute transpose t T mT squeeze unsqueeze expand expand_as contiguous clone repeat narrow select tril "
    "triu masked_fill where fill_ zero_ copy_ detach requires_grad_ cpu positive";
constexpr std::string_view kAsks =
    "size dim numel item tolist stride storage_offset data_ptr is_contiguous is_floating_point is_tensor element_size "
    "type nonzero argwhere "
    "where_places numpy imshow";
constexpr std::string_view kConverts =
    "to type_as float double long int short char byte half bfloat16 bool tensor zeros ones empty full arange eye "
    "zeros_like ones_like empty_like full_like new_zeros new_ones new_empty new_full new_tensor randint";
constexpr std::string_view kCompares = "eq ne lt le gt ge logical_and logical_or logical_xor logical_not equal";

}  // namespace

bool NarrowTypes::is_in_place() const { return (call_.info().flags & kInPlace) != 0; }

// Without the underscore of an op that writes in place.
std::string_view NarrowTypes::name_of_op() const {
  const std::string_view name = call_.info().name;
  return is_in_place() && name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}

const NarrowTypes::Row* NarrowTypes::find_row() const {
  static constexpr Row kRows[] = {
      {kMoves, kIntsAndHalves, Operands::Moved},
      {kAsks, kIntsAndHalves, Operands::Moved},
      {kConverts, kIntsAndHalves, Operands::Moved},
      {kCompares, kIntsAndHalves, Operands::Widened},
      {"isnan isinf isfinite argmax argmin count_nonzero", kIntsAndHalves, Operands::Widened},
      {"add sub mul neg abs maximum minimum", kIntsAndHalves, Operands::Widened, Comes::Common},
      {"div true_divide", kHalves, Operands::Widened, Comes::Common},
      {"div", kInts, Operands::Widened, Comes::CommonIfRounded},
      {"floor_divide remainder pow square bitwise_and bitwise_or bitwise_xor bitwise_not matmul mm bmm dot", kInts,
       Operands::Widened, Comes::Common},
      {"einsum", kInts, Operands::Moved},  // its steps are seen one by one
      {"max min amax amin sort topk", kIntsAndHalves, Operands::Widened, Comes::FirstAsInput},
      {"true_divide sum prod cumsum exp log sqrt rsqrt reciprocal sin cos tanh sigmoid", kInts, Operands::Widened},
      {"embedding", kInt32, Operands::Widened},
  };
  unsigned given = 0;
  for (const TensorObject* input : call_.inputs()) {
    const DType dtype = input->tensor.dtype();
    if (is_narrow(dtype)) given |= is_floating(dtype) ? kHalves : dtype == DType::Int32 ? kInts | kInt32 : kInts;
  }
  for (const Row& row : kRows) {
    if (!has_word(row.ops, call_.info().name) && !(is_in_place() && has_word(row.ops, name_of_op()))) continue;
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
  // PyTorch rounds alpha and the product with it in ways of their own.
  const bool scales = has_word("add sub", name_of_op()) && to_double(call.number("alpha")) != 1;
  if (!row_ || (scales && is_floating(type))) {
    throw unsupported(
        call.span(), is_floating(type) ? "unsupported.narrow.float" : "unsupported.narrow.whole",
        {{"op", std::string(call.info().name) + (row_ ? "(alpha=...)" : "")}, {"type", std::string(name_of(type))}});
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
    throw unsupported(call_.span(), "unsupported.narrow.index");
}

// A number beside a narrow tensor has its type: it is rounded to it, or wraps; an exponent has to fit.
void NarrowTypes::widen_operand(std::string_view parameter) {
  const Value& value = call_.value(parameter);
  if (const TensorObject* object = value.as<TensorObject>()) {
    Tensor tensor = object->tensor;
    if (tensor.dtype() == DType::Bool) return;  // the op asks whether it is
    if (is_narrow(common_)) tensor = to(tensor, common_);
    tensor = to(tensor, wide_of(tensor.dtype()));
    if (tensor.shares_storage(object->tensor)) return;
    Ref<TensorObject> wide = make<TensorObject>(tensor);
    wide->axes = object->axes;
    wide->requires_grad = object->requires_grad;
    call_.replace(parameter, wide);
  } else if (const auto number = as_scalar(value); number && is_narrow(common_) && !value.as_bool()) {
    if (is_floating(common_)) {
      call_.replace(parameter, Value(static_cast<double>(narrowed(static_cast<float>(to_double(*number)), common_))));
    } else if (name_of_op() == "pow") {
      if (to_int(*number) > 0) check_fits(to_int(*number), common_);
    } else if (comes_narrow() || has_word(kCompares, name_of_op())) {
      call_.replace(parameter, Value(narrowed(to_int(*number), common_)));
    }
  }
}

// alpha= is a number of the type of the sum; sub adds with the sign changed.
void NarrowTypes::check_alpha() const {
  const Scalar alpha = call_.number("alpha");
  if (!is_narrow(common_) || is_float(alpha)) return;
  const bool changes_sign = name_of_op() == "sub" && to_int(alpha) != INT64_MIN;
  check_fits(changes_sign ? Scalar(-to_int(alpha)) : alpha, common_);
}

namespace {

// Products do not promote. Those of nothing PyTorch lets pass.
void require_one_type(const OpCall& call, const Tensor& a, const Tensor& b) {
  if (a.dtype() == b.dtype()) return;
  if (call.info().name == "matmul") plan_matmul(a, b);  // which says what is wrong with shapes first
  if (a.numel() == 0 || b.numel() == 0) throw unsupported(call.span(), "unsupported.narrow.empty_product");
  throw TensorError(
      "matmul.dtype", Code::Type, "RuntimeError",
      fmt::format("expected scalar type {} but found {}", scalar_type_name(a.dtype()), scalar_type_name(b.dtype())));
}

}  // namespace

void NarrowTypes::widen() {
  if (!row_ || row_->operands == Operands::Moved) return;
  if (call_.info().name == "topk" && call_.tensor("input").dtype() == DType::Float16)
    throw_not_implemented("topk_cpu", DType::Float16);
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
  if (has_word("matmul mm bmm dot", name_of_op())) require_one_type(call_, *first->tensor(), *second->tensor());
  if (first) common_ = second ? result_type(*first, *second) : first->tensor() ? first->tensor()->dtype() : common_;
  if (has_word("add sub", name_of_op())) check_alpha();
  widen_operand(parameters[0].name);
  if (takes_two) widen_operand(parameters[1].name);
}

bool NarrowTypes::comes_narrow() const {
  if (!row_ || row_->comes == Comes::AsItIs || !is_narrow(common_)) return false;
  return row_->comes != Comes::CommonIfRounded || call_.has("rounding_mode");
}

// The op wrote to the tensor that it was given in the place of a narrow one.
Value NarrowTypes::written(TensorObject& wide) const {
  TensorObject* const target = call_.inputs().front();
  if (&wide == target) return Ref<TensorObject>(target);
  if (is_floating(wide.tensor.dtype()) && !is_floating(target->tensor.dtype()))
    throw_cannot_cast(common_, target->tensor.dtype());
  for (const TensorObject* input : call_.inputs()) require_no_partial_overlap(target->tensor, input->tensor);
  assign(target->tensor, comes_narrow() ? to(wide.tensor, common_) : wide.tensor);
  return Ref<TensorObject>(target);
}

Value NarrowTypes::narrow(Value result) const {
  TensorObject* out = result.as<TensorObject>();
  if (row_ && row_->operands == Operands::Widened && is_in_place()) return written(*out);
  if (!comes_narrow()) return result;
  if (const Tuple* tuple = result.as<Tuple>(); tuple && !tuple->items.empty()) out = tuple->items[0].as<TensorObject>();
  if (out && out->tensor.dtype() == wide_of(common_)) out->tensor = to(out->tensor, common_);
  return result;
}

}  // namespace attn
