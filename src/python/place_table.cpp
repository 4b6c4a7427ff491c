#include "python/place_table.h"

#include <bit>
#include <utility>

#include "base/limits.h"

namespace attn {

void PlaceTable::add(std::size_t hash) {
  if (2 * (hashes_.size() + 1) > table_.size()) grow();
  hashes_.push_back(hash);
  enter(hash, hashes_.size() - 1);
}

void PlaceTable::enter(std::size_t hash, std::size_t place) {
  std::size_t slot = first_slot(hash);
  while (table_[slot] != 0) slot = next(slot);
  table_[slot] = static_cast<std::uint32_t>(place + 1);
}

// Made beside the old one, which stays as it is when an interrupt is heard.
void PlaceTable::grow() {
  constexpr std::size_t kFew = 8, kPiece = 1 << 16;
  PlaceTable larger;
  larger.table_.resize(table_.empty() ? kFew : 2 * table_.size());
  larger.shift_ = 64 - std::countr_zero(larger.table_.size());
  for (std::size_t place = 0; place < hashes_.size(); ++place) {
    if (place % kPiece == 0) look();
    larger.enter(hashes_[place], place);
  }
  table_ = std::move(larger.table_);
  shift_ = larger.shift_;
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
  const bool is_last = place + 1 == hashes_.size();
  hashes_.erase(hashes_.begin() + static_cast<std::ptrdiff_t>(place));
  if (is_last) return;
  for (std::uint32_t& entry : table_) entry -= entry > place;
}

void PlaceTable::clear() { *this = {}; }

}  // namespace attn
