#pragma once
// Which op made each value of a Trace, what values are called, and where the numbers of a value that no op made were
// before: under another name, or in the storage that it views, before or after a write.
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/trace.h"

namespace attn {

struct Producer {
  OpId op = -1;
  std::size_t output = 0;
};

struct ElementPlace {
  ValueId value = -1;
  Shape index;
};

class ValueHistory {
 public:
  explicit ValueHistory(const Trace& trace);

  const Trace& trace() const { return trace_; }
  const RecordedValue& value(ValueId id) const { return trace_.value(id); }
  const Op& op(OpId id) const { return trace_.op(id); }

  /// The op that made the value: of a composite the part inside that did. op -1: none.
  const Producer& producer(ValueId id) const { return producers_.at(static_cast<std::size_t>(id)); }
  /// The same element in an older record of the storage.
  std::optional<ElementPlace> older_record(ValueId id, const Shape& index) const;
  /// What the value was bound to first; else "query.weight", or how the code writes it; else "matmul(...)".
  const std::string& name(ValueId id) const { return names_.at(static_cast<std::size_t>(id)); }
  /// The name with the index: "Q[0, 1]"; of a tensor without axes the name alone.
  std::string place_text(ValueId id, const Shape& index) const;

 private:
  void find_producers();
  bool is_inside(OpId op, OpId composite) const;
  void name_bound();
  void name_parameters();
  std::string parameter_name(const Op& user, const OpOperand& input) const;
  void name_results();
  std::string call_text(const Op& made_by) const;

  const Trace& trace_;
  std::vector<Producer> producers_;  // one per value
  std::vector<std::string> names_;
  std::unordered_map<std::int64_t, std::vector<ValueId>> of_storage_;  // those with numbers, oldest first
};

}  // namespace attn
