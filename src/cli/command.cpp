#include "cli/command.h"

namespace attn {

std::span<const Command* const> all_commands() {
  static constexpr const Command* kAll[] = {&kListCommand,  &kLessonCommand, &kTouchCommand,
                                            &kRunCommand,   &kEvalCommand,   &kOpsCommand,
                                            &kCheckCommand, &kExportCommand, &kVerifyCommand};
  return kAll;
}

}  // namespace attn
