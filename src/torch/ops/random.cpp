// Rows that draw from the run's generator, in PyTorch's order.
#include "tensor/ops/random.h"

#include "python/interpreter.h"
#include "python/types/record.h"
#include "tensor/core/scalar_type.h"
#include "tensor/core/walk.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/sample.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Value manual_seed_op(OpCall& call) {
  call.interpreter().manual_seed(call.integer("seed"));
  constexpr const char* kText = "<torch._C.Generator object>";  // Python adds an address, which is never the same
  return make<Record>("Generator", kText, kText);
}

using Draw = Tensor (*)(const Shape&, Generator&, DType);

template <Draw kDraw>
Value drawn(OpCall& call, const char* kernel, const Shape& shape, DType missing) {
  const DType dtype = call.dtype("dtype").value_or(missing);
  require_floating(dtype, kernel);
  return created(call, kDraw(shape, generator_of(call), dtype));
}
constexpr const char* kUniformKernel = "check_uniform_bounds";
constexpr const char* kNormalKernel = "normal_kernel_cpu";

Value rand_op(OpCall& call) { return drawn<rand>(call, kUniformKernel, call.ints("size"), DType::Float32); }
Value randn_op(OpCall& call) { return drawn<randn>(call, kNormalKernel, call.ints("size"), DType::Float32); }
// An unset tensor that lies in memory as the other does: numbers are drawn in the order of memory.
Tensor like_input(const OpCall& call, const char* kernel) {
  const Tensor& like = call.tensor("input");
  const DType dtype = call.dtype("dtype").value_or(like.dtype());
  require_floating(dtype, kernel);
  return empty_like(like, dtype);
}

Value rand_like_op(OpCall& call) {
  Tensor out = like_input(call, kUniformKernel);
  uniform_(out, 0.0, 1.0, generator_of(call));
  return created(call, std::move(out));
}
Value randn_like_op(OpCall& call) {
  Tensor out = like_input(call, kNormalKernel);
  normal_(out, 0.0, 1.0, generator_of(call));
  return created(call, std::move(out));
}

Value randint_op(OpCall& call) {
  const std::int64_t low = call.optional_integer("low").value_or(0);
  const DType dtype = call.dtype("dtype").value_or(DType::Int64);
  return created(call, randint(low, call.integer("high"), call.ints("size"), generator_of(call), dtype));
}

Value randperm_op(OpCall& call) {
  if (call.dtype("dtype") == DType::Bool) throw_not_implemented("randperm", DType::Bool);
  const Tensor order = randperm(call.integer("n"), generator_of(call));
  const DType dtype = call.dtype("dtype").value_or(DType::Int64);
  return created(call, dtype == DType::Int64 ? order : cast(order, dtype));
}

Value bernoulli_op(OpCall& call) {
  if (call.takes("p")) {
    call.set_grad_fn("");  // of the numbers it takes the shape alone
    return make_tensor(bernoulli(contiguous(call.tensor("input")), call.real("p"), generator_of(call)));
  }
  require_floating(call.tensor("input").dtype(), "bernoulli_tensor_cpu_p_");
  return make_tensor(bernoulli(call.tensor("input"), generator_of(call)));
}

Value normal_in_place(OpCall& call) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  normal_(target, call.real("mean"), call.real("std"), generator_of(call));
  return call.value("input");
}

Value uniform_in_place(OpCall& call) {
  require_writable(call);
  Tensor& target = call.handle("input").tensor;
  uniform_(target, call.real("from"), call.real("to"), generator_of(call));
  return call.value("input");
}

const OpInfo kRandomOps[] = {
    OpInfo("torch.manual_seed", "(seed: Number)", "Restarts the generator: the same seed gives the same draws.",
           "torch.manual_seed(0)\ntorch.rand(2)", manual_seed_op,
           {.axes = axis_rule::none, .element = kQuery, .flags = kDraws}),
    OpInfo("torch.rand", kSizes, "Uniform draws between 0 and 1.", "torch.manual_seed(0)\ntorch.rand(2, 3)", rand_op,
           {.axes = axis_rule::created, .element = kRandom, .flags = kDraws}),
    OpInfo("torch.randn", kSizes, "Normal draws with mean 0 and variance 1.", "torch.manual_seed(0)\ntorch.randn(2, 3)",
           randn_op, {.axes = axis_rule::created, .element = kRandom, .flags = kDraws}),
    OpInfo("torch.randint",
           "(high: int, size: shape, " ATTN_OPTIONS " | (low: int, high: int, size: shape, " ATTN_OPTIONS,
           "Whole numbers from low (0) up to, but without, high.", "torch.manual_seed(0)\ntorch.randint(10, (2, 3))",
           randint_op, {.axes = axis_rule::created, .element = kRandom, .flags = kDraws, .narrow = kMoves}),
    OpInfo("torch.randperm", "(n: int, " ATTN_OPTIONS, "The numbers 0 to n - 1 in random order.",
           "torch.manual_seed(0)\ntorch.randperm(5)", randperm_op,
           {.axes = axis_rule::created, .element = kRandom, .flags = kDraws}),
    OpInfo("torch.rand_like", kLike, "Uniform draws in the shape and type of another tensor.",
           "torch.manual_seed(0)\ntorch.rand_like(torch.zeros(3))", rand_like_op,
           {.element = kRandom, .flags = kDraws}),
    OpInfo("torch.randn_like", kLike, "Normal draws in the shape and type of another tensor.",
           "torch.manual_seed(0)\ntorch.randn_like(torch.zeros(3))", randn_like_op,
           {.element = kRandom, .flags = kDraws}),
    OpInfo("torch.bernoulli Tensor.bernoulli", "(input: Tensor) | (input: Tensor, p: float)",
           "1 with the probability given in the tensor, or with probability p, else 0.",
           "torch.manual_seed(0)\ntorch.bernoulli(torch.tensor([0.1, 0.5, 0.9]))", bernoulli_op,
           {.element = kRandom, .grad_fn = "BernoulliBackward0", .flags = kDraws}),
    OpInfo("Tensor.normal_", "(input: Tensor, mean: float = 0.0, std: float = 1.0)",
           "Fills the tensor with normal draws.", "torch.manual_seed(0)\ntorch.zeros(3).normal_(0, 0.02)",
           normal_in_place, {.element = kRandom, .grad_fn = "NormalBackward0", .flags = kDrawsInPlace}),
    OpInfo("Tensor.uniform_", "(input: Tensor, from: float = 0.0, to: float = 1.0)",
           "Fills the tensor with uniform draws.", "torch.manual_seed(0)\ntorch.zeros(3).uniform_(-1, 1)",
           uniform_in_place, {.element = kRandom, .grad_fn = "UniformBackward0", .flags = kDrawsInPlace}),
};

}  // namespace

std::span<const OpInfo> random_ops() { return kRandomOps; }

}  // namespace attn
