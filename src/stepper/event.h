#pragma once
// What can happen in a session, as the terminal (or a test, or a file of lines) reports it.
#include <string>
#include <variant>

namespace attn {

/// One key, by the name that the table of keys knows: the character it writes ("n", "?", "ㄱ"), or "enter", "space",
/// "up", "down", "left", "right", "escape", "tab", "backspace". Only sent while State::input asks for a key. (Key of
/// keys.h is what a terminal decodes; the session takes names.)
struct KeyPress {
  std::string name;
};

/// A finished line, without its line feed; several lines joined by "\n" where State::input takes code. Also a whole
/// command where single keys cannot be read: "next", "goto 5", "" (which is Enter).
struct TypedLine {
  std::string text;
};

/// The terminal has another size.
struct Resize {
  int columns = 80;
  int rows = 24;
};

/// Ctrl-C at a key or a line. During a computation the terminal asks the run to stop (request_interrupt()) instead.
struct Interrupt {};

/// Ctrl-D, or the input ended.
struct EndOfInput {};

/// What became of a WriteFile action. `error` is empty when it was written.
struct Written {
  std::string path;
  std::string error;
  bool exists = false;  // it was not written because there is a file of that name
};

using Event = std::variant<KeyPress, TypedLine, Resize, Interrupt, EndOfInput, Written>;

}  // namespace attn
