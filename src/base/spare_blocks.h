#pragma once
// Freed blocks of memory that wait for the next one of their size: a training step makes and frees thousands of small
// ones at once, of which malloc keeps a few at hand, and no aligned ones.
#include <cstddef>
#include <new>

namespace attn {

/// For one thread. Sizes are taken in steps; there are so many of them. It gives back nothing at its end, so that it
/// may be used by whatever ends later.
template <std::size_t Step, std::size_t Sizes>
class SpareBlocks {
 public:
  static constexpr std::size_t kLargest = Step * Sizes;
  static constexpr std::size_t rounded_up(std::size_t size) {
    return size == 0 ? Step : (size + Step - 1) / Step * Step;
  }

  /// Null: none of that size waits.
  void* take(std::size_t size) {
    List& list = lists_[place_of(size)];
    Block* const block = list.first;
    if (!block) return nullptr;
    list.first = block->next;
    --list.count;
    return block;
  }
  /// False: as many wait as may. The block has at least the rounded size.
  bool keep(void* block, std::size_t size) {
#if defined(ATTN_SANITIZED)
    return false;  // it looks for blocks that are used after they were freed
#endif
    List& list = lists_[place_of(size)];
    if (list.count * rounded_up(size) >= kMostBytes) return false;
    list.first = new (block) Block{list.first};
    ++list.count;
    return true;
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 18;  // of one size
  static constexpr std::size_t place_of(std::size_t size) { return rounded_up(size) / Step - 1; }
  struct Block {
    Block* next;
  };
  struct List {
    Block* first = nullptr;
    std::size_t count = 0;
  };
  List lists_[Sizes];
};

}  // namespace attn
