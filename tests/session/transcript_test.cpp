// A transcript that is kept while a session goes on.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cli/program.h"
#include "tests/session/screen.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "<!-- attn-tutor transcript -->\n";

/// Whether the text stands in the file now or soon.
bool comes_to_hold(const std::string& path, const std::string& text) {
  for (int i = 0; i < 500; ++i) {
    if (text_of(path).find(text) != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

class TranscriptTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminal can be opened here";
  }
  /// Each session begins anew.
  ScreenOptions options() const {
    ScreenOptions out;
    out.folder = ScratchFolder().path();
    return out;
  }
  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }

  ScratchFolder folder_;
};

TEST_F(TranscriptTest, IsUpToDateAfterEachStep) {
  const std::string path = file("x.md");
  Screen screen({"lesson", "3", "--transcript", path}, options());
  ASSERT_TRUE(screen.expect(kLegend)) << screen.text();
  EXPECT_TRUE(comes_to_hold(path, "At step 1 of 55.")) << "from the beginning";
  screen.type("pyes\r");
  EXPECT_TRUE(comes_to_hold(path, "| `yes` | Yes, it raises an error. | right |"));
  screen.type("n");
  EXPECT_TRUE(comes_to_hold(path, "At step 2 of 55."));
  screen.type("=6 * 7\r");
  EXPECT_TRUE(comes_to_hold(path, "At step 2:\n\n```pycon\n>>> 6 * 7\n42\n```\n"));
  screen.type("\r:set n_heads=4\r");
  EXPECT_TRUE(comes_to_hold(path, "`n_heads = 4`"));
  screen.signal(SIGKILL);
  screen.exit_code();
  EXPECT_TRUE(text_of(path).ends_with(kMark)) << "whatever ends the session, the file is whole";
}

TEST_F(TranscriptTest, HasTheSameBytesForTheSameSession) {
  std::string bytes[2];
  for (int i = 0; i < 2; ++i) {
    ScreenOptions how = options();
    how.size.width = i == 0 ? 80 : 50;
    Screen screen({"lesson", "3", "--transcript", file("x.json")}, how);
    ASSERT_TRUE(screen.expect(kLegend));
    screen.type("pno\r=x = torch.zeros(2)\rx / 0\r\rnn");
    ASSERT_TRUE(screen.expect("3/55"));
    screen.type("q");
    EXPECT_EQ(screen.exit_code(), 0);
    bytes[i] = text_of(file("x.json"));
  }
  EXPECT_NE(bytes[0].find("x / 0"), std::string::npos);
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

TEST_F(TranscriptTest, IsWrittenOnEveryWayOut) {
  struct Case {
    const char* keys;
    int signal;
    int code;
  };
  for (const Case& c : {Case{"q", 0, 0}, Case{"\x04", 0, 0}, Case{"", SIGTERM, 128 + SIGTERM}}) {
    const std::string path = file("x.txt");
    fs::remove(path);
    Screen screen({"lesson", "3", "--transcript", path}, options());
    ASSERT_TRUE(screen.expect(kLegend));
    screen.type(":skip\rn");
    ASSERT_TRUE(screen.expect("2/55"));
    if (c.signal) screen.signal(c.signal);
    else screen.type(c.keys);
    EXPECT_EQ(screen.exit_code(), c.code);
    EXPECT_NE(text_of(path).find("At step 2 of 55."), std::string::npos) << c.code;
  }
}

TEST_F(TranscriptTest, AFailureIsToldOnceAndTheSessionGoesOn) {
  for (const bool mended : {false, true}) {
    const std::string place = file("place"), path = place + "/x.md";
    fs::create_directory(place);
    Screen screen({"lesson", "3", "--transcript", path}, options());
    ASSERT_TRUE(screen.expect(kLegend));
    ASSERT_TRUE(comes_to_hold(path, kMark));
    fs::remove_all(place);
    screen.type(":skip\r");
    EXPECT_TRUE(screen.expect("The transcript cannot be written")) << screen.text();
    screen.type("n");
    EXPECT_TRUE(screen.expect("2/55"));
    screen.type("=6 * 7\r");
    EXPECT_TRUE(screen.expect("42"));
    if (mended) fs::create_directory(place);
    screen.type("\rq");
    EXPECT_EQ(screen.exit_code(), mended ? 0 : 4);
    EXPECT_EQ(count(screen.output(), "cannot be written"), 1);
    EXPECT_EQ(text_of(path).find("At step 2 of 55.") != std::string::npos, mended);
    EXPECT_TRUE(same_settings(screen.settings(), screen.settings_before()));
  }
}

TEST_F(TranscriptTest, AFileThatBecomesSomebodyElsesStays) {
  const std::string path = file("x.md");
  Screen screen({"lesson", "3", "--transcript", path}, options());
  ASSERT_TRUE(screen.expect(kLegend));
  ASSERT_TRUE(comes_to_hold(path, kMark));
  std::ofstream(path) << "my notes\n";
  screen.type(":skip\r");
  EXPECT_TRUE(screen.expect("cannot be written")) << screen.text();
  screen.type("q");
  EXPECT_EQ(screen.exit_code(), 4);
  EXPECT_EQ(text_of(path), "my notes\n");
}

TEST_F(TranscriptTest, IsRefusedBeforeTheSessionBegins) {
  const std::string path = file("notes.md");
  std::ofstream(path) << "mine\n";
  Screen refused({"lesson", "3", "--transcript", path}, options());
  EXPECT_EQ(refused.exit_code(), 4);
  EXPECT_EQ(refused.output().find("step 1"), std::string::npos);
  EXPECT_EQ(text_of(path), "mine\n");
  Screen forced({"lesson", "3", "--transcript", path, "--force"}, options());
  EXPECT_TRUE(comes_to_hold(path, kMark));
}

TEST_F(TranscriptTest, WithWholeLinesInsteadOfKeys) {
  const std::string path = file("x.py");
  Screen screen({"lesson", "3", "--accessible", "--transcript", path}, options());
  ASSERT_TRUE(screen.expect("step 1 of 55>"));
  screen.type("yes\n");
  EXPECT_TRUE(comes_to_hold(path, "`yes`"));
  screen.type("quit\n");
  EXPECT_EQ(screen.exit_code(), 0);
}

}  // namespace
}  // namespace attn
