#pragma once
// Standard output and standard error, with every failure to write noticed. The only place that knows the terminal's
// size and whether there is one.
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/request.h"
#include "render/options.h"

namespace attn {

/// Standard output could not be written: the text says why.
class OutputFailed : public std::exception {
 public:
  explicit OutputFailed(std::string reason) : message_("standard output: " + std::move(reason)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Writes all of it. Errors: OutputFailed.
void write_out(std::string_view text);

/// The same; on a terminal a text that is longer than the screen goes through a pager: $PAGER, else less. Leaving it
/// early is no failure, and without a pager the text is written.
void page_out(std::string_view text, const Request& request);

/// Writes as much of it as can be written: nobody is left to be told when standard error fails.
void write_error(std::string_view text);

/// "not enough memory" on standard error, without asking for any.
void report_no_memory() noexcept;

/// Draws a diagnostic on standard error.
void report(const Diagnostic& diagnostic, const Source& source, const Request& request);
/// "attn-tutor: message" on standard error, each item on a line below, and the hint when there is one.
void report(std::string_view message, std::string_view hint = {}, const std::vector<std::string>& items = {});

/// Width, color and characters as asked for, else as the terminal has them (80 columns where there is none).
RenderOptions render_options(const Request& request);

/// The width that --width may have.
inline constexpr int kMinWidth = 20;
inline constexpr int kMaxWidth = 1000;

/// Makes sure that file descriptors 0 to 2 are open, so that no file that is opened later can take their place.
void guard_standard_streams();

}  // namespace attn
