#include "cli/environment.h"

namespace attn {

std::span<const Variable> variables() {
  static constexpr Variable kVariables[] = {
      {"XDG_STATE_HOME", "variable.state"},
      {"XDG_DATA_HOME", "variable.data"},
      {"HOME", "variable.home"},
      {"XDG_CONFIG_HOME", "variable.config"},
      {"NO_COLOR", "variable.no_color"},
      {"FORCE_COLOR CLICOLOR_FORCE", "variable.force_color"},
      {"ACCESSIBLE", "variable.accessible"},
      {"TERM", "variable.term"},
      {"LC_ALL LC_CTYPE LANG", "variable.locale"},
      {"PAGER", "variable.pager"},
      {"LESS", "variable.less"},
      {"PATH", "variable.path"},
      {"ATTN_TUTOR_CPU", "variable.cpu"},
  };
  return kVariables;
}

}  // namespace attn
