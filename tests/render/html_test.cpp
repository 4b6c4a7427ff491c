// Pages as a browser reads them: a strict little reader of tags stands in for it, so that the tests need no browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/embedded.h"
#include "base/sha256.h"
#include "base/text.h"
#include "render/formats.h"
#include "render/html/arithmetic.h"
#include "render/html/steps.h"
#include "render/html/text.h"
#include "tensor/core/read.h"
#include "tests/render/lesson_traces.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What a page is made of. `problem` is the first thing that is not well-formed.
struct ReadPage {
  std::set<std::string> tags, attributes;
  std::vector<std::string> sources;  // of attributes that would load something
  std::vector<std::string> ids, scripts;
  std::string text, policy, problem;
};

const std::set<std::string> kVoid = {"meta", "br", "hr", "input"};

/// Reads <tag name="value">, </tag> and text; everything else is a problem.
class PageReader {
 public:
  explicit PageReader(const std::string& page) : page_(page) {}

  ReadPage read() {
    const std::string doctype = "<!DOCTYPE html>\n";
    if (page_.starts_with(doctype)) at_ = doctype.size();
    else fail("doctype");
    while (read_.problem.empty() && at_ < page_.size()) page_[at_] == '<' ? tag() : text();
    if (!open_.empty()) fail("not closed: " + open_.back());
    return std::move(read_);
  }

 private:
  void fail(const std::string& problem) {
    if (read_.problem.empty()) read_.problem = problem + " at " + page_.substr(at_, 80);
  }

  void text() {
    const std::size_t end = std::min(page_.find('<', at_), page_.size());
    const std::string text = page_.substr(at_, end - at_);
    static const std::regex kBareSign("&(?!(amp|lt|gt|quot|#39);)|>");
    if (std::regex_search(text, kBareSign)) fail("sign that is not escaped: " + text);
    read_.text += text;
    at_ = end;
  }

  void tag() {
    static const std::regex kTag("<(/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:=\"[^\"<>]*\")?)*)(/?)>");
    std::smatch found;
    const auto begin = page_.cbegin() + static_cast<std::ptrdiff_t>(at_);
    if (!std::regex_search(begin, page_.cend(), found, kTag, std::regex_constants::match_continuous))
      return fail("no tag");
    const std::string name = found[2];
    at_ += static_cast<std::size_t>(found.length());
    if (found[1].length() > 0) return close(name);
    attributes(name, found[3]);
    read_.tags.insert(name);
    if (found[4].length() > 0) return name == "path" ? void() : fail("only parts of drawings close themselves");
    if (kVoid.contains(name)) return;
    open_.push_back(name);
    if (name == "script" || name == "style") raw(name);
  }

  void close(const std::string& name) {
    if (open_.empty() || open_.back() != name) return fail("</" + name + "> closes nothing");
    open_.pop_back();
  }

  void raw(const std::string& name) {
    const std::size_t end = page_.find("</" + name, at_);
    if (end == std::string::npos) return fail("endless " + name);
    if (name == "script") read_.scripts.push_back(page_.substr(at_, end - at_));
    at_ = end;
  }

  void attributes(const std::string& tag, const std::string& all) {
    static const std::regex kAttribute(" ([a-z-]+)(?:=\"([^\"]*)\")?");
    for (std::sregex_iterator it(all.begin(), all.end(), kAttribute), end; it != end; ++it) {
      const std::string name = (*it)[1], value = (*it)[2];
      read_.attributes.insert(name);
      if (name == "id") read_.ids.push_back(value);
      if (name == "src" || name == "srcset" || name == "data" || name == "poster" || (name == "href" && tag != "a"))
        read_.sources.push_back(value);
      if (name == "content" && value.starts_with("default-src")) read_.policy = value;
    }
  }

  const std::string& page_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  ReadPage read_;
};

ReadPage read_page(const std::string& page) { return PageReader(page).read(); }

std::string_view embedded(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return file.bytes;
  return {};
}

nlohmann::json data_of(const ReadPage& page) { return nlohmann::json::parse(page.scripts.at(0)); }

/// What a reader hears who goes from one region to the next.
std::vector<std::string> labels_of_regions(const std::string& page) {
  constexpr std::string_view kRegion = "role=\"region\" tabindex=\"0\" aria-label=\"";
  std::vector<std::string> labels;
  for (std::size_t at = page.find(kRegion); at != std::string::npos; at = page.find(kRegion, at + 1)) {
    const std::size_t begin = at + kRegion.size();
    labels.push_back(page.substr(begin, page.find('"', begin) - begin));
  }
  return labels;
}

TEST(EveryLesson, IsAPageThatIsWellFormedAndLoadsNothing) {
  for (const Trace& trace : test::lesson_traces()) {
    const std::string bytes = find_format("html")->render(trace, {});
    const ReadPage page = read_page(bytes);
    EXPECT_EQ(page.problem, "") << trace.path;
    const std::vector<std::string> labels = labels_of_regions(bytes);
    EXPECT_FALSE(labels.empty()) << trace.path;
    EXPECT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), labels.size()) << trace.path;
    EXPECT_TRUE(page.sources.empty()) << trace.path;
    EXPECT_EQ(page.tags.count("link") + page.tags.count("img") + page.tags.count("iframe"), 0u) << trace.path;
    EXPECT_EQ(std::set<std::string>(page.ids.begin(), page.ids.end()).size(), page.ids.size()) << trace.path;
    EXPECT_TRUE(data_of(page).contains("values")) << trace.path;
    for (const std::string& name : page.attributes)
      EXPECT_FALSE(name.starts_with("on") || name == "style") << name << " would not work under the policy";
  }
}

TEST(Html, ThePolicyAllowsItsOwnStyleAndScriptAlone) {
  const ReadPage page = read_page(find_format("html")->render(test::lesson_trace(0), {}));
  EXPECT_THAT(page.policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page.policy, Not(HasSubstr("unsafe")));
  EXPECT_THAT(page.policy, HasSubstr("script-src 'sha256-" + base64(sha256(page.scripts.at(1))) + "'"));
  std::vector<std::string_view> files = {embedded("data/page.css")};
  for (const EmbeddedFile& file : embedded_files())
    if (file.path.starts_with("data/page/")) files.push_back(file.bytes);
  EXPECT_GT(files.size(), 5u);
  for (const std::string_view file : files) {
    ASSERT_FALSE(file.empty());
    for (const std::string_view load : {"http", "url(", "@import", "fetch(", "import(", "innerHTML", "eval("})
      EXPECT_EQ(file.find(load), std::string_view::npos) << load;
  }
}

TEST(Html, TheScriptIsAllOfItsPartsWithoutTheirComments) {
  const std::string script = read_page(find_format("html")->render(test::lesson_trace(0), {})).scripts.at(1);
  EXPECT_THAT(script, testing::StartsWith("\"use strict\";\n"));
  EXPECT_THAT(script, Not(HasSubstr("\n//")));
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("data/page/")) continue;
    for (const std::string_view line : split_lines(file.bytes)) {
      const std::string_view code = trim(line);
      if (!code.starts_with("//")) {
        EXPECT_THAT(script, HasSubstr(std::string(code))) << file.path;
      }
    }
  }
}

TEST(Html, TextThatWantsToDoHarmIsShown) {
  const std::string bytes = find_format("html")->render(test::hostile_trace(), {});
  const ReadPage page = read_page(bytes);
  EXPECT_EQ(page.problem, "");
  EXPECT_EQ(page.scripts.size(), 2u);
  EXPECT_FALSE(page.tags.contains("img"));
  EXPECT_FALSE(page.attributes.contains("onerror") || page.attributes.contains("onclick"));
  EXPECT_THAT(page.text, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  for (const std::string sign : {"\x1b", "\a", "\u202e", "\u2066", "\u009b"})
    EXPECT_EQ(bytes.find(sign), std::string::npos);
}

TEST(Html, HostileNamesOfAxesAndWordsStayText) {
  test::TraceBuilder build("</title><script>alert(1)</script>");
  build.cell("x = 1\n");
  const std::string evil = "</script><script>alert(1)//\" onfocus=\"a\xe2\x80\xae";
  build.bind(evil, build.tensor(test::counting({2, 2, 2}), {evil, evil, evil}, {evil, "b"}));
  const std::string bytes = find_format("html")->render(build.trace, {});
  const ReadPage page = read_page(bytes);
  EXPECT_EQ(page.problem, "");
  EXPECT_EQ(page.scripts.size(), 2u);
  EXPECT_FALSE(page.attributes.contains("onfocus"));
  EXPECT_EQ(bytes.find("\xe2\x80\xae"), std::string::npos);
}

TEST(Html, IsTheSameTwiceAndNotTooLarge) {
  constexpr std::size_t kLargest[] = {250'000, 3'000'000};  // of lessons 3 and 5
  for (const std::size_t number : {std::size_t{3}, std::size_t{5}}) {
    const Trace trace = test::lesson_trace(number);
    const std::string page = find_format("html")->render(trace, {});
    EXPECT_LT(page.size(), kLargest[number == 5]) << number;
    if (number == 3) {
      EXPECT_EQ(page, find_format("html")->render(trace, {}));
    }
  }
}

TEST(Html, CellsAreColouredByShareOfTheLargestUsualNumber) {
  EXPECT_EQ(heat_class(1, 1), "p8");
  EXPECT_EQ(heat_class(-0.5, 1), "n4");
  EXPECT_EQ(heat_class(0.05, 1), "");
  EXPECT_EQ(heat_class(std::nan(""), 1), "x");
  EXPECT_EQ(heat_class(-HUGE_VAL, 1), "n8");
  EXPECT_EQ(heat_scale(Tensor::from(std::vector<float>{-1e10f, 2, -3}, {3})), 3);
  EXPECT_EQ(heat_scale(Tensor::from(std::vector<float>{-1e10f}, {1})), 1e10f);
}

TEST(Html, QuestionsKeepTheirAnswerFolded) {
  const ReadPage page = read_page(find_format("html")->render(test::lesson_trace(3), {}));
  EXPECT_TRUE(page.attributes.contains("data-ask"));
  EXPECT_FALSE(page.attributes.contains("open"));  // no <details> is open before it is asked for
}

/// The number that the data says a place of a slot leads to.
double operand_at(const Trace& trace, const nlohmann::ordered_json& slot, const Shape& index, std::size_t number) {
  std::int64_t element = 0;
  if (slot.contains("l")) {
    element = slot["l"][number];
  } else {
    element = slot["b"];
    for (std::size_t d = 0; d < index.size(); ++d) element += slot["s"][d].get<std::int64_t>() * index[d];
  }
  return to_double(element_at(trace.values.at(slot["v"].get<std::size_t>()).tensor, element));
}

TEST(HtmlArithmetic, PlacesOfAProductLeadToTheNumbersThatMakeIt) {
  const Trace trace = test::trace_of_file("p.py",
                                          "import torch\n"
                                          "a = torch.arange(12.).view(2, 2, 3) - 5\n"
                                          "b = torch.arange(24.).view(2, 3, 4).permute(0, 1, 2)\n"
                                          "c = a @ b\n"
                                          "d = torch.softmax(c / 50, dim=1)\n");
  LevelExplainer explain(trace);
  const ValueId c = find_bound(trace, "c");
  const nlohmann::ordered_json made = arithmetic_of(trace, explain, c).json;
  ASSERT_EQ(made["forms"].size(), 1u);
  const auto& form = made["forms"][0];
  const auto& terms = form["pieces"][0];
  EXPECT_EQ(terms["n"], 3);
  EXPECT_EQ(terms["of"].dump(), R"([0," * ",1])");
  const RecordedValue& value = trace.value(c);
  for (std::int64_t number = 0; number < value.tensor.numel(); ++number) {
    double sum = 0;
    for (std::int64_t term = 0; term < 3; ++term) {
      double product = 1;
      for (const std::size_t slot : {0u, 1u}) {
        nlohmann::ordered_json place = form["slots"][slot];
        place["b"] = place["b"].get<std::int64_t>() + terms["step"][std::to_string(slot)].get<std::int64_t>() * term;
        product *= operand_at(trace, place, unravel(number, value.shape), static_cast<std::size_t>(number));
      }
      sum += product;
    }
    EXPECT_EQ(sum, to_double(element_at(value.tensor, number))) << number;
  }
}

TEST(HtmlArithmetic, AMaskHasAFormForEachOfItsSides) {
  const Trace trace = test::trace_of_file("p.py",
                                          "import torch\n"
                                          "mask = torch.tensor([1, 0, 1])\n"
                                          "x = torch.arange(6.).view(2, 3)\n"
                                          "y = x.masked_fill(mask == 0, -1e10)\n");
  LevelExplainer explain(trace);
  const Arithmetic made = arithmetic_of(trace, explain, find_bound(trace, "y"));
  ASSERT_FALSE(made.json.is_null());
  EXPECT_TRUE(made.operands.contains(find_bound(trace, "x")));
  const RecordedValue& x = trace.value(find_bound(trace, "x"));
  EXPECT_EQ(x.tensor.numel(), 6);
}

TEST(Mathml, ShowsTheListedPartOfLatex) {
  const std::pair<const char*, const char*> kCases[] = {
      {"x", "<mi>x</mi>"},
      {"12", "<mn>12</mn>"},
      {"\\frac{a}{2}", "<mfrac><mrow><mrow><mi>a</mi></mrow></mrow><mrow><mrow><mn>2</mn></mrow></mrow></mfrac>"},
      {"\\sqrt d", "<msqrt><mrow><mi>d</mi></mrow></msqrt>"},
      {"K^\\top", "<msup><mi>K</mi><mrow><mrow><mi>⊤</mi></mrow></mrow></msup>"},
      {"\\sum_i", "<munder><mo>∑</mo><mrow><mrow><mi>i</mi></mrow></mrow></munder>"},
      {"\\text{a<b}", "<mtext>a&lt;b</mtext>"},
      {"\\nosuch", "<mtext>\\nosuch</mtext>"},
      {"a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"},
  };
  for (const auto& [latex, inside] : kCases)
    EXPECT_EQ(formula_mathml(latex), "<math><mrow>" + std::string(inside) + "</mrow></math>") << latex;
}

TEST(Mathml, EndsWhateverStandsInAFormula) {
  for (const std::string latex :
       {"", "}", "{", "^", "a^", "_^_", "\\", "\\frac", "\\sqrt[", "\\text{", "{{{}", "a_b_c^d"}) {
    const std::string page = "<!DOCTYPE html>\n" + formula_mathml(latex);
    EXPECT_EQ(read_page(page).problem, "") << latex;
  }
  const std::string deep =
      "<!DOCTYPE html>\n" + formula_mathml(std::string(900, '{') + "\\frac" + std::string(900, '^'));
  EXPECT_EQ(read_page(deep).problem, "");
}

TEST(HtmlText, ListsAndQuotesAreClosed) {
  const Trace trace = test::trace_of_file(
      "01-l.md",
      "# L\n\nP.\n\n- a\n  - b\n- c\n\n3. d\n4. e\n\n> q\n>\n> - r\n\n| a | b |\n|---|--:|\n| 1 | 2 "
      "|\n\n[x](javascript:alert(1)) [y](02-heads.md) [z](https://example.org)\n");
  const std::string bytes = find_format("html")->render(trace, {});
  const ReadPage page = read_page(bytes);
  EXPECT_EQ(page.problem, "");
  EXPECT_THAT(bytes, HasSubstr("<ol start=\"3\"><li><p>d</p>"));
  EXPECT_THAT(bytes, HasSubstr("<a href=\"02-heads.html\""));
  EXPECT_THAT(bytes, Not(HasSubstr("href=\"javascript")));
}

}  // namespace
}  // namespace attn
