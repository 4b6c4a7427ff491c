// What stands under the title of a run that was asked for something else than the lesson as it is written.
#include "render/run_note.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "lesson/lesson.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using testing::ElementsAre;

TEST(RunNote, AsksAsOneTypesIt) {
  RunOptions options;
  EXPECT_EQ(asked_text(options), "");
  options.seed = 3;
  options.set = {{"n_heads", "4"}, {"scale", "'by width'"}};
  options.given = {{"the cat", "sat"}, "ids.txt", ""};
  options.given_weights = {"w.npy", {"a.T=b"}};
  EXPECT_EQ(asked_text(options),
            "--seed 3 --set n_heads=4 --set \"scale='by width'\" --text \"the cat\" --text sat --data ids.txt "
            "--weights w.npy --map a.T=b");
  options = {};
  options.given.vocab = "";
  options.given.text = {""};
  EXPECT_EQ(asked_text(options), "--text \"\"");
}

TEST(RunNote, ListsAreCut) {
  RunOptions options;
  options.given.text = std::vector<std::string>(8, "a");
  EXPECT_THAT(asked_text(options), testing::EndsWith("--text a --text a"));
  options.given.text.insert(options.given.text.end(), {"b", "b"});
  EXPECT_THAT(asked_text(options), testing::EndsWith("--text a ... 2 more"));
  options.given.text = {std::string(300, 'x')};
  EXPECT_EQ(display_width(asked_text(options)), 7 + 200);
}

std::vector<std::string> notes_of(const Trace& trace) {
  std::vector<std::string> out;
  for (const Prose& note : run_notes(trace)) out.push_back(plain_text(note.runs));
  return out;
}

TEST(RunNote, SizesOfTheLessonMayBeOthers) {
  Trace trace;
  EXPECT_THAT(notes_of(trace), ElementsAre());
  trace.options.seed = 1;
  EXPECT_THAT(notes_of(trace), ElementsAre("This run has --seed 1."));
  trace.options.set = {{"n", "2"}};
  EXPECT_THAT(notes_of(trace), ElementsAre(testing::StartsWith("This run has --seed 1 --set n=2. ")));
  trace.form = LessonForm::Notebook;
  EXPECT_THAT(notes_of(trace), ElementsAre("This run has --seed 1 --set n=2."));
}

}  // namespace
}  // namespace attn
