#include "stepper/class_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/number.h"
#include "base/text.h"
#include "render/data/csv.h"
#include "render/markdown_prose.h"
#include "render/page.h"
#include "text/say.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

// In the order of Mark.
constexpr const char* kSigns[] = {"+", "-", "."};
constexpr const char* kWords[] = {"right", "wrong", "blank"};

template <class Row>
const auto& of_mark(const Row& row, Mark mark) {
  return row[static_cast<std::size_t>(mark)];
}

int count(const StudentAnswers& student, Mark mark) {
  return static_cast<int>(std::count_if(student.answers.begin(), student.answers.end(),
                                        [&](const BatchAnswer& answer) { return answer.mark == mark; }));
}
int sum(const StudentAnswers& student, int SessionAnswer::*of) {
  int total = 0;
  for (const BatchAnswer& answer : student.answers) total += answer.*of;
  return total;
}

std::size_t question_count(const ClassTable& table) { return table.empty() ? 0 : table.front().answers.size(); }
const BatchAnswer& answer_at(const StudentAnswers& student, std::size_t question) { return student.answers[question]; }

int count_at(const ClassTable& table, std::size_t question, Mark mark) {
  return static_cast<int>(std::count_if(table.begin(), table.end(), [&](const StudentAnswers& student) {
    return answer_at(student, question).mark == mark;
  }));
}

/// Of equally common ones the first. The runs have other numbers: answers that fall into one trap count as one.
struct Commonest {
  const BatchAnswer* answer = nullptr;  // one of them; null: nobody is wrong
  int count = 0;
};
Commonest commonest_wrong(const ClassTable& table, std::size_t question) {
  const auto is_alike = [](const BatchAnswer& a, const BatchAnswer& b) {
    return a.trap == b.trap && (a.trap >= 0 || a.understood == b.understood);
  };
  std::vector<Commonest> found = {{}};
  for (const StudentAnswers& student : table) {
    const BatchAnswer& answer = answer_at(student, question);
    if (answer.mark != Mark::Wrong) continue;
    auto row =
        std::find_if(found.begin() + 1, found.end(), [&](const Commonest& r) { return is_alike(*r.answer, answer); });
    if (row == found.end()) row = found.insert(row, {&answer, 0});
    ++row->count;
  }
  return *std::max_element(found.begin(), found.end(),
                           [](const Commonest& a, const Commonest& b) { return a.count < b.count; });
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string trap_text(const BatchAnswer& answer) { return answer.trap >= 0 ? one_line(join(answer.words, " ")) : ""; }

/// "+-.++ +": groups of five.
std::string in_groups(const std::vector<std::string>& signs) {
  std::string out;
  for (std::size_t i = 0; i < signs.size(); ++i) out += (i > 0 && i % 5 == 0 ? " " : "") + signs[i];
  return out;
}
std::string signs_of(const StudentAnswers& student) {
  std::vector<std::string> signs;
  for (const BatchAnswer& answer : student.answers) signs.emplace_back(of_mark(kSigns, answer.mark));
  return in_groups(signs);
}
/// "1     6     11" above the groups.
std::string group_numbers(std::size_t questions) {
  std::string out;
  for (std::size_t i = 1; i <= questions; i += 5) out += pad_right(std::to_string(i), 6);
  return std::string(trim(out));
}

bool has_sessions(const ClassTable& table) {
  return std::any_of(table.begin(), table.end(), [](const StudentAnswers& student) { return student.is_session; });
}

/// The numbers at the end of a row: right, wrong, blank, and of sessions hints and tries; empty where there are none.
std::vector<std::string> counts_of(const StudentAnswers& student) {
  std::vector<std::string> counts;
  for (const Mark mark : {Mark::Right, Mark::Wrong, Mark::Skipped})
    counts.push_back(std::to_string(count(student, mark)));
  for (const auto of : {&SessionAnswer::hints, &SessionAnswer::tries})
    counts.push_back(student.is_session ? std::to_string(sum(student, of)) : "");
  return counts;
}
std::vector<std::string> count_names() {
  return {say("class.right"), say("class.wrong"), say("class.blank"), say("class.hints"), say("class.tries")};
}

std::string question_counts(const ClassTable& table, std::size_t question) {
  return say("class.counts", {{"right", std::to_string(count_at(table, question, Mark::Right))},
                              {"wrong", std::to_string(count_at(table, question, Mark::Wrong))},
                              {"blank", std::to_string(count_at(table, question, Mark::Skipped))}});
}
std::string wrong_text(const Commonest& wrong) {
  if (wrong.answer->trap >= 0)
    return say_count("class.trap", wrong.count, {{"given", elide(one_line(wrong.answer->understood), 60)}});
  return say_count("class.commonest", wrong.count, {{"given", elide(one_line(wrong.answer->understood), 60)}});
}

}  // namespace

std::string class_text(const ClassTable& table, const RenderOptions& options) {
  if (table.empty()) return {};
  Page page(options);
  int name_width = display_width(say("class.name"));
  for (const StudentAnswers& student : table) name_width = std::max(name_width, display_width(visible(student.name)));
  name_width = std::min(name_width, std::max(12, options.width / 3));
  const std::string numbers = group_numbers(question_count(table));
  const int sign_width = std::max(display_width(numbers), display_width(signs_of(table.front())));
  const std::vector<std::string> names = count_names();
  const std::size_t columns = has_sessions(table) ? names.size() : 3;
  const auto row = [&](const std::string& name, const std::string& signs, const std::vector<std::string>& counts) {
    std::string text =
        pad_right(elide(visible(name), name_width, options.ascii), name_width) + "  " + pad_right(signs, sign_width);
    for (std::size_t i = 0; i < columns; ++i) text += "  " + pad_left(counts[i], display_width(names[i]));
    return text.substr(0, text.find_last_not_of(' ') + 1);
  };
  page.put(row(say("class.name"), numbers, names), Style::Title);
  for (const StudentAnswers& student : table) page.put(row(student.name, signs_of(student), counts_of(student)));
  page.gap();
  page.put(say("class.legend"), Style::Dim);
  page.gap();
  for (std::size_t i = 0; i < question_count(table); ++i) {
    const Page::Indent indent = page.indent(Line(std::to_string(i + 1), Style::Dim).pad_left(4).add("  "), blanks(6));
    page.put(Line(answer_at(table.front(), i).question), 2);
    if (const std::string& code = answer_at(table.front(), i).code; !code.empty()) page.put(Line(visible(code)), 2);
    const Commonest wrong = commonest_wrong(table, i);
    page.put(Line(question_counts(table, i) + (wrong.answer ? " " + wrong_text(wrong) : "")), 2);
    if (wrong.answer && wrong.answer->trap >= 0)
      for (const std::string& words : wrong.answer->words) page.put(Line(words), 2);
  }
  return page.text();
}

std::string class_markdown(const ClassTable& table) {
  const auto text_run = [](const std::string& text, bool code = false) {
    Run run;
    run.text = text;
    run.code = code;
    return Runs{run};
  };
  Prose students, questions;
  students.kind = questions.kind = Prose::Kind::Table;
  const std::size_t count = question_count(table);
  std::vector<Runs> head{text_run(say("class.name"))};
  for (std::size_t i = 0; i < count; ++i) head.push_back(text_run(std::to_string(i + 1)));
  for (const std::string& name : count_names()) head.push_back(text_run(name));
  students.rows.push_back(std::move(head));
  for (const StudentAnswers& student : table) {
    auto& row = students.rows.emplace_back();
    row.push_back(text_run(student.name));
    for (const BatchAnswer& answer : student.answers) row.push_back(text_run(of_mark(kSigns, answer.mark)));
    for (const std::string& number : counts_of(student)) row.push_back(text_run(number));
  }
  students.aligns.assign(students.rows.front().size(), Align::Default);
  std::vector<Runs> titles{{}};
  for (const char* id :
       {"class.question", "class.right", "class.wrong", "class.blank", "class.commonest.title", "class.trap.title"})
    titles.push_back(text_run(say(id)));
  questions.rows.push_back(std::move(titles));
  for (std::size_t i = 0; i < count; ++i) {
    const Commonest wrong = commonest_wrong(table, i);
    auto& row = questions.rows.emplace_back();
    row.push_back(text_run(std::to_string(i + 1)));
    row.push_back(text_run(answer_at(table.front(), i).question + " "));
    if (const std::string& code = answer_at(table.front(), i).code; !code.empty())
      row.back().push_back(text_run(code, true).front());
    for (const Mark mark : {Mark::Right, Mark::Wrong, Mark::Skipped})
      row.push_back(text_run(std::to_string(count_at(table, i, mark))));
    row.push_back(wrong.answer ? text_run(one_line(wrong.answer->understood), true) : Runs{});
    if (wrong.answer) row.back().push_back(text_run(fmt::format(" ({})", wrong.count)).front());
    row.push_back(wrong.answer ? text_run(trap_text(*wrong.answer)) : Runs{});
  }
  questions.aligns.assign(questions.rows.front().size(), Align::Default);
  Prose legend;
  legend.runs = text_run(say("class.legend"));
  return markdown_prose({students, legend, questions});
}

std::string class_csv(const ClassTable& table) {
  std::vector<std::string> head{"name", "file", "run", "right", "wrong", "blank", "hints", "tries"};
  const std::size_t before = head.size();
  for (std::size_t i = 0; i < question_count(table); ++i) head.push_back(std::to_string(i + 1));
  std::string out = csv_row(head);
  for (const StudentAnswers& student : table) {
    // No cell of a row begins with a sign by itself.
    std::vector<std::string> row{student.name, student.file,
                                 replaced(replaced(student.run, "--seed ", "seed="), "--set ", "")};
    for (const std::string& number : counts_of(student)) row.push_back(number);
    for (const BatchAnswer& answer : student.answers) row.emplace_back(of_mark(kWords, answer.mark));
    out += csv_row(row);
  }
  std::vector<std::string> answers(before), traps(before);
  answers[0] = "(" + say("class.commonest.title") + ")";
  traps[0] = "(" + say("class.trap.title") + ")";
  for (std::size_t i = 0; i < question_count(table); ++i) {
    const Commonest wrong = commonest_wrong(table, i);
    answers.push_back(wrong.answer ? wrong.answer->understood : "");
    traps.push_back(wrong.answer ? trap_text(*wrong.answer) : "");
  }
  return out + csv_row(answers) + csv_row(traps);
}

std::string class_json(const ClassTable& table, const std::string& lesson, const std::string& hash) {
  Json questions = Json::array(), students = Json::array();
  for (std::size_t i = 0; i < question_count(table); ++i) {
    const BatchAnswer& any = answer_at(table.front(), i);
    Json row = {{"number", i + 1}, {"step", any.step}, {"question", any.question}, {"code", any.code}};
    for (const Mark mark : {Mark::Right, Mark::Wrong, Mark::Skipped})
      row[of_mark(kWords, mark)] = count_at(table, i, mark);
    row["commonest_wrong"] = nullptr;
    if (const Commonest wrong = commonest_wrong(table, i); wrong.answer)
      row["commonest_wrong"] = {
          {"answer", wrong.answer->understood}, {"count", wrong.count}, {"trap", trap_text(*wrong.answer)}};
    questions.push_back(row);
  }
  for (const StudentAnswers& student : table) {
    Json answers = Json::array();
    for (std::size_t i = 0; i < student.answers.size(); ++i) {
      const BatchAnswer& answer = student.answers[i];
      Json row = {{"number", i + 1},         {"step", answer.step},       {"mark", of_mark(kWords, answer.mark)},
                  {"given", answer.given},   {"correct", answer.correct}, {"why", answer.words},
                  {"trap", answer.trap >= 0}};
      if (student.is_session) row.update({{"hints", answer.hints}, {"tries", answer.tries}});
      answers.push_back(row);
    }
    Json row = {{"name", student.name}, {"file", student.file}, {"run", student.run}};
    for (const Mark mark : {Mark::Right, Mark::Wrong, Mark::Skipped}) row[of_mark(kWords, mark)] = count(student, mark);
    if (student.is_session)
      row.update({{"hints", sum(student, &SessionAnswer::hints)}, {"tries", sum(student, &SessionAnswer::tries)}});
    row["answers"] = answers;
    students.push_back(row);
  }
  const Json out = {{"lesson", lesson}, {"hash", hash}, {"questions", questions}, {"students", students}};
  return json_text(out, 2) + "\n";
}

}  // namespace attn
