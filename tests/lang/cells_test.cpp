// The language tested in itself: every case of tests/cells/*.py, with what it has to print on the lines concerned. How
// a case is written stands in tests/cells/README.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "printed.h"
#include "python/evaluator.h"
#include "python/interpreter.h"
#include "python/types/methods.h"
#include "tests/lang/run_cell.h"

namespace attn {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(ATTN_SOURCE_DIR) / "tests/cells";
constexpr std::string_view kCase = "# case: ", kExpect = "# expect", kError = " error[";

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".py") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(kFolder / (file + ".py"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Expectation {
  int line;
  std::string text;
  bool is_type = false;  // of an error, whose text does not count
};

struct CellCase {
  std::string name;
  int line = 0;
  std::string code;  // the lines above the first case and its own at their places, the others empty
  std::vector<Expectation> printed;
  std::vector<Expectation> error;  // at most one: "TypeError: text"
};

// What the comment on a line says, if it says anything: "# expect: TEXT", "# expect error[TYPE]: TEXT" or, where the
// text does not count, "# expect error[TYPE]".
void read_expectation(const std::string& line, int number, CellCase& out) {
  const std::size_t at = line.rfind(kExpect);
  if (at == std::string::npos) return;
  std::string_view rest = std::string_view(line).substr(at + kExpect.size());
  const bool is_error = rest.starts_with(kError);
  std::string type;
  if (is_error) {
    const std::size_t end = std::min(rest.find(']'), rest.size() - 1);
    type = rest.substr(kError.size(), end - kError.size());
    rest.remove_prefix(end + 1);
  }
  if (is_error && rest.empty()) return out.error.push_back({number, type + ": ", true});
  if (!rest.starts_with(':')) return;
  rest.remove_prefix(std::min<std::size_t>(2, rest.size()));
  if (is_error) {
    out.error.push_back({number, type + ": " + std::string(rest)});
  } else {
    out.printed.push_back({number, std::string(rest)});
  }
}

std::vector<CellCase> cases_of(const std::string& file) {
  const std::vector<std::string> lines = lines_of(file);
  std::string above;  // every case
  std::vector<CellCase> cases;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    if (lines[i].starts_with(kCase)) {
      cases.push_back({lines[i].substr(kCase.size()), number, above, {}, {}});
      const auto written = std::count(above.begin(), above.end(), '\n');
      cases.back().code.append(i - static_cast<std::size_t>(written), '\n');
    }
    (cases.empty() ? above : cases.back().code) += lines[i] + "\n";
    if (!cases.empty()) read_expectation(lines[i], number, cases.back());
  }
  return cases;
}

// ---- running ----

// "TypeError: text"; what is refused is "unsupported: text".
std::string text_of(const CellError& error) {
  const std::string type = error.diagnostic().code == Code::Unsupported ? "unsupported" : error.type();
  const std::string message = error.what();
  if (message == type) return type + ": ";
  return message.starts_with(type + ": ") ? message : type + ": " + message;
}

struct Outcome {
  std::vector<std::string> printed;
  std::vector<Expectation> error;
};

Outcome run(const std::string& file, const CellCase& test) {
  const Source source{file + ".py", test.code, 1};
  PrintCollector out;
  Outcome outcome;
  {
    const LimitScope limits{limits_of_this_stack()};
    InterpreterOptions options;
    options.strict_axis_comments = false;  // "# expect: (1, 2)" is none
    Interpreter interpreter(&out, options);
    try {
      interpreter.run(source);
    } catch (const CellError& error) {
      outcome.error.push_back({position_of(source, error.diagnostic().span.begin).line, text_of(error)});
    } catch (const LimitReached& limit) {
      outcome.error.push_back({0, std::string("limit: ") + limit.what()});
    }
  }
  std::istringstream text(out.text_);
  for (std::string line; std::getline(text, line);) outcome.printed.push_back(line);
  return outcome;
}

/// The first thing in which the case did not do what its comments say.
void check(const std::string& file, const CellCase& test) {
  const Outcome outcome = run(file, test);
  const std::string path = (kFolder / (file + ".py")).string();
  const auto fail = [&](int line, const std::string& what) {
    ADD_FAILURE_AT(path.c_str(), line) << test.name << ": " << what;
  };
  const std::string stopped =
      outcome.error.empty() ? ""
                            : fmt::format("\n  stopped by {} (line {})", outcome.error[0].text, outcome.error[0].line);
  for (std::size_t i = 0; i < std::max(test.printed.size(), outcome.printed.size()); ++i) {
    if (i >= test.printed.size()) return fail(test.line, "printed without being expected: " + outcome.printed[i]);
    const auto& [line, text, is_type] = test.printed[i];
    if (i >= outcome.printed.size()) return fail(line, "not printed: " + text + stopped);
    if (outcome.printed[i] != text) return fail(line, "\n  expected " + text + "\n  printed  " + outcome.printed[i]);
  }
  if (test.error.empty()) return outcome.error.empty() ? void() : fail(outcome.error[0].line, outcome.error[0].text);
  const auto& [line, text, is_type] = test.error[0];
  if (outcome.error.empty()) return fail(line, "did not raise " + text);
  if (is_type ? !outcome.error[0].text.starts_with(text) : outcome.error[0].text != text)
    return fail(line, "\n  expected " + text + "\n  raised   " + outcome.error[0].text);
  if (outcome.error[0].line != line) fail(line, fmt::format("raised on line {}: {}", outcome.error[0].line, text));
}

class Cells : public testing::TestWithParam<std::string> {};

TEST_P(Cells, DoWhatTheirCommentsSay) {
  for (const CellCase& test : cases_of(GetParam())) check(GetParam(), test);
}

INSTANTIATE_TEST_SUITE_P(Files, Cells, testing::ValuesIn(files()), [](const auto& file) { return file.param; });

TEST(CellCases, EveryOneExpectsSomethingAndThereAreMany) {
  std::size_t count = 0;
  for (const std::string& file : files()) {
    for (const CellCase& test : cases_of(file)) {
      ++count;
      EXPECT_FALSE(test.printed.empty() && test.error.empty()) << file << ".py:" << test.line << " expects nothing";
      EXPECT_LE(test.error.size(), 1u) << file << ".py:" << test.line << " expects two errors";
    }
  }
  EXPECT_GE(count, 250u);
}

std::string text_of_file(const std::string& file) {
  std::string text;
  for (const std::string& line : lines_of(file)) text += line + "\n";
  return text;
}

// As a whole word.
bool names(const std::string& text, const std::string& word) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (!(at > 0 && is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

TEST(CellCases, EveryBuiltInFunctionHasOne) {
  std::string all;
  for (const std::string& file : files()) all += text_of_file(file);
  for (const std::string& name : builtin_names()) EXPECT_TRUE(names(all, name)) << name;
}

TEST(CellCases, EveryMethodHasOne) {
  struct Owner {
    const char* file;
    std::span<const Method> methods;
  };
  const Owner owners[] = {{"str_methods", string_methods()},  {"list_methods", list_methods()},
                          {"tuple_methods", tuple_methods()}, {"tuple_methods", size_methods()},
                          {"dict_methods", dict_methods()},   {"set_methods", set_methods()}};
  for (const auto& [file, methods] : owners) {
    const std::string text = text_of_file(file);
    for (const Method& method : methods)
      EXPECT_NE(text.find("." + std::string(method.name) + "("), std::string::npos) << file << ": " << method.name;
  }
}

}  // namespace
}  // namespace attn
