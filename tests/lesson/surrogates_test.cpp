#include <gtest/gtest.h>

#include "lesson/program.h"

namespace attn {
namespace {

TEST(Surrogates, AloneAreReplacedInPairsKept) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"("plain")", R"("plain")"},
      {R"("\ud83d\ude00")", R"("\ud83d\ude00")"},
      {R"("\uD83D\uDE00")", R"("\uD83D\uDE00")"},
      {R"("\ud83d")", R"("\ufffd")"},
      {R"("\ude00")", R"("\ufffd")"},
      {R"("\ud83d\ud83d\ude00")", R"("\ufffd\ud83d\ude00")"},
      {R"("\ude00\ud83d")", R"("\ufffd\ufffd")"},
      {R"("\ud83dx\ude00")", R"("\ufffdx\ufffd")"},
      {R"("\\ud83d")", R"("\\ud83d")"},  // a backslash and letters
      {R"("\\\ud83d")", R"("\\\ufffd")"},
      {R"("\ud83d\\ude00")", R"("\ufffd\\ude00")"},
      {R"("\u00e9\n\ud7ff\ue000")", R"("\u00e9\n\ud7ff\ue000")"},
      {R"("\u-83d \ud8)", R"("\u-83d \ud8)"},  // no JSON: left to the parser
      {"\\", "\\"},
  };
  for (const auto& [json, expected] : kCases) EXPECT_EQ(without_lone_surrogates(json), expected) << json;
}

}  // namespace
}  // namespace attn
