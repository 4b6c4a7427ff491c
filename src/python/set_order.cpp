#include "python/set_order.h"

#include <utility>

namespace attn {

// The first slot on the way of a hash for which `is_it(number)` holds.
template <class IsIt>
std::size_t SetOrder::find(std::int64_t hash, const IsIt& is_it) const {
  constexpr std::size_t kNearby = 9;
  constexpr int kPerturbShift = 5;
  const std::uint64_t mask = slots_.size() - 1;
  std::uint64_t perturb = static_cast<std::uint64_t>(hash), at = perturb & mask;
  for (;;) {
    const std::uint64_t last = at + kNearby <= mask ? at + kNearby : at;
    for (std::uint64_t i = at; i <= last; ++i)
      if (is_it(i)) return i;
    perturb >>= kPerturbShift;
    at = (at * 5 + 1 + perturb) & mask;
  }
}

void SetOrder::add(std::int64_t hash, std::size_t place) {
  hashes_.resize(place + 1);
  hashes_[place] = hash;
  std::optional<std::size_t> removed;  // the last mark on the way: its slot is taken again
  const std::size_t free = find(hash, [&](std::size_t slot) {
    if (slots_[slot] == kRemoved) removed = slot;
    return slots_[slot] == kFree;
  });
  slots_[removed.value_or(free)] = static_cast<std::uint32_t>(kFirst + place);
  ++used_;
  if (removed) return;
  ++filled_;
  if (is_full(0)) grow();
}

void SetOrder::grow() {
  constexpr std::size_t kLarge = 50'000;
  make_slots(used_ > kLarge ? used_ * 2 : used_ * 4);
}

void SetOrder::tidy() {
  if (filled_ - used_ > (slots_.size() - 1) / 4) grow();
}

bool SetOrder::is_full(std::size_t more) const { return (filled_ + more) * 5 >= (slots_.size() - 1) * 3; }

void SetOrder::make_room(std::size_t count) {
  if (is_full(count)) make_slots((used_ + count) * 2);
}

std::optional<SetOrder> SetOrder::with_slots_of(const SetOrder& other) const {
  if (filled_ > 0 || other.filled_ > other.used_ || slots_.size() != other.slots_.size()) return std::nullopt;
  SetOrder taken = other;
  taken.finger_ = finger_;
  return taken;
}

// Made beside the old ones, which stay as they are when an interrupt is heard.
void SetOrder::make_slots(std::size_t more_than) {
  std::size_t size = 8;
  while (size <= more_than) size *= 2;
  SetOrder made;
  made.slots_.assign(size, kFree);
  each_place([&](std::size_t place) {
    made.slots_[made.find(hashes_[place], [&](std::size_t other) { return made.slots_[other] == kFree; })] =
        static_cast<std::uint32_t>(kFirst + place);
  });
  slots_ = std::move(made.slots_);
  filled_ = used_;
}

void SetOrder::erase(std::int64_t hash, std::size_t place) {
  slots_[find(hash, [&](std::size_t slot) { return slots_[slot] == kFirst + place; })] = kRemoved;
  --used_;
}

std::size_t SetOrder::popped() {
  std::size_t at = finger_ & (slots_.size() - 1);
  while (slots_[at] <= kRemoved) at = (at + 1) & (slots_.size() - 1);
  finger_ = at + 1;
  return slots_[at] - kFirst;
}

SetOrder SetOrder::emptied() const {
  SetOrder none;
  none.finger_ = finger_;
  return none;
}

void SetOrder::renumber(const std::vector<std::uint32_t>& moved) {
  std::vector<std::int64_t> hashes(used_);
  for (std::uint32_t& slot : slots_) {
    if (slot <= kRemoved) continue;
    const std::size_t place = moved[slot - kFirst];
    hashes[place] = hashes_[slot - kFirst];
    slot = static_cast<std::uint32_t>(kFirst + place);
  }
  hashes_ = std::move(hashes);
}

}  // namespace attn
