// The screen of the other tests, tried on programs that everybody knows.
#include "tests/session/screen.h"

#include <gtest/gtest.h>

#include <csignal>

namespace attn {
namespace {

class ScreenTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminal can be opened here";
  }
};

ScreenOptions shell(ScreenSize size = {}) {
  ScreenOptions options;
  options.program = {"/bin/sh"};
  options.size = size;
  return options;
}

TEST_F(ScreenTest, ShowsRowsAndTheCursorWithWideCharacters) {
  Screen screen({"-c", "printf 'one\\n한글 \\033[31mtwo\\033[0m\\nask: '; read x; printf 'got %s' $x"}, shell());
  ASSERT_TRUE(screen.expect("ask:"));
  EXPECT_EQ(screen.row(0), "one");
  EXPECT_EQ(screen.row(1), "한글 two");
  EXPECT_EQ(screen.cursor(), std::make_pair(2, 5));
  screen.type("me\n");
  EXPECT_TRUE(screen.expect("got me"));
  EXPECT_EQ(screen.exit_code(), 0);
}

TEST_F(ScreenTest, KnowsHowAProgramEnded) {
  EXPECT_EQ(Screen({"-c", "exit 7"}, shell()).exit_code(), 7);
  Screen killed({"-c", "echo here; read x"}, shell());
  ASSERT_TRUE(killed.expect("here"));
  killed.signal(SIGTERM);
  EXPECT_EQ(killed.exit_code(), 128 + SIGTERM);
}

TEST_F(ScreenTest, SeesSettingsAndSizes) {
  Screen screen({"-c", "stty raw; stty size; read x; stty sane; echo again; read x"}, shell({50, 10}));
  ASSERT_TRUE(screen.expect("10 50"));
  EXPECT_TRUE(screen.expect_raw());
  EXPECT_FALSE(same_settings(screen.settings(), screen.settings_before()));
}

}  // namespace
}  // namespace attn
