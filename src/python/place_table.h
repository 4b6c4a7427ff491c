#pragma once
// The items of a dict or a set in the order of insertion, found by the hashes of their keys. An item that is removed
// leaves a gap, so that removing costs the same wherever it stood; gaps are closed when as many items as gaps are left.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace attn {

/// Where in a vector an item stands, by the hash of its key.
class PlaceTable {
 public:
  /// The place of the item with this hash for which `is_it(place)` holds.
  template <class IsIt>
  std::optional<std::size_t> find(std::size_t hash, const IsIt& is_it) const {
    if (table_.empty()) return std::nullopt;
    hash = taken(hash);
    for (std::size_t slot = first_slot(hash); table_[slot] != 0; slot = next(slot)) {
      const std::size_t place = table_[slot] - 1;
      if (hashes_[place] == hash && is_it(place)) return place;
    }
    return std::nullopt;
  }
  /// How many places there are, gaps among them. None at the end.
  std::size_t size() const { return hashes_.size(); }
  std::size_t gaps() const { return gaps_; }
  /// The first item at or behind a place; size() if there is none.
  std::size_t from(std::size_t place) const {
    if (place < first_) place = first_;
    while (place < size() && is_gap(place)) ++place;
    return place;
  }
  /// Appends an item. Errors: LimitReached, and nothing has changed.
  void add(std::size_t hash);
  /// Removes an item.
  void erase(std::size_t place);
  bool is_gap(std::size_t place) const { return hashes_[place] == kGap; }
  /// The place that each item will have once the gaps are closed.
  std::vector<std::uint32_t> places_without_gaps() const;
  /// Moves the items to these places.
  void close_gaps(const std::vector<std::uint32_t>& moved) noexcept;
  void clear();

 private:
  static constexpr std::size_t kGap = 0x6A09E667F3BCC909;  // in place of a hash
  static std::size_t taken(std::size_t hash) { return hash == kGap ? kGap + 1 : hash; }
  // The upper bits of a product, so that hashes which share their lower ones do not share a slot.
  std::size_t first_slot(std::size_t hash) const { return (hash * 0x9E3779B97F4A7C15) >> shift_; }
  std::size_t next(std::size_t slot) const { return (slot + 1) & (table_.size() - 1); }
  std::size_t slot_of(std::size_t place) const;
  void enter(std::size_t hash, std::size_t place);
  void make_table(std::size_t size);

  std::vector<std::size_t> hashes_;   // of the items; of a gap kGap
  std::vector<std::uint32_t> table_;  // 1 + a place, at the first free slot from that of its hash on; 0: free
  std::size_t gaps_ = 0;
  std::size_t first_ = 0;  // in front of it are only gaps
  int shift_ = 64;         // 64 - the logarithm of the table's size
};

/// The items with their table. They may change while a loop goes over them: what is gone is not visited.
template <class Item>
class KeyedItems {
 public:
  class Iterator {
   public:
    Iterator(const KeyedItems& of, std::size_t place) : of_(of), place_(of.places_.from(place)) {}
    const Item& operator*() const { return of_[place_]; }
    Iterator& operator++() { return place_ = of_.places_.from(place_ + 1), *this; }
    bool operator==(std::default_sentinel_t) const { return place_ >= of_.places_.size(); }
    std::size_t place() const { return place_; }

   private:
    const KeyedItems& of_;
    std::size_t place_;
  };

  std::size_t size() const { return places_.size() - places_.gaps(); }
  bool empty() const { return size() == 0; }
  Iterator begin() const { return Iterator(*this, 0); }
  std::default_sentinel_t end() const { return {}; }
  /// The first item at or behind a place.
  Iterator from(std::size_t place) const { return Iterator(*this, place); }
  const Item& front() const { return *begin(); }
  const Item& back() const { return items_.back(); }
  std::size_t last_place() const { return items_.size() - 1; }
  const Item& operator[](std::size_t place) const { return items_[place]; }
  Item& operator[](std::size_t place) { return items_[place]; }
  /// Errors: LimitReached, when an interrupt is heard.
  std::vector<Item> all() const {
    std::vector<Item> out;
    out.reserve(size());
    for (const Item& item : *this) {
      look();
      out.push_back(item);
    }
    return out;
  }
  /// Errors: LimitReached, when an interrupt is heard.
  KeyedItems copy() const {
    constexpr std::size_t kPiece = 1 << 16;
    KeyedItems out;
    out.items_.reserve(items_.size());
    for (const Item& item : items_) {
      if (out.items_.size() % kPiece == 0) look();
      out.items_.push_back(item);
    }
    out.places_ = places_;
    return out;
  }
  template <class IsIt>
  std::optional<std::size_t> find(std::size_t hash, const IsIt& is_it) const {
    return places_.find(hash, is_it);
  }
  /// Whether close_gaps() is due before the next item is added.
  bool has_many_gaps() const { return places_.gaps() > size(); }
  /// Gives the new place of each item.
  std::vector<std::uint32_t> close_gaps() {
    std::vector<std::uint32_t> moved = places_.places_without_gaps();
    for (std::size_t place = 0; place < items_.size(); ++place)
      if (!places_.is_gap(place) && moved[place] != place) items_[moved[place]] = std::move(items_[place]);
    items_.resize(size());
    places_.close_gaps(moved);
    return moved;
  }
  /// Errors: LimitReached, and nothing has changed.
  void add(std::size_t hash, Item item) {
    places_.add(hash);
    items_.push_back(std::move(item));
  }
  /// Gives what was there.
  Item erase(std::size_t place) {
    Item gone = std::exchange(items_[place], Item());
    places_.erase(place);
    items_.resize(places_.size());
    return gone;
  }
  void clear() {
    places_.clear();
    const std::vector<Item> gone = std::move(items_);  // their ends may look at what is empty by then
    items_.clear();
  }

 private:
  std::vector<Item> items_;
  PlaceTable places_;
};

}  // namespace attn
