// attn-tutor completion: a script that makes a shell complete commands, options, lessons, formats and ops.
#include "cli/completion.h"

#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "text/say.h"

namespace attn {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)(const ProgramDescription& program);
};

constexpr Shell kShells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

int run_completion(const Request& request) {
  const auto* shell =
      std::find_if(std::begin(kShells), std::end(kShells), [&](const Shell& row) { return row.name == request.word; });
  if (shell == std::end(kShells)) {
    const std::string near = nearest(request.word, shell_names());
    throw UserError(
        say("completion.unknown", {{"shell", elide(request.word, 40)}}),
        near.empty() ? say("completion.shells", {{"list", join(shell_names(), ", ")}}) : did_you_mean(near));
  }
  write_out(shell->script(describe_program()));
  return kFine;
}

}  // namespace

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const Shell& shell : kShells) names.emplace_back(shell.name);
  return names;
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

const Command kCompletionCommand = {
    "completion", "Prints a script with which a shell completes commands, options, lessons, formats and ops.",
    kTakesShell, run_completion, "attn-tutor completion bash"};

}  // namespace attn
