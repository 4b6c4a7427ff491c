#include "torch/generator.h"

#include <array>

#include "python/type.h"
#include "python/types/methods.h"
#include "python/types/record.h"

namespace attn {
namespace {

Value seeded(MethodCall& call) {
  call.self.as<GeneratorObject>()->generator.manual_seed(static_cast<std::uint64_t>(call.integer(0)));
  return call.self;
}

Value first_seed(MethodCall& call) {
  return Value(static_cast<std::int64_t>(call.self.as<GeneratorObject>()->generator.initial_seed()));
}

constexpr std::array kMethods = {Method{"manual_seed", 1, 1, seeded, "seed"}, Method{"initial_seed", 0, 0, first_seed}};

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
