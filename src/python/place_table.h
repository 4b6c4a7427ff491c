#pragma once
// Finds the items of a dict, a set or a scope by the hashes of their keys. The items stand in a vector, in the order of
// insertion; the table holds their places.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

class PlaceTable {
 public:
  bool empty() const { return hashes_.empty(); }
  /// The place of the item with this hash for which `is_it(place)` holds.
  template <class IsIt>
  std::optional<std::size_t> find(std::size_t hash, const IsIt& is_it) const {
    if (table_.empty()) return std::nullopt;
    for (std::size_t slot = first_slot(hash); table_[slot] != 0; slot = next(slot)) {
      const std::size_t place = table_[slot] - 1;
      if (hashes_[place] == hash && is_it(place)) return place;
    }
    return std::nullopt;
  }
  /// Appends an item. Errors: LimitReached, and nothing has changed.
  void add(std::size_t hash);
  /// Removes an item; those after it move up by one.
  void erase(std::size_t place);
  void clear();

 private:
  // The upper bits of a product, so that hashes which share their lower ones do not share a slot.
  std::size_t first_slot(std::size_t hash) const { return (hash * 0x9E3779B97F4A7C15) >> shift_; }
  std::size_t next(std::size_t slot) const { return (slot + 1) & (table_.size() - 1); }
  std::size_t slot_of(std::size_t place) const;
  void enter(std::size_t hash, std::size_t place);
  void grow();

  std::vector<std::size_t> hashes_;   // of the items
  std::vector<std::uint32_t> table_;  // 1 + a place, at the first free slot from that of its hash on; 0: free
  int shift_ = 64;                    // 64 - the logarithm of the table's size
};

}  // namespace attn
