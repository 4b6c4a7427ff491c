#pragma once
// The order in which CPython compares while it sorts: which pair is asked first decides what an error says, and what
// becomes of items that have no order, NaN among them. What compares may be the learner's and contradict itself, so
// nothing here relies on an answer to stay inside the list (std::sort and std::stable_sort do).
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace attn {

/// The places of `size` items from `first` on in their order, found by CPython's comparisons.
template <class Item, class Less>
std::vector<std::ptrdiff_t> sorted_places(Item first, std::ptrdiff_t size, Less& less) {
  std::vector<std::ptrdiff_t> places(static_cast<std::size_t>(size));
  for (std::ptrdiff_t i = 0; i < size; ++i) places[static_cast<std::size_t>(i)] = i;
  if (size < 2) return places;
  const auto is_less = [&](std::ptrdiff_t a, std::ptrdiff_t b) -> bool { return less(first[a], first[b]); };
  // What is in order from the start, or falls all the way, stays together.
  auto sorted = places.begin() + 2;
  const bool falls = is_less(places[1], places[0]);
  while (sorted != places.end() && is_less(*sorted, *(sorted - 1)) == falls) ++sorted;
  if (falls) std::reverse(places.begin(), sorted);
  // Each other item goes behind those that it is not less than.
  for (; sorted != places.end(); ++sorted) {
    auto left = places.begin(), right = sorted;
    while (left < right) {
      const auto middle = left + (right - left) / 2;
      is_less(*sorted, *middle) ? right = middle : left = middle + 1;
    }
    std::rotate(left, sorted, sorted + 1);
  }
  return places;
}

/// As std::move, with looks at the interrupt flag on the way.
template <class Item, class Out>
Out move_on(Item from, Item end, Out out) {
  constexpr std::ptrdiff_t kAtOnce = 10'000;
  while (from != end) {
    look();
    const Item next = from + std::min<std::ptrdiff_t>(end - from, kAtOnce);
    out = std::move(from, next, out);
    from = next;
  }
  return out;
}

/// Moves what is sorted from `left` to `middle` and from there to `end` to `out`, in order.
template <class Item, class Out, class Less>
void merge_runs(Item left, Item middle, Item end, Out out, Less& less) {
  Item right = middle;
  const bool is_sorted = middle == end || !less(*middle, *(middle - 1));
  while (!is_sorted && left != middle && right != end) {
    look();
    *out++ = std::move(less(*right, *left) ? *right++ : *left++);
  }
  move_on(right, end, move_on(left, middle, out));
}

/// Sorts stably. Up to 63 items are compared in CPython's order; more in runs, which are merged two by two. `less(a,
/// b)` may throw: then the items are lost.
template <class T, class Less>
void python_sort(std::vector<T>& items, Less&& less) {
  constexpr std::ptrdiff_t kOneRun = 64, kPart = 16;
  const std::ptrdiff_t size = std::ssize(items), part = size < kOneRun ? size : kPart;
  std::vector<T> other;
  other.reserve(items.size());
  for (std::ptrdiff_t i = 0; i < size; i += part) {
    look();
    for (const std::ptrdiff_t place : sorted_places(items.begin() + i, std::min(part, size - i), less))
      other.push_back(std::move(items[static_cast<std::size_t>(i + place)]));
  }
  items.swap(other);
  for (std::ptrdiff_t run = part; run < size; run *= 2) {
    const auto at = [&](std::ptrdiff_t i) { return items.begin() + std::min(i, size); };
    for (std::ptrdiff_t i = 0; i < size; i += 2 * run)
      merge_runs(at(i), at(i + run), at(i + 2 * run), other.begin() + i, less);
    items.swap(other);
  }
}

}  // namespace attn
