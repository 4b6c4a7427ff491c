#include "render/session.h"

#include <algorithm>

#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

Run text_run(std::string text) {
  Run run;
  run.text = std::move(text);
  return run;
}

Run code_run(std::string text) {
  Run run = text_run(std::move(text));
  run.code = true;
  return run;
}

Prose paragraph(Runs runs) {
  Prose prose;
  prose.runs = std::move(runs);
  return prose;
}

Prose label(const std::string& text) {
  Run run = text_run(text);
  run.strong = true;
  return paragraph({run});
}

Prose title() {
  Prose prose = paragraph({text_run(say("record.title"))});
  prose.kind = Prose::Kind::Heading;
  prose.level = 2;
  prose.line = 0;  // it stands in no file, and its anchor is its own
  return prose;
}

Prose parameters(const SessionRecord& session) {
  Runs runs{text_run(say("record.parameters") + " ")};
  for (std::size_t i = 0; i < session.parameters.size(); ++i) {
    if (i > 0) runs.push_back(text_run(", "));
    runs.push_back(code_run(session.parameters[i].first + " = " + session.parameters[i].second));
  }
  return paragraph(std::move(runs));
}

/// "right after 2 wrong answers with 1 hint"
std::string outcome(const SessionAnswer& answer) {
  constexpr const char* kIds[] = {"record.right", "record.wrong", "record.skipped"};  // in the order of Mark
  std::string text = say(kIds[static_cast<std::size_t>(answer.mark)]);
  const int before = answer.tries - (answer.mark == Mark::Wrong ? 1 : 0);
  if (before > 0) text += " " + say_count("record.tries", before);
  if (answer.hints > 0) text += " " + say_count("record.hints", answer.hints);
  return text;
}

std::string score(const SessionRecord& session) {
  const auto count = [&](Mark mark) {
    return std::to_string(std::count_if(session.answers.begin(), session.answers.end(),
                                        [&](const SessionAnswer& answer) { return answer.mark == mark; }));
  };
  return say("session.score",
             {{"right", count(Mark::Right)}, {"wrong", count(Mark::Wrong)}, {"skipped", count(Mark::Skipped)}});
}

/// In a cell of a table a text has one line.
Runs given(const SessionAnswer& answer) {
  if (answer.given.empty()) return {};
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(answer.given)) lines.emplace_back(line);
  return {code_run(join(lines, "\\n"))};
}

Prose answers(const SessionRecord& session) {
  Prose table;
  table.kind = Prose::Kind::Table;
  table.aligns = {Align::Right, Align::Default, Align::Default, Align::Default, Align::Default};
  auto& head = table.rows.emplace_back();
  for (const char* id : {"record.step", "record.question", "record.given", "record.correct", "record.outcome"})
    head.push_back({text_run(say(id))});
  for (const SessionAnswer& answer : session.answers) {
    table.rows.push_back({{text_run(std::to_string(answer.step))},
                          {text_run(answer.question)},
                          given(answer),
                          {text_run(answer.correct)},
                          {text_run(outcome(answer))}});
  }
  return table;
}

/// ">>> x" and what it gave, as at Python's own prompt.
std::string prompt_text(const SessionLine& line) {
  std::string out;
  for (const std::string_view part : split_lines(line.code))
    out.append(out.empty() ? ">>> " : "... ").append(part) += '\n';
  out += line.result;
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out;
}

/// Lines that were typed at one step one after the other stand together.
void put_typed(const SessionRecord& session, std::vector<Prose>& out) {
  for (std::size_t i = 0; i < session.typed.size(); ++i) {
    const SessionLine& line = session.typed[i];
    if (i == 0 || line.step != session.typed[i - 1].step) {
      out.push_back(paragraph({text_run(line.step > 0 ? say("record.at", {{"step", std::to_string(line.step)}})
                                                      : say("record.elsewhere"))}));
      Prose& code = out.emplace_back();
      code.kind = Prose::Kind::Code;
      code.language = "pycon";
    }
    out.back().text += prompt_text(line);
  }
}

}  // namespace

std::vector<Prose> session_prose(const SessionRecord& session) {
  std::vector<Prose> out{title()};
  out.push_back(
      paragraph({text_run(say(session.finished ? "record.finished" : "record.place",
                              {{"step", std::to_string(session.step)}, {"steps", std::to_string(session.steps)}}))}));
  if (!session.began.empty())
    out.push_back(paragraph({text_run(say("record.times", {{"began", session.began}, {"ended", session.ended}}))}));
  if (!session.student.empty())
    out.push_back(paragraph({text_run(say("record.student", {{"name", session.student}}))}));
  if (!session.parameters.empty()) out.push_back(parameters(session));
  if (!session.answers.empty()) {
    out.push_back(label(say("record.answers")));
    out.push_back(answers(session));
    out.push_back(paragraph({text_run(score(session))}));
  }
  if (session.typed.empty()) return out;
  out.push_back(label(say("record.typed")));
  put_typed(session, out);
  return out;
}

}  // namespace attn
