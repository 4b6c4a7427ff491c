#include "base/limits.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace attn {
namespace {

template <typename Action>
LimitReached::Kind kind_of(Action action) {
  try {
    action();
  } catch (const LimitReached& reached) {
    EXPECT_STRNE(reached.what(), "");
    return reached.kind();
  }
  ADD_FAILURE() << "no limit was reached";
  return LimitReached::Kind::Interrupt;
}

int recurse(int depth) {
  volatile char space[256] = {};
  check_stack();
  return space[0] + (depth == 0 ? 0 : 1 + recurse(depth - 1));
}

TEST(Limits, WorkIsCountedPerScope) {
  Limits limits;
  limits.max_work = 10;
  const std::int64_t before = work_done();
  {
    LimitScope outer(limits);
    charge(7);
    {
      LimitScope inner(limits);
      charge(10);
      EXPECT_EQ(kind_of([] { charge(1); }), LimitReached::Kind::Work);
    }
    EXPECT_EQ(work_done(), 7);
    charge(3);
    EXPECT_EQ(kind_of([] { charge(std::numeric_limits<std::int64_t>::max()); }), LimitReached::Kind::Work);
    EXPECT_EQ(work_done(), 10);
  }
  EXPECT_EQ(work_done(), before);
}

TEST(Limits, MemoryMayBeGivenBackOnAnotherThread) {
  Limits limits;
  limits.max_memory = live_memory() + 100;
  LimitScope scope(limits);
  take_memory(60);
  EXPECT_EQ(kind_of([] { take_memory(41); }), LimitReached::Kind::Memory);
  EXPECT_EQ(kind_of([] { take_memory(std::numeric_limits<std::int64_t>::max()); }), LimitReached::Kind::Memory);
  std::thread([] { give_memory(60); }).join();
  take_memory(100);
  EXPECT_EQ(live_memory(), limits.max_memory);
  give_memory(100);
}

TEST(Limits, DeepRecursionEndsBeforeTheStackDoes) {
  EXPECT_EQ(recurse(20), 20);  // no scope: not checked
  Limits limits;
  limits.max_stack = 64 << 10;
  LimitScope scope(limits);
  EXPECT_EQ(recurse(20), 20);
  EXPECT_EQ(kind_of([] { recurse(1'000'000); }), LimitReached::Kind::Depth);
}

TEST(Limits, AnInterruptStopsTheNextCharge) {
  request_interrupt();
  EXPECT_EQ(kind_of([] { charge(1); }), LimitReached::Kind::Interrupt);
  clear_interrupt();
  EXPECT_NO_THROW(charge(1));
}

}  // namespace
}  // namespace attn
