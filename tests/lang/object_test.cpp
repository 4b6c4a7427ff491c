#include "python/object.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "python/interpreter.h"
#include "python/value.h"
#include "tests/lang/run_cell.h"

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

// Its body stopped in its middle, and what would unwind it is gone.
TEST(Objects, WhatWaitsAfterAnInterruptMayOutliveItsInterpreter) {
  struct Interrupting : Observer {
    void evaluated(const Value&, Span) override { request_interrupt(); }
  } observer;
  const LimitScope limits(limits_of_this_stack());
  {
    Interpreter interpreter(&observer);
    const std::string code = "def numbers():\n    yield 1\n    yield 2\nfor x in numbers():\n    x\n    y = 3\n";
    EXPECT_THROW(interpreter.run(Source{"cell", code}), LimitReached);
    EXPECT_FALSE(interpreter.find("y"));
  }
  clear_interrupt();
  while (free_waiting(1)) continue;
}

}  // namespace
}  // namespace attn
