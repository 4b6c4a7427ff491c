#pragma once
// torch.Generator: random numbers of its own, beside those of the run.
#include "python/value.h"
#include "tensor/ops/random.h"

namespace attn {

inline constexpr std::string_view kGeneratorPath = "torch._C.Generator";

struct GeneratorObject : Object {
  static const Type kType;
  GeneratorObject() : Object(kType) {}
  std::optional<std::unique_ptr<Kept>> keep() override { return kept_members(*this, &GeneratorObject::generator); }
  Generator generator;
};

/// As torch.get_rng_state() gives it.
Value state_of(const Generator& generator);
/// Errors: TypeError, RuntimeError for what is no such state.
void put_state(Generator& generator, const Value& state, Span span);

}  // namespace attn
