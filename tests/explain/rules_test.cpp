// Every rule that an op can break: it has a sentence, and a case here breaks it. The ids are read from the source of
// the ops, so a new rule without either fails.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "base/text.h"
#include "engine/evaluate.h"
#include "explain/messages.h"
#include "text/say.h"
#include "text/sentences.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

struct RuleCase {
  std::string rule;
  std::string code;
};

// Every case begins with these names.
const std::string kNames =
    "x = torch.arange(6.).view(2, 3)\nv = torch.ones(3)\ni = torch.tensor([0, 1])\nb = torch.ones(2, 3) > 0\n"
    "e = torch.zeros(0)\ns = torch.tensor(1.)\nc = torch.zeros(2, 3, 4)\n";

/// "rule: code" on each line; every code is one that breaks the rule.
std::vector<RuleCase> cases() {
  std::vector<RuleCase> out;
  std::ifstream in(fs::path(ATTN_SOURCE_DIR) / "tests/explain/rule_cases.txt");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    out.push_back({line.substr(0, colon), std::string(trim(std::string_view(line).substr(colon + 2)))});
    std::string& code = out.back().code;
    for (std::size_t at; (at = code.find("\\n")) != std::string::npos;) code.replace(at, 2, "\n");
  }
  return out;
}

/// The ids as the ops write them: throw_shape("view.numel", ...), TensorError("broadcast", ...).
std::set<std::string> rules_of_sources() {
  const std::regex call(
      R"re(\b(TensorError|refuse\w*|throw_value|throw_shape|fail)\(\s*"([a-z_0-9]+(\.[a-z_0-9]+)?)",)re");
  std::set<std::string> rules;
  for (const char* folder : {"tensor", "python", "torch", "nn"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ATTN_SOURCE_DIR) / "src" / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path());
      std::stringstream text;
      text << in.rdbuf();
      const std::string source = text.str();
      for (std::sregex_iterator at(source.begin(), source.end(), call), end; at != end; ++at)
        rules.insert(((*at)[1] == "refuse_einsum" ? "einsum." : "") + (*at)[2].str());
    }
  }
  return rules;
}

TEST(Rules, EachHasASentenceAndACase) {
  std::set<std::string> told, broken;
  for (const Sentence& sentence : sentences())
    if (sentence.id.starts_with("rule.")) told.insert(std::string(sentence.id.substr(5)));
  for (const RuleCase& each : cases()) broken.insert(each.rule);
  broken.insert("linear.weight");  // of the tensor layer alone: no cell reaches it
  const std::set<std::string> rules = rules_of_sources();
  EXPECT_GT(rules.size(), 150u);
  for (const std::string& rule : rules) {
    EXPECT_TRUE(told.contains(rule)) << "no sentence in data/text/en.txt: " << rule;
    EXPECT_TRUE(broken.contains(rule)) << "no case breaks it: " << rule;
  }
  for (const std::string& rule : told) EXPECT_TRUE(broken.contains(rule)) << "a sentence that no case says: " << rule;
}

TEST(Rules, EachCaseBreaksItsRuleAndIsExplained) {
  for (const RuleCase& each : cases()) {
    const Evaluation result = evaluate_code(kNames + each.code);
    if (!result.error) {
      ADD_FAILURE() << each.code << " runs";
      continue;
    }
    EXPECT_EQ(result.error->rule, each.rule) << each.code << ": " << result.error->message;
    const Diagnostic told = explained(*result.error);
    EXPECT_TRUE(told.message != result.error->message || told.message == say("rule." + each.rule)) << each.rule;
    // The fix is code that runs: put in the place of the call, the same program goes on.
    if (told.tried.code.empty()) continue;
    EXPECT_FALSE(evaluate_code(kNames + told.tried.code).error) << each.code << " -> " << told.tried.code;
  }
}

}  // namespace
}  // namespace attn
