#pragma once
// What the learner's code may change while it is gone through or looked in: __eq__, __hash__, __index__ and __repr__
// are called in the middle of it. So items are held by value, sizes are asked for again, and a table whose keys are
// being compared refuses to change.
#include <cstddef>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "python/operators.h"
#include "python/value.h"

namespace attn {

/// Visits the items that are there when their turn comes, as long as `visit` gives true. False: it did not always.
template <class Visit>
bool all_items(const std::vector<Value>& items, Visit&& visit) {
  for (std::size_t i = 0; i < items.size(); ++i) {  // NOLINT(modernize-loop-convert): it may grow meanwhile
    const Value item = items[i];
    if (!visit(item)) return false;
  }
  return true;
}

template <class Visit>
bool all_items(const KeyedItems<Value>& items, Visit&& visit) {
  for (const Value& each : items) {
    const Value item = each;
    if (!visit(item)) return false;
  }
  return true;
}

/// Visits the keys and values of a dict. Errors: RuntimeError when it changes its size meanwhile.
template <class Visit>
void each_pair(const Dict& dict, Visit&& visit) {
  const std::size_t size = dict.items.size();
  for (const auto& item : dict.items) {
    const auto [key, value] = item;
    visit(key, value);
    if (dict.items.size() != size) throw CellError(Code::Runtime, {}, "dictionary changed size during iteration");
  }
}

/// A lookup in the table of a dict or set, which compares keys. While it lives, the table may not change.
class Lookup {
 public:
  explicit Lookup(const Object& table) : table_(table), outer_(innermost) { innermost = this; }
  ~Lookup() { innermost = outer_; }
  Lookup(const Lookup&) = delete;
  Lookup& operator=(const Lookup&) = delete;
  /// Before a change of the table. Errors: unsupported while it is looked in.
  static void require_none(const Object& table) {
    if (innermost) refuse_if_under_way(table);
  }

 private:
  static void refuse_if_under_way(const Object& table);
  static constinit inline thread_local const Lookup* innermost = nullptr;
  const Object& table_;
  const Lookup* outer_;
};

/// Whether a key in a table is the one that is looked for: the same object, or one that says it is equal. A NaN is
/// itself.
bool is_key(const Value& own, const Value& key);

/// The parts of a slice as ints, from which follow its places in a sequence: __index__ has been called by then.
struct SliceBounds {
  std::int64_t step;
  std::optional<std::int64_t> start, stop;
};
///   Errors: TypeError, ValueError with Python's texts.
SliceBounds slice_bounds(const Slice& slice);
SliceRange slice_range(const SliceBounds& bounds, std::int64_t length);
/// item_place() in a list, of the size that it has once __index__ has been called.
std::size_t item_place(const Value& index, const std::vector<Value>& items, const std::string& type, Span span);

}  // namespace attn
