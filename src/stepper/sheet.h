#pragma once
// Sheets: the questions of a lesson as a text file that a student fills in, and what was filled in.
#include <string>
#include <string_view>
#include <vector>

#include "stepper/state.h"

namespace attn {

/// What was handed in. A file without a header and numbers is one of an answer a line.
struct Sheet {
  std::string lesson, hash;  // of the header; empty without one
  std::string name;          // of the student; empty: none
  std::string run;           // "--seed 4711 --set n_heads=4", or empty: the lesson's own
  bool has_header = false;
  bool is_numbered = false;
  std::vector<std::string> answers;  // in the order of the questions; empty: blank
};

/// Takes what editors make of a text: other line ends, a byte order mark, blanks, numbers as "1." or "1)", answers on
/// the line below, of several lines, indented or between ``` fences. Lines that begin with # are ignored.
Sheet read_sheet(std::string_view text);

/// The lesson's questions without their answers, each with the prose, code and values that it takes to answer it.
std::string sheet_text(const State& state, std::string_view student);

}  // namespace attn
