#pragma once
// The table of keys and commands: a row each. The legend, `?`, `:commands` and the dispatch follow from the rows.
#include <span>
#include <string>
#include <string_view>

#include "stepper/state.h"

namespace attn {

struct KeyCommand {
  std::string_view key;     // "n"; further keys after blanks: "n enter space"; empty: a command without a key
  std::string_view name;    // "next"
  std::string_view legend;  // "[n]ext"; empty: not in the legend
  std::string_view help;    // id of its sentence
  Asked asks;               // the line that is asked for when no argument was typed; Command: none
  void (*run)(State& state, std::string_view argument);
};

std::span<const KeyCommand> session_commands();

/// The row of a key, or null.
const KeyCommand* command_of_key(std::string_view key);
/// The row of a name, of an unambiguous beginning of one, or of a key; else null.
const KeyCommand* command_of_name(std::string_view name);

/// Whether letters are the beginning of a command's name, or all of one: "quit", "exit".
bool begins_command(std::string_view letters);
bool is_command(std::string_view word);
/// Whether `word` is the name or a key of that command.
bool is_word_of(std::string_view word, std::string_view command);

/// A line that was typed at a question: its answer.
void answer_line(State& state, std::string_view typed);

/// One line for the bottom of the terminal: what can be pressed now.
std::string legend(const State& state);

}  // namespace attn
