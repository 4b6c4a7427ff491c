// Completion for zsh: _arguments does the work, with a function for each kind of value.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/completion.h"

namespace attn {
namespace {

// Inside of a specification of _arguments, where : [ ] divide its parts.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += (c == ':' || c == '[' || c == ']' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string function_of(std::string_view value) {
  return candidates_for(value).none() ? " " : fmt::format("_attn_tutor_{}", value);
}

// ":FILE:_attn_tutor_FILE"
std::string value_part(const std::string& value) {
  return value.empty() ? "" : fmt::format(":{}:{}", escaped(value), function_of(value));
}

std::string option_specs(const std::vector<OptionDescription>& options) {
  std::string out;
  for (const OptionDescription& option : options) {
    for (const std::string& name : option.names) {
      const std::string sign = option.value.empty() ? "" : name.starts_with("--") ? "=" : "+";
      out += fmt::format(" \\\n        {}",
                         shell_quoted(name + sign + "[" + escaped(option.doc) + "]" + value_part(option.value)));
    }
  }
  return out;
}

std::string argument_specs(const CommandDescription& command) {
  std::string out;
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const ArgumentDescription& argument = command.arguments[i];
    const std::string place = argument.repeats ? "*" : std::to_string(i + 1) + (argument.required ? "" : ":");
    out += fmt::format(" \\\n        {}", shell_quoted(place + value_part(argument.name)));
  }
  return out;
}

std::string functions() {
  std::string out;
  for (const std::string& name : completed_names()) {
    const Candidates candidates = candidates_for(name);
    out += fmt::format("_attn_tutor_{}() {{\n", name);
    if (!candidates.words.empty()) out += fmt::format("  compadd -- {}\n", join(candidates.words, " "));
    if (candidates.files) out += "  _files\n";
    if (candidates.folders) out += "  _files -/\n";
    out += "}\n";
  }
  return out;
}

std::string command_list(const ProgramDescription& program) {
  std::string out;
  for (const CommandDescription& command : program.commands)
    out += fmt::format("        {}\n", shell_quoted(command.name + ":" + command.doc));
  return out;
}

constexpr std::string_view kZshBegin = R"(
_attn_tutor() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C)";

constexpr std::string_view kCommands = R"( \
        '1: :->command' '*:: :->argument'
  case $state in
    command)
      local -a commands=(
)";

constexpr std::string_view kArguments = R"(      )
      _describe command commands ;;
    argument)
      curcontext=${curcontext%:*}-$words[1]:
      case $words[1] in
)";

// Sourced, it registers itself; as a file of fpath its body is the function, so it calls itself.
constexpr std::string_view kZshEnd = R"(      esac ;;
  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _attn_tutor "$@"
else
  compdef _attn_tutor attn-tutor
fi
)";

}  // namespace

std::string zsh_completion(const ProgramDescription& program) {
  std::string out = "#compdef attn-tutor\n# Completion for zsh, made by `attn-tutor completion zsh`.\n" + functions();
  out += kZshBegin;
  out += option_specs(program.options);
  out += kCommands;
  out += command_list(program);
  out += kArguments;
  for (const CommandDescription& command : program.commands) {
    out += fmt::format("        {}) _arguments{}{} ;;\n", command.name, option_specs(command.options),
                       argument_specs(command));
  }
  return out + std::string(kZshEnd);
}

}  // namespace attn
