// A session at the keyboard, and its forms without keys: answers from a file, sheets, --plain. Over 400 lines because
// all of them end in the same ways: by what the stepper asks to be done.
#include "cli/session.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/read_input.h"
#include "cli/trace_result.h"
#include "cli/transcript.h"
#include "cli/waiting_line.h"
#include "engine/runner.h"
#include "engine/student.h"
#include "explain/lint/notes.h"
#include "lesson/catalogue.h"
#include "lesson/load.h"
#include "render/plain.h"
#include "render/run_note.h"
#include "stepper/batch.h"
#include "stepper/complete.h"
#include "stepper/key_table.h"
#include "stepper/line_prompt.h"
#include "stepper/question.h"
#include "stepper/recall.h"
#include "stepper/record.h"
#include "stepper/sheet.h"
#include "stepper/state_folder.h"
#include "stepper/stepper.h"
#include "stepper/steps.h"
#include "stepper/terminal.h"
#include "text/say.h"

namespace attn {
namespace {

// Screens that cannot be drawn on, and those of people who do not look at them.
bool is_accessible(const Request& request) {
  const char* term = std::getenv("TERM");
  return request.accessible || !term || !*term || std::string_view(term) == "dumb";
}

// What the stepper calls a key.
std::string key_name(const Key& key) {
  switch (key.name) {
    case KeyName::Text: return key.text == " " ? "space" : key.text;
    case KeyName::Control: return "ctrl-" + key.text;
    case KeyName::Alt: return "alt-" + key.text;
    case KeyName::Paste: return "paste";
    case KeyName::Enter: return "enter";
    case KeyName::Tab: return "tab";
    case KeyName::BackTab: return "backtab";
    case KeyName::Backspace: return "backspace";
    case KeyName::Delete: return "delete";
    case KeyName::Escape: return "escape";
    case KeyName::Up: return "up";
    case KeyName::Down: return "down";
    case KeyName::Left: return "left";
    case KeyName::Right: return "right";
    case KeyName::Home: return "home";
    case KeyName::End: return "end";
    case KeyName::PageUp: return "pageup";
    case KeyName::PageDown: return "pagedown";
  }
  return "";
}

/// After a lesson of the program: the word that opens the next one, and its title.
std::pair<std::string, std::string> lesson_after(const Lesson& lesson) {
  const Catalogue catalogue = Catalogue::built_in();
  const std::vector<CatalogueEntry>& entries = catalogue.entries();
  const auto here = std::find_if(entries.begin(), entries.end(),
                                 [&](const CatalogueEntry& entry) { return entry.path == lesson.path; });
  if (here == entries.end()) return {};
  const int number = here->number ? *here->number + 1 : 0;
  const auto next =
      std::find_if(entries.begin(), entries.end(), [&](const CatalogueEntry& entry) { return entry.number == number; });
  return next == entries.end() ? std::pair<std::string, std::string>() : std::pair(catalogue.word(*next), next->title);
}

SessionOptions session_options(const Lesson& lesson, const Request& request) {
  SessionOptions options;
  options.render = render_options(request);
  options.accessible = is_accessible(request);
  options.quiz = request.quiz;
  options.fade = request.fade;
  options.no_skip = request.no_skip;
  options.student = request.student;
  options.transcript = transcript_options(request);
  const std::string stem = std::filesystem::path(lesson.id).stem();  // "attention" of attention.ipynb
  const std::optional<int> number = lesson_name(lesson.path).number;
  if (request.transcript.empty()) options.next_lesson = lesson_after(lesson);
  options.export_name = number ? (*number < 10 ? "0" : "") + std::to_string(*number) + "-" + lesson.id : stem;
  return options;
}

bool has_missed_answer(const Progress& progress) {
  return std::any_of(progress.answers.begin(), progress.answers.end(),
                     [](const auto& row) { return row.second.is_missed(); });
}

class Session {
 public:
  Session(const Lesson& lesson, const Request& request, std::optional<Transcript> transcript)
      : request_(request),
        transcript_(std::move(transcript)),
        folder_(StateFolder::of_user()),
        terminal_(is_accessible(request) ? TerminalMode::Lines : TerminalMode::Keys),
        prompt_(terminal_, folder_.history()),
        waiting_(waiting_writer()) {
    std::string notice;
    // With other values old answers are no answers.
    const std::string student = request.student.empty() ? "" : " --student " + student_key(request.student);
    Progress progress = folder_.load(progress_name(lesson, request.word) + student, notice);
    if (!notice.empty()) tell(notice);
    // The text of a model is read where the model is opened.
    RunOptions options = lesson.folder ? request.run : run_options(progress);
    options.on_round = WaitingLine::on_round;
    options.is_gone_on_with = true;
    Trace trace = run_lesson(lesson, options);
    waiting_.clear();
    const bool is_interrupted = trace.outcome == RunOutcome::Interrupted;
    was_interrupted_ = is_interrupted && (trace.steps.empty() || terminal_.ending_signal() != 0);
    if (was_interrupted_) return;
    terminal_.take_interrupt();  // what was reached is there to be looked at
    note_findings(trace, lesson);
    state_ = start_session(lesson, std::move(trace), session_options(lesson, request), std::move(progress),
                           request.step.value_or(0));
    was_interrupted_ = is_interrupted && step_count(state_) == 0;
    if (request.resumes && state_.asked == Asked::Resume) state_ = update(std::move(state_), TypedLine{""});
    if (!request.quiz && has_recall(lesson)) state_.recall = question_of_earlier(lesson);
  }

  int run() {
    if (was_interrupted_) return kInterrupted;
    show();
    while (!exit_code_) {
      if (const auto event = next_event()) {
        state_ = update(std::move(state_), *event);
        terminal_.take_interrupt();  // of code that ran: update() has told of it
        show();
      }
    }
    folder_.save_history(prompt_.history());
    terminal_.take_interrupt();  // of the signal that ended it
    if (transcript_) tell_failure(transcript_->keep(state_));
    const bool is_behind = transcript_ && transcript_->failed();
    return *exit_code_ == kFine && is_behind ? static_cast<int>(kOutputFailed) : *exit_code_;
  }

  const std::shared_ptr<const LessonRun>& lesson_run() const { return state_.run; }
  /// What opens the lesson that the learner goes on with; empty: none.
  const std::string& next_lesson() const { return next_lesson_; }
  /// The signal that ended it, or 0.
  int signal() const { return terminal_.ending_signal(); }

 private:
  WaitingLine::Write waiting_writer() {
    if (is_accessible(request_)) return nullptr;
    return [this](std::string_view text) { terminal_.write(text); };
  }

  void show() {
    waiting_.clear();
    const std::string_view text = view(state_);
    if (!write_pages(text)) leave(kOutputFailed);
    if (!text.empty()) ends_blank_ = text.ends_with("\n\n");
    // Performing an action may be an event with actions of its own.
    for (int round = 0; round < 8 && !state_.actions.empty() && !exit_code_; ++round) {
      const std::vector<Action> actions = std::exchange(state_.actions, {});
      for (const Action& action : actions) std::visit([&](const auto& wanted) { perform(wanted); }, action);
    }
  }

  /// A list a screen at a time, anything else at once. Whoever has typed ahead does not wait. False when the terminal
  /// is gone.
  bool write_pages(std::string_view text) {
    const std::size_t height = static_cast<std::size_t>(terminal_.height());
    constexpr std::size_t kLegend = 2;  // lines below the text, with the blank one
    constexpr std::size_t kLast = 3;    // lines of the last screen, at least
    const auto left = [&] { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); };
    const bool stops = state_.is_list && terminal_.mode() == TerminalMode::Keys && height > kLegend + kLast;
    while (stops && left() + kLegend > height && terminal_.is_quiet(0)) {
      std::size_t end = 0;
      for (std::size_t line = std::min(height - kLegend, left() - kLast); line > 0; --line)
        end = text.find('\n', end) + 1;
      terminal_.write(text.substr(0, end));
      text.remove_prefix(end);
      if (!wants_more(left())) return true;
    }
    return terminal_.write(text);
  }

  bool wants_more(std::size_t lines) {
    terminal_.write(say("list.more", {{"count", std::to_string(lines)}}));
    const TerminalEvent event = terminal_.read();
    terminal_.write("\r\x1b[J");
    const bool is_key = event.kind == TerminalEvent::Kind::Key;
    return is_key && event.key != Key{KeyName::Text, "q"} && event.key != Key{KeyName::Escape, ""};
  }

  /// With the words or ids of the session that is gone on with, unless others were given.
  RunOptions run_options(const Progress& progress) {
    if (request_.run.input || progress.given == GivenInput{}) return request_.run;
    Request again = request_;
    again.run.given = progress.given;
    RunOptions asked;
    asked.given = progress.given;
    try {
      if (!read_own_input(again)) return request_.run;
      tell(say("resume.given", {{"given", asked_text(asked)}}));
      return again.run;
    } catch (const UserError& error) {
      tell(say("resume.given.gone", {{"given", asked_text(asked)}, {"reason", error.what()}}));
    }
    return request_.run;
  }

  /// Of the nearest lesson of the program before this one in which something was answered wrong.
  std::shared_ptr<const State> question_of_earlier(const Lesson& lesson) const {
    const Catalogue catalogue = Catalogue::built_in();
    const std::optional<int> number = lesson_name(lesson.path).number;
    for (auto entry = catalogue.entries().rbegin(); entry != catalogue.entries().rend(); ++entry) {
      if (!number || !entry->number || *entry->number >= *number) continue;
      std::string ignored;
      Progress progress = folder_.load(entry->id, ignored);
      if (!has_missed_answer(progress)) continue;
      LoadFindings findings;
      Lesson earlier = catalogue.open(*entry, findings);
      Trace trace = run_lesson(earlier);
      if (trace.outcome != RunOutcome::Fine) continue;
      if (auto question = question_to_recall(std::move(earlier), std::move(trace), session_options(lesson, request_),
                                             std::move(progress)))
        return question;
    }
    return nullptr;
  }

  void perform(const SaveProgress&) { save(); }
  void perform(const SaveRecalled& recalled) { tell_once(folder_.save(recalled.progress)); }
  void perform(const ForgetProgress&) { tell_once(folder_.forget(state_.progress.lesson)); }
  void perform(const Quit& quit) {
    exit_code_ = quit.code;
    if (quit.tells_what_is_saved && is_saved_) tell(say("quit.saved"));
  }
  void perform(const OpenLesson& lesson) { next_lesson_ = lesson.word; }
  void perform(const WriteFile& file) {
    Written written{file.path, ""};
    try {
      written.exists = !file.replace && !may_replace(file.path, request_);
      if (written.exists) written.error = say("export.exists");
      else write_whole_file(file.path, file.text);
    } catch (const FileError& failure) {
      written.error = failure.what();
    }
    state_ = update(std::move(state_), written);
    terminal_.write(view(state_));
  }

  void save() {
    const std::string error = folder_.save(state_.progress);
    is_saved_ = error.empty();
    tell_once(error);
  }

  void tell(const std::string& text) {
    for (const std::string& line : wrap(visible(text), state_width())) terminal_.write(line + "\n");
  }
  // A folder that cannot be written stays so; once is enough.
  void tell_once(const std::string& error) {
    if (error.empty() || was_told_) return;
    was_told_ = true;
    tell(say("state.unwritable", {{"reason", error}}));
  }

  // Whoever pages quickly does not wait for files: the last step is written.
  std::string keep_transcript(int milliseconds) {
    return transcript_ && terminal_.is_quiet(milliseconds) ? transcript_->keep(state_) : "";
  }
  void tell_failure(const std::string& failure) {
    if (!failure.empty()) tell(failure);
  }

  // Progress first: writing to the terminal may fail.
  void leave(int code) {
    folder_.save(state_.progress);
    exit_code_ = code;
  }

  int state_width() const {
    return request_.width ? *request_.width : std::clamp(terminal_.width(), kMinWidth, kMaxWidth);
  }

  std::optional<Event> next_event() {
    if (const int width = state_width(), height = terminal_.height(); width != width_ || height != height_) {
      const bool is_first = width_ == 0;
      width_ = width;
      height_ = height;
      if (!is_first || width != state_.options.render.width) return Resize{width, height};
    }
    const TerminalEvent event = state_.input.kind == Input::Kind::Line ? read_line() : read_key();
    switch (event.kind) {
      case TerminalEvent::Kind::Key: return on_key(event.key);
      case TerminalEvent::Kind::Line: return TypedLine{event.line};
      case TerminalEvent::Kind::Interrupt: return Interrupt{};
      case TerminalEvent::Kind::End: return EndOfInput{};
      case TerminalEvent::Kind::Signal: leave(128 + event.signal); return std::nullopt;
      case TerminalEvent::Kind::Resize:
      case TerminalEvent::Kind::Resume: return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<Event> on_key(const Key& key) {
    if (key == Key{KeyName::Control, "d"}) return EndOfInput{};
    if (key == Key{KeyName::Control, "l"}) terminal_.write("\x1b[H\x1b[2J");
    // A pasted text is no row of commands: it goes to the prompt.
    if (key.name == KeyName::Paste) {
      pasted_ = key.text;
      return KeyPress{"="};
    }
    return KeyPress{key_name(key)};
  }

  /// What is typed where keys are read, so quickly as nobody presses single keys: the name of a command, or anything
  /// where an answer is waited for. "" for other letters, which are keys as before. A key that is held repeats a
  /// letter, with which no name begins.
  std::string word_from(const TerminalEvent& first) {
    const bool is_text = first.kind == TerminalEvent::Kind::Key && first.key.name == KeyName::Text;
    std::string word = is_text ? first.key.text : "";
    std::vector<Key> keys;
    while (begins_command(word) || may_be_answer(state_, word)) {
      if (is_command(word)) return word;
      const std::optional<Key> key = terminal_.read_soon(kBurst);
      if (!key) break;
      keys.push_back(*key);
      if (key->name != KeyName::Text) break;
      word += key->text;
    }
    const bool is_answer = may_be_answer(state_, word) && word.find_first_not_of(word.front()) != std::string::npos;
    if (is_answer) std::erase_if(keys, [](const Key& key) { return key.name == KeyName::Text; });
    terminal_.unread(std::move(keys));
    return is_answer ? word : "";
  }

  // The legend stands on the last line while a key is waited for.
  TerminalEvent read_key() {
    terminal_.mark_pastes(true);
    if (!std::exchange(ends_blank_, true)) terminal_.write("\n");
    const std::string legend = elide(state_.input.prompt, terminal_.width() - 1, state_.options.render.ascii);
    if (!terminal_.write(legend)) return {TerminalEvent::Kind::End};
    if (const std::string failure = keep_transcript(kPause); !failure.empty()) {
      terminal_.write("\r\x1b[J");
      tell_failure(failure);
      terminal_.write("\n" + legend);
    }
    TerminalEvent event = terminal_.read();
    if (const std::string word = word_from(event); !word.empty()) {
      pasted_ = word;
      event = {TerminalEvent::Kind::Key, {KeyName::Text, is_command(word) ? ":" : "p"}};
    }
    if (event.kind == TerminalEvent::Kind::Resume) terminal_.write("\r\n");  // below what the shell has said
    else terminal_.write("\r\x1b[J");
    return event;
  }

  TerminalEvent read_line() {
    tell_failure(keep_transcript(0));
    ends_blank_ = false;
    PromptRequest request;
    request.prompt = state_.input.prompt;
    request.is_code = state_.input.is_code;
    request.typed = state_.input.begun + std::exchange(pasted_, {});
    request.complete = [this](std::string_view line, std::size_t cursor, std::size_t& begin) {
      return completions(state_, line, cursor, begin);
    };
    return prompt_.read(request);
  }

  static constexpr int kPause = 150;  // milliseconds
  static constexpr int kBurst = 120;  // between two letters of a word

  const Request& request_;
  std::optional<Transcript> transcript_;
  StateFolder folder_;
  Terminal terminal_;
  LinePrompt prompt_;
  WaitingLine waiting_;
  State state_;
  std::string next_lesson_;
  std::string pasted_;  // at a key: for the prompt that it opens
  std::optional<int> exit_code_;
  bool was_interrupted_ = false;
  bool was_told_ = false, is_saved_ = false;
  bool ends_blank_ = true;  // whether a blank line stands above the legend
  int width_ = 0, height_ = 0;
};

int run_answers(const Lesson& lesson, const Request& request, const std::optional<Transcript>& transcript) {
  const Sheet sheet = read_sheet(read_answers(request.answers));
  require_lesson(request, request.answers, sheet.lesson, lesson);
  Request own = request;
  // A sheet that was made for somebody is about that run.
  if (own.student.empty() && !sheet.run.empty() && asked_text(request.run).empty()) own.student = sheet.name;
  own = with_student(std::move(own), lesson);
  Trace trace = run_lesson(lesson, own.run);
  note_findings(trace, lesson);
  if (trace.outcome == RunOutcome::Interrupted) return kInterrupted;
  const SessionOptions options = session_options(lesson, own);
  const State state = start_session(lesson, std::move(trace), options);
  const std::vector<BatchAnswer> answers = answer_all(state, sheet.answers);
  if (const std::size_t given = sheet.answers.size(); given > answers.size() && !request.quiet)
    report(
        say("grade.many",
            {{"file", request.answers}, {"count", std::to_string(given)}, {"asked", std::to_string(answers.size())}}));
  write_out(request.json ? batch_json(answers) : batch_text(answers, options.render));
  if (transcript) transcript->write(*state.run->trace, batch_record(state, answers));
  return all_right(answers) ? kFine : kFailed;
}

}  // namespace

int print_sheet(const Lesson& lesson, const Request& request) {
  Trace trace = run_lesson(lesson, request.run);
  if (trace.outcome == RunOutcome::Interrupted) return kInterrupted;
  const State state = start_session(lesson, std::move(trace), session_options(lesson, request));
  page_out(sheet_text(state, request.student), request);
  return report_failure(trace_of(state), request);
}

namespace {

// A line of progress may begin anew; nothing else of a program steers the terminal.
std::string visible_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\r');
    out += visible(text.substr(0, end));
    if (end == text.npos) return out;
    out += '\r';
    text.remove_prefix(end + 1);
  }
}

/// Writes what a program prints as Python does: on a terminal line by line, elsewhere in blocks and at the end of a
/// cell.
class PlainOutput : public OutputListener {
 public:
  explicit PlainOutput(const Request& request)
      : may_steer_(request.raw || !is_terminal_), may_steer_errors_(request.raw || !isatty(STDERR_FILENO)) {}

  void printed(std::string_view text) override {
    constexpr std::size_t kBlock = 8192;
    waiting_ += text;
    if (is_terminal_ ? text.ends_with('\n') : waiting_.size() >= kBlock) flushed();
  }
  void complained(std::string_view text) override {
    flushed();
    write_error(may_steer_errors_ ? std::string(text) : visible(text));
  }
  void cell_ended(const Trace& trace, const CellRecord& cell) override {
    waiting_ += shown_below(trace, cell);
    flushed();
  }
  /// All of it.
  void add(const Trace& trace) {
    for (const TraceBlock& block : trace.blocks)
      if (const CellRecord* cell = std::get_if<CellRecord>(&block)) waiting_ += plain_output(trace, *cell);
  }
  void flushed() override {
    const std::string text = std::exchange(waiting_, {});
    write_out(may_steer_ ? text : visible_lines(text));
  }

 private:
  bool is_terminal_ = isatty(STDOUT_FILENO) != 0;
  bool may_steer_, may_steer_errors_;  // escape sequences reach the terminal
  std::string waiting_;
};

}  // namespace

namespace {

/// Interrupts what runs after a while, as a second Ctrl-C would, unless it is destroyed first.
class Patience {
 public:
  explicit Patience(std::chrono::milliseconds most)
      : waiter_([this, most](const std::stop_token& is_gone) {
          std::unique_lock lock(mutex_);
          const bool is_over = !woken_.wait_for(lock, is_gone, most, [&] { return is_gone.stop_requested(); });
          if (is_over) request_interrupt();
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::jthread waiter_;  // ends before what it uses
};

/// Shows what a run had reached when Ctrl-C ended it. Nobody who pressed it wants to wait: what takes longer than half
/// a second is left out.
void show_reached(const std::function<void()>& shows) {
  clear_interrupt();
  try {
    const Patience patience(std::chrono::milliseconds(500));
    shows();
  } catch (const LimitReached& limit) {
    if (limit.kind() != LimitReached::Kind::Interrupt) throw;
    clear_interrupt();
    report(say("note.reached"));
  } catch (const std::system_error&) {  // no thread is to be had that would end it
    report(say("note.reached"));
  }
  clear_interrupt();
}

}  // namespace

bool wants_session(const Request& request) {
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !request.all && !request.shapes && !request.plain &&
         !request.watch && !request.no_input && request.answers.empty();
}

int run_session(const Lesson& lesson, const Request& request, std::optional<Transcript> transcript,
                int (*reported)(const Trace& trace, const Request& request)) {
  int code = kFine, signal = 0;
  std::shared_ptr<const LessonRun> run;
  std::string next;
  {
    Session session(lesson, request, transcript);
    code = session.run();
    signal = session.signal();
    run = session.lesson_run();
    next = session.next_lesson();
  }
  // The terminal is as it was. Whoever started us is to see what ended us.
  if (signal != 0 && signal != SIGINT) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  if (run && reported && lesson.form != LessonForm::Lesson) reported(*run->trace, request);
  if (next.empty()) return code;
  Request following = request;
  following.word = next;
  following.resumes = true;
  const Lesson after = open_lesson(following);
  return run_session(after, with_student(following, after));
}

int run_shown(const Lesson& lesson, const Request& request,
              int (*reported)(const Trace& trace, const Request& request)) {
  const std::optional<Transcript> transcript = Transcript::of(request);
  if (!request.answers.empty()) return run_answers(lesson, request, transcript);
  if (request.json) throw UserError(say("answers.json"), "attn-tutor lesson 3 --answers FILE --json");
  if (wants_session(request)) return run_session(lesson, request, transcript, reported);
  RunOptions options = request.run;
  PlainOutput output(request);
  const bool prints_at_once = request.plain && !options.weights;  // which may turn out not to fit
  if (prints_at_once) options.output = &output;
  options.is_whole = !request.plain || transcript || lesson.form == LessonForm::Lesson || options.weights;
  options.keeps_hidden = transcript.has_value();
  // Notes need few numbers; a large array that a loop writes to would be kept as it was at every step.
  if (!options.is_whole) options.value_budget = std::int64_t{16} << 20;
  Trace trace = run_lesson(lesson, options);
  const LimitScope showing(limits_of_showing(request));
  bool is_shown = true;
  const auto shows = [&] {
    if (request.plain && !prints_at_once) output.add(trace);
    if (request.plain) return output.flushed();
    try {
      show(trace, request);
    } catch (const std::bad_alloc&) {
      is_shown = false;
      report(say("note.memory"));
    }
  };
  if (trace.outcome == RunOutcome::Interrupted) {
    show_reached(shows);  // notes would run the code again
  } else {
    note_findings(trace, lesson);
    shows();
  }
  report_weights(trace, request);
  if (transcript) transcript->write(trace);
  const int code = graver(reported(trace, request), is_shown ? kFine : kLimit);
  if (is_last(trace)) leave_to_the_system(std::move(trace));
  return code;
}

}  // namespace attn
