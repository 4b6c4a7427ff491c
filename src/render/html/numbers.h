#pragma once
// Which tensors a page carries the numbers of, and how: base64 of little-endian numbers, until the page would become
// too large. Rows that are equal bit by bit (those of padding, of a word that occurs again) are carried once.
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/trace.h"
#include "render/html/arithmetic.h"

namespace attn {

/// Decides which numbers are in a page. A tensor whose elements only moved is made from the other by the script.
class NumberCarrier {
 public:
  NumberCarrier(const Trace& trace, const std::map<ValueId, Arithmetic>& made) : trace_(trace), made_(made) {}

  /// {"type": "float", "w": 512, "rows": [0, 1, 0], "mode": "decimals", "scale": 2.5}: float is float32, double and int
  /// are float64, bool bytes; `rows` are those of rows_json() for this type and width, without them the tensor is made
  /// of others. `is_shown`: in a table, which wants to know mode and scale.
  nlohmann::ordered_json json(ValueId id, bool is_shown) const;

  /// {"float512": "base64"}, as text.
  std::string rows_json() const;

  bool has(ValueId id) const { return carried_.contains(id) && carried_.at(id); }

  /// Whether there is room for it. Weights beyond 65,536 elements and integers beyond 2^53 are never carried.
  bool carry(ValueId id);

  /// Whether the places of its arithmetic can be found.
  bool has_needed(const Arithmetic& arithmetic);

 private:
  /// Of an older value all elements were taken from as they are, and all that says which is carried.
  bool is_made_of_others(ValueId id);

  struct Pool {
    std::unordered_map<std::string, int> numbers;  // of the rows, by their bytes
    std::string bytes;
  };

  /// The tensor's rows into the pool of its type and width; false: they do not fit into the page.
  bool add_rows(ValueId id);

  const Trace& trace_;
  const std::map<ValueId, Arithmetic>& made_;
  std::map<ValueId, bool> carried_;
  std::set<ValueId> derived_;
  std::map<std::string, Pool> pools_;
  std::map<ValueId, std::vector<int>> rows_;
  std::int64_t bytes_ = 0;
};

}  // namespace attn
