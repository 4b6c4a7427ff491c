#include "cli/command.h"

namespace attn {

std::span<const Command* const> all_commands() {
  static constexpr const Command* kAll[] = {
      &kListCommand,  &kLessonCommand, &kTouchCommand, &kRunCommand,        &kExplainCommand, &kEvalCommand,
      &kOpsCommand,   &kCheckCommand,  &kGradeCommand, &kResetCommand,      &kExportCommand,  &kVerifyCommand,
      &kModelCommand, &kNewCommand,    &kHelpCommand,  &kCompletionCommand, &kManCommand,
  };
  return kAll;
}

}  // namespace attn
