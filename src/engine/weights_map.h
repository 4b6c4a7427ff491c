#pragma once
// --map FILE_NAME[rows, columns].T=LESSON_NAME: which part of which tensor of a file is what in a lesson.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensor/core/tensor.h"

namespace attn {

/// One item between brackets: 3, 0:768, : or ...
struct MapIndex {
  enum class Kind : std::uint8_t { At, Range, Rest };
  Kind kind = Kind::Rest;
  std::optional<std::int64_t> begin, end;  // of Range; `begin` of At. From the end where negative
};

/// What is done with the tensor, one after the other: .T where `items` is empty, else [items].
struct MapStep {
  std::vector<MapIndex> items;
};

struct WeightsMap {
  std::string typed;
  std::string from;  // a tensor of the file, or what several have before a dot
  std::string part;  // "[..., :768].T", as typed: PyTorch reads it likewise
  std::vector<MapStep> steps;
  std::string to;
};

///   Errors: UserError.
WeightsMap parse_map(const std::string& typed);

/// A view of the part that the map asks for. Elements are not looked at.
///   Errors: UserError for more items than axes, and for a place that is not there.
Tensor mapped_part(const Tensor& whole, const WeightsMap& map);

}  // namespace attn
