#pragma once
// What is wrong with a lesson file. Loading collects everything; nothing is thrown.
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace attn {

/// Diagnostics with Code::Format whose spans are places in Lesson::source, so draw(diagnostic, lesson.source) shows
/// them.
struct LoadFindings {
  std::vector<Diagnostic> diagnostics;

  void error(Span span, std::string message, std::string hint = {});
  void warning(Span span, std::string message, std::string hint = {});
  /// Whether there is an error; a lesson with warnings alone is fine.
  bool failed() const;
};

}  // namespace attn
