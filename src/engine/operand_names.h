#pragma once
// Which name a tensor has at this point of a run, so that a row of an op can say "Q" for its operand.
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attn {

struct TensorObject;

class OperandNames {
 public:
  /// `name` now holds `handle`, or something that is not a tensor (null).
  void bind(const std::string& name, const TensorObject* handle);

  /// Of the names of a tensor the one that is in `code`, else the newest; empty when it has none.
  std::string of(const TensorObject* handle, std::string_view code) const;

  /// Bindings after a mark can be taken back, such as those of a `wrong` cell.
  /// Marks and roll-backs come in pairs, one within the other.
  void mark() { changes_.emplace_back(); }
  void roll_back();

  /// The tensor is gone: its address may be that of another one soon.
  void forget(const TensorObject* handle);

 private:
  struct Held {
    const TensorObject* handle = nullptr;
    std::size_t marks = 0;  // open when the name was last bound, with its former state kept
  };
  struct Change {
    std::string name;
    Held former;
  };
  void put(const std::string& name, Held held);

  std::unordered_map<std::string, Held> held_;
  std::unordered_map<const TensorObject*, std::vector<std::string>> names_;  // oldest first
  std::vector<std::vector<Change>> changes_;  // since each mark: the names that were bound, each once
};

}  // namespace attn
