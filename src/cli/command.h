#pragma once
// The sub-commands: a row each. The command line, --help and the dispatch follow from the rows.
#include <cstddef>
#include <span>
#include <string_view>

#include "cli/exit_code.h"
#include "cli/request.h"

namespace attn {

/// Which options and arguments a command takes.
enum Takes : unsigned {
  kTakesLesson = 1,         // LESSON
  kTakesFiles = 2,          // FILE...
  kTakesCode = 4,           // CODE
  kTakesName = 8,           // [NAME]
  kTakesSeed = 16,          // --seed, --text, --data, --vocab, and of a lesson --set
  kTakesView = 32,          // --width, --color, --ascii
  kTakesCatalogue = 64,     // --lessons
  kTakesJson = 128,         // --json
  kTakesSteps = 256,        // --all, --step
  kTakesLimits = 512,       // --max-memory, --max-steps, --threads
  kTakesProgram = 1024,     // FILE, --plain, --ignore-outputs, --shapes
  kTakesSweep = 2048,       // --sweep, --sheet
  kTakesChange = 4096,      // CHANGE, after LESSON
  kTakesElement = 8192,     // ELEMENT, --depth, --shape, --move, --step
  kTakesSession = 16384,    // --accessible, --no-input, --quiz, --fade, --no-skip, --transcript
  kTakesReset = 32768,      // [LESSON], --all, --yes
  kTakesExport = 1 << 16,   // [LESSON], --output, --format, --all, --force, --no-answers
  kTakesPython = 1 << 17,   // --python
  kTakesWeights = 1 << 18,  // --weights, --map
  kTakesStudent = 1 << 19,  // --student
  kTakesGrade = 1 << 20,    // LESSON FILE..., --csv, --markdown
  kTakesModel = 1 << 21,    // [DIR], --text, --map
  kTakesViews = 1 << 22,    // --family, --head, --without, --lens, --generate and how, of models
  kTakesShell = 1 << 28,    // SHELL
  kTakesTopic = 1 << 29,    // [TOPIC]
  kTakesNew = 1 << 30       // NAME, of a lesson to be made
};

struct Command {
  std::string_view name;
  std::string_view doc;
  unsigned takes;
  int (*run)(const Request& request);
  std::string_view example;
};

extern const Command kListCommand;
extern const Command kLessonCommand;
extern const Command kTouchCommand;
extern const Command kRunCommand;
extern const Command kExplainCommand;
extern const Command kEvalCommand;
extern const Command kOpsCommand;
extern const Command kCheckCommand;
extern const Command kGradeCommand;
extern const Command kModelCommand;
extern const Command kResetCommand;
extern const Command kExportCommand;
extern const Command kVerifyCommand;
extern const Command kNewCommand;
extern const Command kHelpCommand;
extern const Command kCompletionCommand;
extern const Command kManCommand;

std::span<const Command* const> all_commands();

/// Reads the arguments, runs the command, gives the exit code. Prints its own errors. `stack` is the size of the
/// calling thread's stack in bytes, of which the evaluator may use what is left but for a reserve.
int run_command_line(int argc, const char* const* argv, std::size_t stack);

}  // namespace attn
