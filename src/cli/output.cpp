#include "cli/output.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/files.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/child.h"
#include "explain/messages.h"

namespace attn {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool wants_color(ColorMode mode, int descriptor) {
  if (mode != ColorMode::Auto) return mode == ColorMode::Always;
  if (!environment("NO_COLOR").empty()) return false;
  for (const char* name : {"FORCE_COLOR", "CLICOLOR_FORCE"})
    if (const std::string_view value = environment(name); !value.empty()) return value != "0";
  return isatty(descriptor) && environment("TERM") != "dumb" && !environment("TERM").empty();
}

// Nothing known of it: zeros.
winsize terminal_size() {
  winsize size{};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  return size;
}

int terminal_width() {
  const int width = terminal_size().ws_col;
  return width > 0 ? width : 80;
}

// Whether a text would run off the top of the screen, with a line below it for the shell.
bool is_longer_than_screen(std::string_view text) {
  const int height = terminal_size().ws_row;
  return height > 0 && std::count(text.begin(), text.end(), '\n') >= height;
}

bool wants_pager(const Request& request) {
  return isatty(STDIN_FILENO) && !request.no_pager && !request.no_input && !request.accessible && !request.watch &&
         !request.json && environment("TERM") != "dumb" && !environment("TERM").empty();
}

// The pager as words to run; empty when the learner wants none. What PAGER or the settings say is for a shell.
std::vector<std::string> pager(const Request& request) {
  const char* chosen = request.pager.empty() ? std::getenv("PAGER") : request.pager.c_str();
  if (!chosen) return {"less"};
  if (!*chosen || std::string_view(chosen) == "cat") return {};
  return {"sh", "-c", chosen};
}

// F: nothing to do on one screen; R: colors; X: what was read stays on the screen.
void set_up_less() {
  if (environment("LESS").empty()) ::setenv("LESS", "FRX", 1);
}

// The character set of the locale, by the variables that decide it.
bool has_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value(environment(name));
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : visible(message_for_display(text)))
    line += c == '\n' ? "\u240A" : c == '\t' ? "\u2409" : std::string(1, c);
  return line;
}

}  // namespace

void write_out(std::string_view text) {
  const int error = write_to_reader(STDOUT_FILENO, text);
  if (error == EINTR) throw LimitReached(LimitReached::Kind::Interrupt, "interrupted");
  if (error != 0) throw OutputFailed(std::strerror(error));
}

void page_out(std::string_view text, const Request& request) {
  if (!wants_pager(request) || !is_longer_than_screen(text)) return write_out(text);
  const std::vector<std::string> words = pager(request);
  if (words.empty()) return write_out(text);
  set_up_less();
  constexpr int kNotRun = -1, kNotExecutable = 126, kNotFound = 127;
  const int code = feed_child(words, text);
  if (code == kNotRun || code == kNotExecutable || code == kNotFound) write_out(text);
}

void write_error(std::string_view text) { write_to_reader(STDERR_FILENO, text); }

void report_no_memory() noexcept { write_all(STDERR_FILENO, "attn-tutor: not enough memory\n"); }

void report(const Diagnostic& diagnostic, const Source& source, const Request& request) {
  DiagnosticStyle style;
  style.color = wants_color(request.color, STDERR_FILENO);
  style.width = render_options(request).width;
  style.wraps = isatty(STDERR_FILENO);
  Diagnostic shown = diagnostic;
  shown.message = message_for_display(diagnostic.message);
  write_error(draw(shown, source, style));
}

void report(std::string_view message, std::string_view hint, const std::vector<std::string>& items) {
  std::string text = "attn-tutor: " + one_line(message) + "\n";
  for (const std::string& item : items) text += "  " + one_line(item) + "\n";
  if (!hint.empty()) text += "  hint: " + one_line(hint) + "\n";
  write_error(text);
}

RenderOptions render_options(const Request& request) {
  RenderOptions options;
  options.width = request.width ? *request.width : std::clamp(terminal_width(), kMinWidth, kMaxWidth);
  options.color = wants_color(request.color, STDOUT_FILENO);
  options.linear = request.accessible;
  options.every_call = request.every_call;
  options.ascii = request.ascii || (isatty(STDOUT_FILENO) && !has_utf8_locale());
  return options;
}

void guard_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // Opened for reading alone, so that writing to a closed standard output still fails.
    if (::open("/dev/null", O_RDONLY) < 0) std::_Exit(4);
  }
}

}  // namespace attn
