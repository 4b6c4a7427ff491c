#pragma once
// The lessons of the binary, run once for all tests of a program.
#include <gtest/gtest.h>

#include <vector>

#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "lesson/load.h"
#include "lesson/program.h"
#include "tests/engine/run.h"
#include "tests/render/hostile.h"

namespace attn::test {

inline Trace trace_of(const Catalogue& catalogue, const CatalogueEntry& entry) {
  LoadFindings findings;
  return run_lesson(catalogue.open(entry, findings));
}

/// One lesson, by its place.
inline Trace lesson_trace(std::size_t place) {
  const Catalogue catalogue = Catalogue::built_in();
  return trace_of(catalogue, catalogue.entries().at(place));
}

/// All of them take seconds (under sanitizers a minute): the tests that want them are of the suite EveryLesson, which
/// is run as one process.
inline const std::vector<Trace>& lesson_traces() {
  static const std::vector<Trace> traces = [] {
    std::vector<Trace> out;
    const Catalogue catalogue = Catalogue::built_in();
    for (const CatalogueEntry& entry : catalogue.entries())
      if (runs_in_tests(entry.id, 1) > 0) out.push_back(trace_of(catalogue, entry));
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
