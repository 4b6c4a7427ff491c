// The order in which CPython goes over a set of ints: by the slots of its hash table, which grows by four. Slots are
// taken one after another as the ints came; what was removed in between has left no trace here, where CPython keeps a
// mark, so only sets that shrank may differ.
#include <algorithm>
#include <cmath>

#include "python/types/python_hash.h"

namespace attn {
namespace {

constexpr std::size_t kNearby = 9;  // slots that are tried one behind the other
constexpr int kPerturbShift = 5;

using Slots = std::vector<std::optional<std::size_t>>;  // number of the item

void place(Slots& slots, std::uint64_t hash, std::size_t item) {
  const std::uint64_t mask = slots.size() - 1;
  std::uint64_t at = hash & mask;
  for (std::uint64_t perturb = hash;; perturb >>= kPerturbShift, at = (at * 5 + 1 + perturb) & mask) {
    const std::uint64_t last = at + kNearby <= mask ? at + kNearby : at;
    for (std::uint64_t i = at; i <= last; ++i) {
      if (slots[i]) continue;
      slots[i] = item;
      return;
    }
    if (perturb == 0 && mask == 0) return;
  }
}

}  // namespace

std::optional<std::int64_t> python_hash(const Value& value) {
  constexpr std::int64_t kModulus = (std::int64_t{1} << 61) - 1;
  const double* real = value.as_float();
  const bool is_whole = real && std::abs(*real) < 0x1p63 && std::trunc(*real) == *real;
  if (real ? !is_whole : !value.is_number()) return std::nullopt;
  const std::int64_t hash = (real ? static_cast<std::int64_t>(*real) : *as_index(value)) % kModulus;
  return hash == -1 ? -2 : hash;  // -1 means an error to CPython
}

std::vector<Value> Set::ordered() const {
  std::vector<std::uint64_t> hashes;
  for (const Value& item : items) {
    const auto hash = python_hash(item);
    if (!hash) return items;
    hashes.push_back(static_cast<std::uint64_t>(*hash));
  }
  Slots slots(8);
  for (std::size_t i = 0; i < items.size(); ++i) {
    place(slots, hashes[i], i);
    const std::size_t used = i + 1;
    if (used * 5 < (slots.size() - 1) * 3) continue;
    const std::size_t wanted = used > 50'000 ? used * 2 : used * 4;
    std::size_t size = 8;
    while (size <= wanted) size *= 2;
    Slots larger(size);
    for (const auto& item : slots) {
      if (item) place(larger, hashes[*item], *item);
    }
    slots = std::move(larger);
  }
  std::vector<Value> out;
  for (const auto& item : slots) {
    if (item) out.push_back(items[*item]);
  }
  return out;
}

}  // namespace attn
