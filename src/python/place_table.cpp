#include "python/place_table.h"

#include <bit>

#include "base/limits.h"

namespace attn {

void PlaceTable::add(std::size_t hash) {
  constexpr std::size_t kFew = 8;
  if (2 * (size() + 1) > table_.size()) make_table(table_.empty() ? kFew : 2 * table_.size());
  hashes_.push_back(taken(hash));
  enter(hashes_.back(), size() - 1);
}

void PlaceTable::enter(std::size_t hash, std::size_t place) {
  std::size_t slot = first_slot(hash);
  while (table_[slot] != 0) slot = next(slot);
  table_[slot] = static_cast<std::uint32_t>(place + 1);
}

// Made beside the old one, which stays as it is when an interrupt is heard.
void PlaceTable::make_table(std::size_t size) {
  constexpr std::size_t kPiece = 1 << 16;
  PlaceTable made;
  made.table_.resize(size);
  made.shift_ = 64 - std::countr_zero(size);
  for (std::size_t place = 0; place < hashes_.size(); ++place) {
    if (place % kPiece == 0) look();
    if (!is_gap(place)) made.enter(hashes_[place], place);
  }
  table_ = std::move(made.table_);
  shift_ = made.shift_;
}

std::size_t PlaceTable::slot_of(std::size_t place) const {
  std::size_t slot = first_slot(hashes_[place]);
  while (table_[slot] != place + 1) slot = next(slot);
  return slot;
}

void PlaceTable::erase(std::size_t place) {
  // Those that stand behind a free slot could not be found: the next one that may stand there moves in.
  std::size_t free = slot_of(place);
  for (std::size_t slot = next(free); table_[slot] != 0; slot = next(slot)) {
    const std::size_t wanted = first_slot(hashes_[table_[slot] - 1]);
    const bool is_between = free < slot ? free < wanted && wanted <= slot : free < wanted || wanted <= slot;
    if (is_between) continue;
    table_[free] = table_[slot];
    free = slot;
  }
  table_[free] = 0;
  hashes_[place] = kGap;
  ++gaps_;
  for (; !hashes_.empty() && is_gap(size() - 1); --gaps_) hashes_.pop_back();
  if (place == first_) first_ = from(place);
  if (hashes_.empty()) first_ = 0;
}

std::vector<std::uint32_t> PlaceTable::places_without_gaps() const {
  std::vector<std::uint32_t> moved(size());
  std::uint32_t free = 0;
  for (std::size_t place = 0; place < size(); ++place) {
    moved[place] = free;
    free += is_gap(place) ? 0 : 1;
  }
  return moved;
}

void PlaceTable::close_gaps(const std::vector<std::uint32_t>& moved) noexcept {
  for (std::uint32_t& entry : table_)
    if (entry != 0) entry = moved[entry - 1] + 1;
  std::erase(hashes_, kGap);
  gaps_ = first_ = 0;
}

void PlaceTable::clear() { *this = {}; }

}  // namespace attn
