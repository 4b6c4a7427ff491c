#pragma once
// The order in which CPython goes over a set of ints.
#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.h"

namespace attn {

/// The slots of CPython's hash table, taken as there: several in a row, then one that all bits of the hash choose. What
/// is removed leaves a mark, and pop() goes on where it was.
class SetOrder {
 public:
  void add(std::int64_t hash, std::size_t place);
  /// Before so many are added one by one.
  void make_room(std::size_t count);
  /// The slots of another set as they are, if that is how they would come into this one.
  std::optional<SetOrder> with_slots_of(const SetOrder& other) const;
  void erase(std::int64_t hash, std::size_t place);
  /// After all of another set were erased: many marks go.
  void tidy();
  /// The place of the item that pop() takes next; there must be one.
  std::size_t popped();
  /// Of the set when everything has been removed at once.
  SetOrder emptied() const;
  /// After PlaceTable::close_gaps().
  void renumber(const std::vector<std::uint32_t>& moved);
  /// Errors: LimitReached, when an interrupt is heard.
  template <class Visit>
  void each_place(const Visit& visit) const {
    for (const std::uint32_t slot : slots_) {
      look();
      if (slot > kRemoved) visit(slot - kFirst);
    }
  }

 private:
  enum : std::uint32_t { kFree, kRemoved, kFirst };  // a place comes as kFirst + place
  template <class IsIt>
  std::size_t find(std::int64_t hash, const IsIt& is_it) const;
  bool is_full(std::size_t more) const;
  void make_slots(std::size_t more_than);
  void grow();

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(8);
  std::vector<std::int64_t> hashes_;   // by place
  std::size_t used_ = 0, filled_ = 0;  // filled: removed ones, too
  std::size_t finger_ = 0;
};

}  // namespace attn
