#pragma once
// Compares what our core and interpreter made with the descriptions in the oracle's fixtures (README.md beside this).
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "python/value.h"
#include "tensor/core/tensor.h"

namespace attn::oracle {

using Json = nlohmann::json;

/// tests/oracle/NAME.json for "cases/reduce". Errors: std::runtime_error when it cannot be read.
Json read_fixture(const std::string& name);
/// The names of the fixtures in tests/oracle/FOLDER, sorted: "03-batch".
std::vector<std::string> fixture_names(const std::string& folder);

/// A number by the bound for elements: |ours - theirs| <= max(1e-7 + 1e-6 |theirs|, 4 spread).
bool close(double ours, double theirs, double spread);

/// Equal but for the width of blanks, and for numbers within `close` or one unit of the last printed place.
bool same_text(const std::string& ours, const std::string& theirs, double spread = 0);

/// The texts of an exception; PyTorch's lists of C++ signatures are compared up to "got".
bool same_error_text(const std::string& ours, const std::string& theirs);

/// A tensor with what Python sees of it, from a Value or from a Trace.
struct TensorFacts {
  std::string type = "Tensor";  // or "Parameter"
  Tensor tensor;
  bool requires_grad = false;
  std::string grad_fn;
};
TensorFacts facts_of(const TensorObject& handle);

enum class Exactness { Bounds, BitForBit };

/// What differs, one line each; empty when all agrees. `path` is put before each.
std::vector<std::string> differences(const TensorFacts& ours, const Json& theirs, const std::string& path,
                                     Exactness exactness = Exactness::Bounds);
std::vector<std::string> differences(const Value& ours, const Json& theirs, const std::string& path,
                                     Exactness exactness = Exactness::Bounds);

/// The repr that a description stands for. Descriptions of what has no numbers of its own in the fixture (sampled
/// tensors, functions) give nothing.
std::optional<std::string> repr_of(const Json& description);

}  // namespace attn::oracle
