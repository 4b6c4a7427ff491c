// attn-tutor grade: what a class has handed in.
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/read_input.h"
#include "cli/trace_result.h"
#include "engine/runner.h"
#include "engine/student.h"
#include "render/data/trace_json.h"
#include "render/formats.h"
#include "render/run_note.h"
#include "stepper/class_table.h"
#include "stepper/question.h"
#include "stepper/sheet.h"
#include "stepper/stepper.h"
#include "stepper/steps.h"
#include "text/say.h"

namespace attn {
namespace {

UserError refusal(std::string_view id, Words words, const std::string& hint = {}) {
  return UserError(say(id, words), hint, UserError::Fault::Input);
}

/// What a file says, before anything of it is judged.
struct HandedIn {
  std::string name;
  RunOptions run;
  Sheet sheet;                           // of a sheet
  std::optional<SessionRecord> session;  // of a transcript
};

class Grader {
 public:
  Grader(const Lesson& lesson, const Request& request) : lesson_(lesson), request_(request), own_(run_lesson(lesson)) {}

  /// The lesson as it is written.
  const Trace& own() const { return own_; }

  /// Errors: UserError for a file that is none of this lesson's.
  StudentAnswers graded(const std::string& file) {
    HandedIn in = read(file);
    if (const auto [row, is_new] = files_.emplace(student_key(in.name), file); !is_new)
      throw refusal("grade.twice", {{"name", in.name}, {"first", row->second}, {"second", file}},
                    say("grade.twice.hint"));
    const State state = start_session(lesson_, run_lesson(lesson_, in.run), {});
    StudentAnswers out{in.name, file, asked_text(in.run), {}, in.session.has_value()};
    if (in.session) out.answers = session_answers(state, *in.session);
    else out.answers = answer_all(state, in.sheet.answers);
    if (const std::size_t given = in.sheet.answers.size(); given > out.answers.size())
      note("grade.many",
           {{"file", file}, {"count", std::to_string(given)}, {"asked", std::to_string(out.answers.size())}});
    return out;
  }

 private:
  void note(std::string_view id, const Words& words) const {
    if (!request_.quiet) report(say(id, words));
  }

  HandedIn read(const std::string& file) const {
    const std::string text = read_answers(file, static_cast<std::int64_t>(kMaxTraceSize));
    if (begins_as_json(text)) return read_transcript(file, text);
    if (has_transcript_mark(text)) throw refusal("grade.format", {{"file", file}}, say("grade.transcript.hint"));
    return read_filled(file, text);
  }

  static std::string name_of_file(const std::string& file) { return std::filesystem::path(file).stem().string(); }

  HandedIn read_filled(const std::string& file, const std::string& text) const {
    HandedIn in;
    in.sheet = read_sheet(text);
    require_lesson(request_, file, in.sheet.lesson, lesson_);
    if (!in.sheet.hash.empty() && in.sheet.hash != lesson_hash(lesson_)) note("grade.version", {{"file", file}});
    in.name = in.sheet.name.empty() ? name_of_file(file) : in.sheet.name;
    // A sheet for nobody is of the run that the teacher asked for.
    if (in.sheet.run == asked_text(request_.run) || in.sheet.run.empty()) in.run = request_.run;
    else in.run = run_of(in.name, in.sheet.run, file);
    return in;
  }

  HandedIn read_transcript(const std::string& file, const std::string& text) const {
    HandedIn in;
    Trace trace;
    try {
      trace = read_trace_json(text);
    } catch (const TraceFormatError& error) {
      throw refusal("grade.json", {{"file", file}, {"reason", error.what()}}, say("grade.transcript.hint"));
    }
    require_lesson(request_, file, trace.lesson_id, lesson_);
    if (!trace.session) throw refusal("grade.session", {{"file", file}}, say("grade.transcript.hint"));
    in.session = std::move(trace.session);
    in.name = in.session->student;
    if (in.name.empty()) {
      in.name = name_of_file(file);
      in.run = run_again(file, trace.options);
    } else {
      in.run = run_of(in.name, asked_text(trace.options), file);
    }
    return in;
  }

  /// The run of that name, whatever the file says of it.
  RunOptions run_of(const std::string& name, const std::string& said, const std::string& file) const {
    RunOptions run = student_run(lesson_, own_, name);
    if (asked_text(run) != said)
      note("grade.run", {{"file", file}, {"said", said}, {"name", name}, {"run", asked_text(run)}});
    return run;
  }

  /// Without a name the run that the transcript is of. No file is opened because a transcript names it.
  RunOptions run_again(const std::string& file, const RunOptions& options) const {
    const std::vector<std::string>& texts = options.given.text;
    const bool names_files =
        !options.given.data.empty() || !options.given.vocab.empty() || !options.given_weights.file.empty() ||
        std::any_of(texts.begin(), texts.end(), [](const std::string& t) { return t.starts_with("@"); });
    if (names_files || options.touch) throw refusal("grade.input", {{"file", file}, {"run", asked_text(options)}});
    Request again = request_;
    again.run.seed = options.seed;
    again.run.set = options.set;
    again.run.given = options.given;
    if (!read_own_input(again)) throw refusal("grade.input", {{"file", file}, {"run", asked_text(options)}});
    return again.run;
  }

  /// Judged again by what was typed, each at its step; what --quiz and --fade asked is left out.
  static std::vector<BatchAnswer> session_answers(const State& state, const SessionRecord& session) {
    std::map<int, const SessionAnswer*> by_step;
    for (const SessionAnswer& answer : session.answers) by_step[answer.step] = &answer;
    std::vector<std::string> typed;
    std::vector<const SessionAnswer*> rows;
    for (std::size_t at = 0; at < step_count(state); ++at) {
      const auto posed = posed_at(state, at);
      if (!posed) continue;
      const auto found = by_step.find(static_cast<int>(at) + 1);
      const bool is_it = found != by_step.end() && found->second->question == posed_text(*posed).front();
      rows.push_back(is_it ? found->second : nullptr);
      typed.push_back(is_it ? found->second->given : "");
    }
    std::vector<BatchAnswer> answers = answer_all(state, typed);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!rows[i]) continue;
      answers[i].hints = rows[i]->hints;
      answers[i].tries = rows[i]->tries;
    }
    return answers;
  }

  const Lesson& lesson_;
  const Request& request_;
  Trace own_;
  std::map<std::string, std::string> files_;  // by the name in them
};

int run_grade(const Request& request) {
  if (request.csv + request.json + request.markdown > 1) throw UserError(say("grade.formats"));
  const Lesson lesson = open_lesson(request);
  Grader grader(lesson, request);
  if (grader.own().outcome != RunOutcome::Fine) return report_failure(grader.own(), request);
  ClassTable table;
  int worst = kFine;
  for (const std::string& file : request.files)
    worst = graver(worst, guarded(request, [&] {
                     const LimitScope scope(request.limits);
                     return table.push_back(grader.graded(file)), kFine;
                   }));
  if (worst == kInterrupted) return worst;
  std::string text;
  if (request.csv) text = class_csv(table);
  else if (request.json) text = class_json(table, lesson.id, lesson_hash(lesson));
  else if (request.markdown) text = class_markdown(table);
  else text = class_text(table, render_options(request));
  page_out(text, request);
  return worst;
}

}  // namespace

const Command kGradeCommand = {
    "grade", "Checks the answers of a class, each against that student's own run.",
    kTakesLesson | kTakesGrade | kTakesSeed | kTakesJson | kTakesLimits | kTakesView | kTakesCatalogue, run_grade,
    "attn-tutor grade 3 answers/*"};

}  // namespace attn
