// attn-tutor touch, and lesson --sweep.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Touch, OneSentenceOfABatchMoves) {
  const Ended ended = run_program({"touch", "3", "query[0,1] += 1"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(ended.out, StartsWith("3 A batch of sentences, with one change\n"));
  EXPECT_THAT(ended.out, HasSubstr("energy [batch_size 3, n_heads 2, query_len 5, key_len 6]\n"
                                   "      12 of 180 numbers moved: batch_size 0; query_len 1\n"
                                   "      kept every bit: batch_size 1, 2; query_len 0, 2 to 4\n"));
  EXPECT_THAT(ended.out, HasSubstr("K, V kept every bit\n"));
}

TEST(Touch, AsJson) {
  const Ended ended = run_program({"touch", "3", "key[2] = 0", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const nlohmann::json json = nlohmann::json::parse(ended.out);
  EXPECT_EQ(json["lesson"], "batch");
  EXPECT_EQ(json["change"], "key[2] = 0");
  bool found = false;
  for (const auto& row : json["tensors"]) {
    if (row["name"] != "K") continue;
    found = true;
    EXPECT_EQ(row["change"], "numbers");
    EXPECT_EQ(row["moved"], 48);
    EXPECT_EQ(row["numbers"], 144);
    EXPECT_EQ(row["axes"][0], nlohmann::json::parse(R"({"axis": "batch_size", "moved": [2], "kept": [0, 1]})"));
  }
  EXPECT_TRUE(found);
}

TEST(Touch, TakesSettingsAndScripts) {
  EXPECT_THAT(run_program({"touch", "3", "query[4] += 1", "--set", "batch_size=5"}).out, HasSubstr("batch_size 4\n"));
  const TemporaryFile script("small.py", "import torch\nx = torch.zeros(2, 3)\ny = x + 1\n");
  const Ended ended = run_program({"touch", script.path(), "x[1] = 2"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("y [2, 3]\n      3 of 6 numbers moved: axis 0 at 1\n"));
}

TEST(Touch, MistakesAreUsageErrorsWithACaret) {
  const std::pair<const char*, const char*> rows[] = {
      {"querry[0] += 1", "no step binds querry\n  querry[0] += 1\n  ^~~~~~\n  hint: did you mean query?\n"},
      {"query[9] += 1", "index 9 is outside axis 0 of query (batch_size 3)"},
      {"query = 1", "this does not change what query holds in place"},
  };
  for (const auto& [change, text] : rows) {
    const Ended ended = run_program({"touch", "3", change});
    EXPECT_EQ(ended.code, 2) << change;
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr(text));
  }
  EXPECT_EQ(run_program({"touch", "3"}).code, 2);
  EXPECT_EQ(run_program({"touch", "99", "x += 1"}).code, 2);
}

TEST(Sweep, ShapesSideBySide) {
  const Ended ended = run_program({"lesson", "3", "--sweep", "n_heads=1,2,4,8"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("step  name                  n_heads=1     n_heads=2     n_heads=4\n"));
  EXPECT_THAT(ended.out, HasSubstr("Q_split               [3, 5, 1, 8]  [3, 5, 2, 4]  [3, 5, 4, 2]\n"));
  EXPECT_THAT(ended.out, HasSubstr("query                 [3, 5, 8]     same          same\n"));
  EXPECT_THAT(ended.out, HasSubstr("\nstep  name                  n_heads=8\n")) << "what is too wide goes below";
  EXPECT_THAT(ended.out, HasSubstr("Q_split               [3, 5, 8, 1]\n"));
}

TEST(Sweep, AValueThatBreaksAnAssertionShowsWhy) {
  const Ended ended = run_program({"lesson", "3", "--sweep", "n_heads=2,3"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("n_heads=3 ends with an error at step"));
  EXPECT_THAT(ended.err, HasSubstr("assertion: this must hold: hidden_dim % n_heads == 0, but 8 % 3 is 2\n"));
}

TEST(Sweep, Mistakes) {
  for (const char* text : {"n_heads", "n_heads=", "=1,2", "n_heads=1,,2", "heads=1,2", "n_heads=one,2"}) {
    const Ended ended = run_program({"lesson", "3", "--sweep", text});
    EXPECT_EQ(ended.code, 2) << text << ended.err;
    EXPECT_EQ(ended.out, "");
  }
}

}  // namespace
}  // namespace attn
