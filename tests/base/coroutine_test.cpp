#include "base/coroutine.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/limits.h"

namespace attn {
namespace {

TEST(Coroutine, StopsAndGoesOn) {
  std::string told;
  Coroutine* self = nullptr;
  Coroutine coroutine([&] {
    for (const char c : {'a', 'b'}) {
      told += c;
      self->suspend();
    }
    told += 'c';
  });
  self = &coroutine;
  EXPECT_EQ(told, "");
  EXPECT_TRUE(coroutine.resume());
  told += '1';
  EXPECT_TRUE(coroutine.resume());
  told += '2';
  EXPECT_FALSE(coroutine.resume());
  EXPECT_TRUE(coroutine.has_ended());
  EXPECT_FALSE(coroutine.resume());
  EXPECT_EQ(told, "a1b2c");
}

TEST(Coroutine, ErrorsComeToWhoeverResumes) {
  Coroutine coroutine([] { throw std::runtime_error("inside"); });
  EXPECT_THROW(coroutine.resume(), std::runtime_error);
  EXPECT_FALSE(coroutine.resume());
}

// Each stack has its own exceptions that are being handled.
TEST(Coroutine, MayStopInAHandler) {
  Coroutine* self = nullptr;
  std::string rethrown;
  Coroutine coroutine([&] {
    try {
      throw std::runtime_error("inside");
    } catch (...) {
      self->suspend();
      try {
        throw;
      } catch (const std::exception& error) {
        rethrown = error.what();
      }
    }
  });
  self = &coroutine;
  try {
    throw std::logic_error("outside");
  } catch (...) {
    EXPECT_TRUE(coroutine.resume());
    try {
      throw;
    } catch (const std::exception& error) {
      EXPECT_STREQ(error.what(), "outside");
    }
    EXPECT_FALSE(coroutine.resume());
  }
  EXPECT_EQ(rethrown, "inside");
  EXPECT_EQ(std::current_exception(), nullptr);
}

TEST(Coroutine, OneThatIsLeftIsUnwound) {
  const auto held = std::make_shared<int>(1);
  {
    std::vector<std::unique_ptr<Coroutine>> many;
    for (int i = 0; i < 100; ++i) {
      many.push_back(std::make_unique<Coroutine>([held, &many, i] {
        const std::shared_ptr<int> here = held;
        many[static_cast<std::size_t>(i)]->suspend();
      }));
      EXPECT_TRUE(many.back()->resume());
    }
    EXPECT_EQ(held.use_count(), 201);
  }
  EXPECT_EQ(held.use_count(), 1);
}

void descend(int& depth) {
  check_stack();
  if (++depth < 1'000'000'000) descend(depth);
  --depth;  // so that the call above is no jump
}

TEST(Coroutine, HasALimitOfItsOwnForItsStack) {
  const LimitScope scope(Limits{});
  int depth = 0;
  Coroutine coroutine([&] { descend(depth); });
  EXPECT_THROW(coroutine.resume(), LimitReached);
  EXPECT_GT(depth, 100);
  check_stack();
}

}  // namespace
}  // namespace attn
