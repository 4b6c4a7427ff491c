#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "cli/output.h"

namespace attn {
namespace {

constexpr std::size_t kCells = 20;

int width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ProgressBar::ProgressBar() : is_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressBar::show(std::size_t done, std::size_t all, const std::string& name) {
  if (!is_terminal_) return;
  clear();
  const std::size_t filled = done * kCells / std::max<std::size_t>(all, 1);
  const std::string bar = std::string(filled, '=') + std::string(kCells - filled, '-');
  write_error(elide(fmt::format("[{}] {}/{} {}", bar, done, all, visible(name)), width() - 1, true));
  is_shown_ = true;
}

void ProgressBar::clear() {
  if (is_shown_) write_error("\r\x1b[K");
  is_shown_ = false;
}

}  // namespace attn
