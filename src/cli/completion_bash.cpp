// Completion for bash, also the old one of macOS: a function that finds the command among the words before the cursor
// and looks up what may stand there.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/completion.h"

namespace attn {
namespace {

// After the tables: `kinds` holds the names of the arguments, `valued` pairs of an option and the name of its value.
constexpr std::string_view kRest = R"(  esac
  for pair in $valued; do
    [[ ${pair%%:*} == "$before" ]] && kind=${pair#*:}
  done
  if [[ -z $kind && $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  if [[ -z $kind ]]; then
    # Which argument it is: the words before, without options and their values.
    local skip=0 rest=($kinds)
    for ((i = place + 1; i < COMP_CWORD; i++)); do
      if [[ $skip == 1 ]]; then
        [[ ${COMP_WORDS[i]} == = ]] || skip=0
        continue
      fi
      if [[ ${COMP_WORDS[i]} == -* ]]; then
        for pair in $valued; do
          [[ ${pair%%:*} == "${COMP_WORDS[i]}" ]] && skip=1
        done
      elif [[ ${COMP_WORDS[i]} != = && ${rest[0]} != *... ]]; then
        rest=("${rest[@]:1}")
      fi
    done
    kind=${rest[0]%...}
  fi
  case $kind in
)";

constexpr std::string_view kBashEnd = R"(  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  local IFS=$'\n'
  if [[ -n $paths ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen "$paths" -- "$current"))
  fi
}
complete -F _attn_tutor attn-tutor
)";

constexpr std::string_view kBashBegin = R"(# Completion for bash, made by `attn-tutor completion bash`.
_attn_tutor() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= place=0
  local options= valued= kinds= kind= words= paths= pair i
  # --option=value is three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -* ]] && continue
    command=${COMP_WORDS[i]} place=$i
    break
  done
  case $command in
)";

std::string names_of(const std::vector<OptionDescription>& options) {
  std::vector<std::string> names;
  for (const OptionDescription& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return join(names, " ");
}

std::string arm_of(const CommandDescription& command) {
  std::vector<std::string> valued, kinds;
  for (const OptionDescription& option : command.options) {
    if (option.value.empty()) continue;
    for (const std::string& name : option.names) valued.push_back(name + ":" + option.value);
  }
  for (const ArgumentDescription& argument : command.arguments)
    kinds.push_back(argument.name + (argument.repeats ? "..." : ""));
  return fmt::format("    {})\n      options={}\n      valued={}\n      kinds={} ;;\n", command.name,
                     shell_quoted(names_of(command.options)), shell_quoted(join(valued, " ")),
                     shell_quoted(join(kinds, " ")));
}

}  // namespace

std::string bash_completion(const ProgramDescription& program) {
  std::vector<std::string> commands;
  for (const CommandDescription& command : program.commands) commands.push_back(command.name);
  std::string out(kBashBegin);
  out += fmt::format("    '')\n      options={}\n      kinds=COMMAND ;;\n", shell_quoted(names_of(program.options)));
  for (const CommandDescription& command : program.commands) out += arm_of(command);
  out += kRest;
  out += fmt::format("    COMMAND) words={} ;;\n", shell_quoted(join(commands, " ")));
  for (const std::string& name : completed_names()) {
    const Candidates candidates = candidates_for(name);
    out += fmt::format("    {}) words={} paths={} ;;\n", name, shell_quoted(join(candidates.words, " ")),
                       candidates.files     ? "-f"
                       : candidates.folders ? "-d"
                                            : "");
  }
  return out + std::string(kBashEnd);
}

}  // namespace attn
