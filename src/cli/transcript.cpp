#include "cli/transcript.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>

#include "base/file_bytes.h"
#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"
#include "stepper/record.h"
#include "stepper/steps.h"
#include "text/say.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kReach = 4096;  // bytes from either end of a file in which its mark stands

std::string time_now() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(now));
}

bool is_transcript(const std::string& path) {
  try {
    const FileBytes file(path);
    std::string end(std::min(file.size(), kReach), '\0');
    file.read_at(file.size() - end.size(), std::as_writable_bytes(std::span(end)));
    return has_transcript_mark(first_bytes(file, kReach)) || has_transcript_mark(end);
  } catch (const FileError&) {
    return false;
  }
}

// Also by another name: a link of either kind. All files in the folder of a model are read.
bool is_input(const std::string& path, const Request& request) {
  const RunOptions& run = request.run;
  std::vector<std::string> inputs = {request.word, run.given.data, run.given.vocab, run.given_weights.file};
  for (const std::string& text : run.given.text)
    if (text.starts_with("@")) inputs.push_back(text.substr(1));
  std::error_code ignored;
  if (fs::is_directory(request.word, ignored) && fs::exists(path, ignored) && !is_transcript(path))
    inputs.push_back((fs::path(request.word) / fs::path(path).filename()).string());
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const std::string& input) { return fs::equivalent(input, path, ignored); });
}

}  // namespace

bool may_replace(const std::string& path, const Request& request) {
  std::error_code ignored;
  if (is_input(path, request)) return false;
  if (request.force || !fs::is_regular_file(path, ignored) || fs::file_size(path, ignored) == 0) return true;
  return is_transcript(path);
}

UserError file_stays(const std::string& path, const Request& request) {
  if (is_input(path, request))
    return UserError(say("export.input", {{"path", path}}), say("export.input.hint"), UserError::Fault::Output);
  return UserError(say("export.stays", {{"path", path}}), say("export.stays.hint"), UserError::Fault::Output);
}

RenderOptions transcript_options(const Request& request) { return {kTranscriptWidth, false, request.ascii}; }

Transcript::Transcript(const Request& request, const Format& format)
    : request_(&request), format_(&format), began_(request.times ? time_now() : "") {}

std::optional<Transcript> Transcript::of(const Request& request) {
  const std::string& path = request.transcript;
  if (path.empty() && request.times)
    throw UserError(say("option.times"), "attn-tutor lesson 3 --transcript mine.md --times");
  if (path.empty()) return std::nullopt;
  const Format* format = format_of_file(path);
  if (!format)
    throw UserError(say("option.transcript", {{"file", elide(path, 60)}}),
                    say("option.transcript.hint", {{"list", format_extensions()}}));
  if (!may_replace(path, request)) throw file_stays(path, request);
  return Transcript(request, *format);
}

std::string Transcript::keep(const State& state) {
  SessionRecord session = session_record(state);
  if (!failed_ && run_ == state.run && session == session_) return {};
  run_ = state.run;
  session_ = session;
  std::string reason;
  try {
    if (may_replace(request_->transcript, *request_)) write(trace_of(state), std::move(session));
    else reason = request_->transcript + ": " + say("export.exists");
  } catch (const FileError& error) {
    reason = error.what();
  } catch (const LimitReached& limit) {
    if (limit.kind() == LimitReached::Kind::Interrupt) {  // Ctrl-C: the learner does not want to wait
      run_.reset();
      return {};
    }
    reason = limit.what();
  } catch (const std::bad_alloc&) {
    reason = say("transcript.memory");
  }
  failed_ = !reason.empty();
  if (!failed_ || std::exchange(was_told_, true)) return {};
  return say("transcript.failed", {{"reason", reason}});
}

void Transcript::write(Trace trace, std::optional<SessionRecord> session) const {
  trace.session = std::move(session);
  if (trace.session && request_->times) {
    trace.session->began = began_;
    trace.session->ended = time_now();
  }
  write_file(request_->transcript, format_->render(trace, transcript_options(*request_)));
}

}  // namespace attn
