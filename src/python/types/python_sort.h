#pragma once
// The order in which CPython compares while it sorts: which pair is asked first decides what an error says, and what
// becomes of items that have no order, NaN among them.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace attn {

/// Sorts stably; `less(a, b)` may throw. Up to 63 items are compared in CPython's order.
template <class T, class Less>
void python_sort(std::vector<T>& items, Less&& less) {
  constexpr std::ptrdiff_t kOneRun = 64;  // longer lists are merged from several runs there
  const auto size = std::ssize(items);
  if (size < 2) return;
  if (size >= kOneRun) return std::stable_sort(items.begin(), items.end(), less);
  // What is in order from the start, or falls all the way, stays together.
  auto sorted = items.begin() + 2;
  const bool falls = less(items[1], items[0]);
  while (sorted != items.end() && less(*sorted, *(sorted - 1)) == falls) ++sorted;
  if (falls) std::reverse(items.begin(), sorted);
  // Each other item goes behind those that it is not less than.
  for (; sorted != items.end(); ++sorted) {
    auto left = items.begin(), right = sorted;
    while (left < right) {
      const auto middle = left + (right - left) / 2;
      less(*sorted, *middle) ? right = middle : left = middle + 1;
    }
    std::rotate(left, sorted, sorted + 1);
  }
}

}  // namespace attn
