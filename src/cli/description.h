#pragma once
// What can be typed on the command line, as data: the man page, the completions and `attn-tutor help` are made from it.
// It is read off the parser itself (command_line.cpp), so it cannot say anything else than what is understood.
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct OptionDescription {
  std::vector<std::string> names;  // "-o", "--output"
  std::string value;               // what stands for its value: "FILE"; empty: it takes none
  std::string doc;
  friend bool operator==(const OptionDescription&, const OptionDescription&) = default;
};

struct ArgumentDescription {
  std::string name;  // "LESSON"
  std::string doc;
  bool required = false;
  bool repeats = false;
};

struct CommandDescription {
  std::string name;  // "lesson"
  std::string doc;
  std::string example;
  std::vector<ArgumentDescription> arguments;
  std::vector<OptionDescription> options;
};

struct ProgramDescription {
  std::string name;
  std::string doc;
  std::vector<OptionDescription> options;  // that take the place of a command: --help, --version
  std::vector<CommandDescription> commands;
};

ProgramDescription describe_program();

/// What `attn-tutor COMMAND --help` prints; of an empty word what `attn-tutor --help` does. Empty when there is no such
/// command.
std::string usage_of(std::string_view command);

/// "0.1.0"
std::string_view version_number();
/// Of that version, as a man page wants it: "November 21, 2026".
std::string_view release_date();

}  // namespace attn
