#pragma once
// The prompt: a line that is edited, with completion and history, by libedit; where the terminal is in
// TerminalMode::Lines, by the terminal itself. libedit is given characters by our Terminal and never reads by itself.
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stepper/complete.h"
#include "stepper/terminal.h"

namespace attn {

/// What a word can become, as completions() in complete.h says.
using Completer = std::function<std::vector<Completion>(std::string_view line, std::size_t cursor, std::size_t& begin)>;

struct PromptRequest {
  std::string prompt;    // "attn 3/9> "
  bool is_code = false;  // goes on for open brackets and blocks; has history and completion
  Completer complete = {};
  std::string typed = {};  // in the line already
};

inline constexpr std::string_view kMorePrompt = "... ";

class LinePrompt {
 public:
  /// `history`: the lines of earlier sessions, oldest first.
  explicit LinePrompt(Terminal& terminal, const std::vector<std::string>& history = {});
  ~LinePrompt();
  LinePrompt(const LinePrompt&) = delete;
  LinePrompt& operator=(const LinePrompt&) = delete;

  /// Reads a line (of code: as many as belong together, joined by line feeds). Gives a Line, the Key Escape, an
  /// Interrupt, an End or a Signal; other events are dealt with here.
  TerminalEvent read(const PromptRequest& request);

  /// Lines of code, oldest first, each once, the newest kMostHistory of them.
  const std::vector<std::string>& history() const { return history_; }

 private:
  struct Editor;
  TerminalEvent read_line(const std::string& prompt, const PromptRequest& request, const std::string& typed);
  void remember(const std::string& text);

  Terminal& terminal_;
  std::vector<std::string> history_;
  std::unique_ptr<Editor> editor_;
};

inline constexpr std::size_t kMostHistory = 1000;

}  // namespace attn
