#pragma once
// Files that transcripts are written to, for `export` and for `--transcript`.
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "cli/request.h"
#include "render/formats.h"
#include "stepper/state.h"

namespace attn {

/// Whether a transcript may take the place of the file: --force, or it is not there, is empty, or is a transcript
/// itself (its mark stands near its beginning or its end). It never takes the place of the lesson that is read.
bool may_replace(const std::string& path, const Request& request);

/// What is said where it may not.
UserError file_stays(const std::string& path, const Request& request);

/// As --ascii asks; otherwise the same bytes wherever it is made.
RenderOptions transcript_options(const Request& request);

/// --transcript: a file that is kept up to date while a session goes on, or written once where there is none.
class Transcript {
 public:
  /// Nothing when none was asked for. Errors: UserError when there can be none.
  static std::optional<Transcript> of(const Request& request);

  /// Writes what has changed since the last time. Gives what is wrong, once; empty when all is well or was told before.
  std::string keep(const State& state);

  /// Of a run that nobody stepped through, or whose questions were answered all at once.
  ///   Errors: WriteError.
  void write(Trace trace, std::optional<SessionRecord> session = {}) const;

  /// Whether the last attempt to write it failed.
  bool failed() const { return failed_; }

 private:
  Transcript(const Request& request, const Format& format);

  const Request* request_;
  const Format* format_;
  std::string began_;                     // with --times
  std::shared_ptr<const LessonRun> run_;  // that was written last
  SessionRecord session_;                 // likewise
  bool failed_ = false;
  bool was_told_ = false;
};

}  // namespace attn
