// Runs that follow from a name: every lesson holds in them, and they differ.
#include "engine/student.h"

#include <gtest/gtest.h>

#include <set>
#include <span>

#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "tests/engine/run.h"

namespace attn {
namespace {

TEST(StudentKey, ComparesNamesAsPeopleDo) {
  EXPECT_EQ(student_key("  Mina   KIM "), student_key("mina kim"));
  EXPECT_EQ(student_key("Zoe\xCC\x88"), student_key("Zo\xC3\xAB"));                             // U+0308
  EXPECT_EQ(student_key("\xE1\x84\x80\xE1\x85\xB5\xE1\x86\xB7"), student_key("\xEA\xB9\x80"));  // 김
  EXPECT_NE(student_key("Mina Kim"), student_key("Mina Lim"));
}

TEST(StudentRun, EveryLessonHoldsInIt) {
  constexpr const char* kNames[] = {"Ada", "Mina Kim", "김민수", "Zoë", "Bob", "José", "Li Wei", "o'Neil"};
  const Catalogue catalogue = Catalogue::built_in();
  for (const CatalogueEntry& entry : catalogue.entries()) {
    const std::span<const char* const> names = std::span(kNames).first(runs_in_tests(entry.id, std::size(kNames)));
    if (names.empty()) continue;
    LoadFindings findings;
    const Lesson lesson = catalogue.open(entry, findings);
    const Trace own = run_lesson(lesson);
    std::set<std::map<std::string, std::string>> sizes;
    std::set<std::int64_t> seeds;
    for (const char* name : names) {
      const RunOptions options = student_run(lesson, own, name);
      ASSERT_TRUE(options.seed) << lesson.id << " " << name;
      seeds.insert(*options.seed);
      sizes.insert(options.set);
      const Trace trace = run_lesson(lesson, options);
      EXPECT_EQ(trace.outcome, RunOutcome::Fine) << lesson.id << " " << name;
      EXPECT_EQ(trace.diagnostics.size(), own.diagnostics.size()) << lesson.id << " " << name;
      ASSERT_EQ(trace.blocks.size(), own.blocks.size());
      for (std::size_t i = 0; i < own.blocks.size(); ++i) {
        const CellRecord* here = std::get_if<CellRecord>(&trace.blocks[i]);
        const CellRecord* there = std::get_if<CellRecord>(&own.blocks[i]);
        if (!here || !here->question) continue;
        EXPECT_EQ(here->question->raises, there->question->raises) << lesson.id << " " << name;
        EXPECT_EQ(here->question->effect, there->question->effect) << lesson.id << " " << name << here->ordinal;
      }
    }
    EXPECT_EQ(seeds.size(), names.size()) << lesson.id;
    if (names.size() > 2) {
      EXPECT_GE(sizes.size(), 2u) << lesson.id << ": all have the same sizes";
    }
  }
}

}  // namespace
}  // namespace attn
