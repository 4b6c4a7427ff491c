#include "torch/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "python/type.h"
#include "python/types/methods.h"
#include "python/types/record.h"
#include "tensor/core/scalar_type.h"

namespace attn {

Value state_of(const Generator& generator) {
  const std::vector<std::uint8_t> bytes = generator.state();
  Tensor out = Tensor::empty({static_cast<std::int64_t>(bytes.size())}, DType::UInt8);
  std::copy(bytes.begin(), bytes.end(), out.mutable_data<std::int64_t>());  // as narrow integers are kept
  return make_tensor(out);
}

void put_state(Generator& generator, const Value& given, Span span) {
  const TensorObject* state = given.as<TensorObject>();
  if (!state || state->tensor.dtype() != DType::UInt8 || state->tensor.dim() != 1 || !state->tensor.is_contiguous())
    throw CellError(
        Code::Type, span,
        "expected a torch.ByteTensor, but got " + (state ? class_name(state->tensor.dtype()) : type_name(given)));
  const std::int64_t* data = state->tensor.data<std::int64_t>();
  const std::vector<std::uint8_t> bytes(data, data + state->tensor.numel());
  if (generator.set_state(bytes)) return;
  throw CellError(
      Code::Runtime, span,
      bytes.size() == 5056
          ? "Invalid mt19937 state"
          : fmt::format("Expected either a CPUGeneratorImplStateLegacy of size 5048 or a CPUGeneratorImplState "
                        "of size 5056 but found the input RNG state size to be {}",
                        bytes.size()));
}

namespace {

Value seeded(MethodCall& call) {
  call.self.as<GeneratorObject>()->generator.manual_seed(static_cast<std::uint64_t>(call.integer(0)));
  return call.self;
}

Value first_seed(MethodCall& call) {
  return Value(static_cast<std::int64_t>(call.self.as<GeneratorObject>()->generator.initial_seed()));
}

Value own_state(MethodCall& call) { return state_of(call.self.as<GeneratorObject>()->generator); }

Value put_own_state(MethodCall& call) {
  put_state(call.self.as<GeneratorObject>()->generator, call[0], call.given.span);
  return call.self;
}

constexpr std::array kMethods = {Method{"manual_seed", 1, 1, seeded, "seed"}, Method{"initial_seed", 0, 0, first_seed},
                                 Method{"get_state", 0, 0, own_state},
                                 Method{"set_state", 1, 1, put_own_state, "new_state"}};

}  // namespace

const Type GeneratorObject::kType = {
    .name = "Generator",
    .path = [](const Value&) { return std::string(kGeneratorPath); },
    .listed_as = kGeneratorPath,
    // Python adds an address, which is never the same.
    .repr = [](const Value&) -> std::string { return "<torch._C.Generator object>"; },
    .attribute = [](Interpreter&, const Value&, const std::string& name, Span, Span,
                    Value& out) { return name == "device" && (out = cpu_device(), true); },
    .methods = [](const Value&) -> std::span<const Method> { return kMethods; },
    .copy = refuse_copy,
    .deep_copy = [](const Value& self, Copier&) -> Value { refuse_copy(self, {}); },
};

}  // namespace attn
