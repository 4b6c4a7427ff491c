#pragma once
// The lessons of the binary, run once for all tests of a program.
#include <gtest/gtest.h>

#include <vector>

#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "lesson/load.h"
#include "lesson/program.h"
#include "tests/render/hostile.h"

namespace attn::test {

inline const std::vector<Trace>& lesson_traces() {
  static const std::vector<Trace> traces = [] {
    std::vector<Trace> out;
    const Catalogue catalogue = Catalogue::built_in();
    for (const CatalogueEntry& entry : catalogue.entries()) {
      LoadFindings findings;
      out.push_back(run_lesson(catalogue.open(entry, findings)));
    }
    return out;
  }();
  return traces;
}

/// What a Markdown file of lessons gives when it is run.
inline Trace trace_of_file(const std::string& path, const std::string& text) {
  LoadFindings findings;
  const Lesson lesson = is_program_name(path) ? load_program(path, text, findings) : load_lesson(path, text, findings);
  return run_lesson(lesson);
}

inline Trace hostile_trace() { return trace_of_file("01-evil.md", hostile_text()); }

}  // namespace attn::test
