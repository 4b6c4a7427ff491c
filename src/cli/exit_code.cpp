#include "cli/exit_code.h"

namespace attn {

std::span<const ExitMeaning> exit_meanings() {
  static constexpr ExitMeaning kMeanings[] = {
      {"0", "exit.fine"},  {"1", "exit.failed"},      {"2", "exit.usage"},
      {"3", "exit.input"}, {"4", "exit.output"},      {"5", "exit.limit"},
      {"70", "exit.bug"},  {"130", "exit.interrupt"}, {"128+n", "exit.signal"},
  };
  return kMeanings;
}

}  // namespace attn
