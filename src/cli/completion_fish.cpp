// Completion for fish: a line for each command, option and kind of argument.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/completion.h"

namespace attn {
namespace {

// fish knows \' and \\ inside of quotes.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += (c == '\'' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

// What follows an option or stands as an argument. -f: no files, although another line may propose them.
std::string values(std::string_view name) {
  const Candidates candidates = candidates_for(name);
  std::string out = candidates.files ? " -F" : " -f";
  if (!candidates.words.empty()) out += " -a " + fish_quoted(join(candidates.words, " "));
  if (candidates.folders) out += " -a '(__fish_complete_directories)'";
  return out;
}

std::string option_line(const std::string& condition, const OptionDescription& option) {
  std::string out = "complete -c attn-tutor -n " + fish_quoted(condition);
  for (const std::string& name : option.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) out += " -r" + values(option.value);
  return out + " -d " + fish_quoted(option.doc) + "\n";
}

}  // namespace

std::string fish_completion(const ProgramDescription& program) {
  constexpr std::string_view kNoCommand = "__fish_use_subcommand";
  std::string out = "# Completion for fish, made by `attn-tutor completion fish`.\ncomplete -c attn-tutor -f\n";
  for (const OptionDescription& option : program.options) out += option_line(std::string(kNoCommand), option);
  for (const CommandDescription& command : program.commands) {
    out +=
        fmt::format("complete -c attn-tutor -n {} -a {} -d {}\n", kNoCommand, command.name, fish_quoted(command.doc));
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    for (const OptionDescription& option : command.options) out += option_line(condition, option);
    for (const ArgumentDescription& argument : command.arguments) {
      if (candidates_for(argument.name).none()) continue;
      out += fmt::format("complete -c attn-tutor -n {}{}\n", fish_quoted(condition), values(argument.name));
    }
  }
  return out;
}

}  // namespace attn
