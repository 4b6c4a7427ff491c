#include "python/object.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "python/value.h"

namespace attn {
namespace {

struct Counting : Object {
  explicit Counting(int& alive) : Object(List::kType), alive_(alive) { ++alive_; }
  ~Counting() override { --alive_; }
  int& alive_;
};

// Freeing millions of them would take longer than the answer to Ctrl-C may.
TEST(Objects, WaitAfterAnInterrupt) {
  int alive = 0;
  {
    std::vector<Ref<Counting>> objects;
    for (int i = 0; i < 100; ++i) objects.push_back(make<Counting>(alive));
    request_interrupt();
    objects.clear();
    EXPECT_EQ(alive, 100);
    clear_interrupt();
  }
  { const Ref<Counting> other = make<Counting>(alive); }
  EXPECT_EQ(alive, 100) << "they do not come in the way of others";
  EXPECT_TRUE(free_waiting(30));
  EXPECT_EQ(alive, 70);
  const Heap next_run;
  EXPECT_EQ(alive, 0);
  EXPECT_FALSE(free_waiting(1));
}

}  // namespace
}  // namespace attn
