#include "lesson/findings.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

Diagnostic finding(Severity severity, Span span, std::string message, std::string hint) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = Code::Format;
  diagnostic.span = span;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  return diagnostic;
}

constexpr std::size_t kMaxFindings = 200;  // nobody reads more, and the work must stay bounded

void add(std::vector<Diagnostic>& diagnostics, Diagnostic diagnostic) {
  if (diagnostics.size() < kMaxFindings) diagnostics.push_back(std::move(diagnostic));
}

}  // namespace

void LoadFindings::error(Span span, std::string message, std::string hint) {
  add(diagnostics, finding(Severity::Error, span, std::move(message), std::move(hint)));
}

void LoadFindings::warning(Span span, std::string message, std::string hint) {
  add(diagnostics, finding(Severity::Warning, span, std::move(message), std::move(hint)));
}

bool LoadFindings::failed() const {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::Error; });
}

}  // namespace attn
