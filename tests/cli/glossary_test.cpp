// `help WORD`: what a screen says can be asked about, and the lessons give the checks their names.
#include "render/glossary.h"

#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <set>

#include "base/embedded.h"
#include "base/text.h"
#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "render/callables.h"
#include "text/sentences.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Words of a ledger that nobody has to look up.
const std::set<std::string> kEveryday = {
    "a",       "an",      "than",    "three", "or",    "nothing", "shown",   "there",  "fewer", "all",     "above",
    "alike",   "also",    "and",     "any",   "at",    "axis",    "both",    "bound",  "by",    "changes", "column",
    "columns", "False",   "first",   "from",  "given", "has",     "in",      "is",     "its",   "kept",    "line",
    "lines",   "made",    "max",     "looks", "most",  "mean",    "min",     "more",   "names", "no",      "not",
    "number",  "numbers", "of",      "one",   "other", "record",  "round",   "rounds", "row",   "run",     "same",
    "size",    "step",    "stored",  "that",  "the",   "this",    "through", "times",  "to",    "True",    "two",
    "were",    "with",    "writing", "full",  "jumps", "shares",  "type",    "places", "for",   "No",      "There",
    "been",    "yet",     "place",   "as",    "along", "differs", "rest"};

bool has_help(const std::string& word) { return glossary_entry(word) || !callable_details(word).empty(); }

TEST(Glossary, KnowsTheWordsOfLedgersAndSummaries) {
  const std::regex about(
      "(op|summary|slice|inspect|heatmap|numbers)(\\..*)?|weights\\.(row|vector|even|any|entropy).*");
  const std::regex blank("\\{[^}]*\\}"), word("[A-Za-z][A-Za-z-]*");
  for (const Sentence& sentence : sentences()) {
    if (!std::regex_match(std::string(sentence.id), about)) continue;
    const std::string text = std::regex_replace(sentence.text(), blank, "");
    for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
      EXPECT_TRUE(kEveryday.contains(at->str()) || has_help(at->str())) << sentence.id << ": " << at->str();
  }
}

// What several lessons call an axis is a word of the field; what one alone does, it explains.
TEST(Glossary, KnowsTheOpsAndAxesOfTheLessons) {
  std::set<std::string> ops;
  std::map<std::string, std::set<std::string>> lessons_of_axis;
  const Catalogue catalogue = Catalogue::built_in();
  for (const CatalogueEntry& entry : catalogue.entries()) {
    LoadFindings findings;
    const Trace trace = run_lesson(catalogue.open(entry, findings));
    for (const Op& op : trace.ops) ops.insert(op.name);
    for (const RecordedValue& value : trace.values)
      for (const auto& axis : value.axes) lessons_of_axis[axis.name].insert(entry.id);
  }
  for (const std::string& op : ops) EXPECT_TRUE(has_help(op)) << op;
  for (const auto& [axis, lessons] : lessons_of_axis) {
    EXPECT_TRUE(lessons.size() < 2 || axis.empty() || has_help(axis)) << axis;
  }
}

TEST(Glossary, KnowsTheWordsOfTheField) {
  for (const char* word : {"over",     "view",        "views",     "strides",
                           "entropy",  "contiguous",  "broadcast", "shading",
                           "residual", "logits",      "padding",   "causal",
                           "NaN",      "dot product", "Encoder",   "fully masked row",
                           "permute",  "C3",          "c6",        "change a word and see what moves"})
    EXPECT_TRUE(has_help(word)) << word;
  EXPECT_FALSE(has_help("xyzzy"));
}

TEST(Glossary, NamesNothingTwice) {
  std::set<std::string> names;
  for (const GlossaryEntry& entry : glossary()) {
    for (const std::string& name : entry.names) EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_GE(split_lines(entry.text).size(), 2U) << entry.names.front();
  }
}

// "C3, a sentence alone as in the batch", and only after "C3: **a sentence alone as in the batch**" was said.
TEST(Checks, AreCalledByTheirNamesOnceTheyWereShown) {
  const std::regex check("\\bC[1-9]\\b");
  std::set<std::string> shown;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("lessons/") || !file.path.ends_with(".md")) continue;
    const std::string text(file.bytes);
    for (std::sregex_iterator at(text.begin(), text.end(), check), end; at != end; ++at) {
      const GlossaryEntry* entry = glossary_entry(at->str());
      ASSERT_TRUE(entry && entry->names.size() == 2) << at->str();
      const std::string rest = at->suffix().str().substr(0, 60);
      if (rest.starts_with(": **" + entry->names[1] + "**")) shown.insert(at->str());
      EXPECT_TRUE(rest.starts_with(", " + entry->names[1]) || rest.starts_with(": **" + entry->names[1]))
          << file.path << ": " << at->str() << rest;
      EXPECT_TRUE(shown.contains(at->str())) << file.path << " names " << at->str() << " before it was shown";
    }
  }
  EXPECT_THAT(shown, ElementsAre("C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9"));
}

}  // namespace
}  // namespace attn
