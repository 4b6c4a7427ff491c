#pragma once
// What was asked for on the command line, after it was understood. Commands read this and never see arguments.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "engine/trace.h"

namespace attn {

enum class ColorMode { Auto, Always, Never };

/// --sweep n_heads=1,2,4: a run for each value.
struct Sweep {
  std::string name;
  std::vector<std::string> values;
};

/// What is shown of a model beside its heads and its next words, as it was typed; empty: not asked for.
struct ModelViews {
  std::string family, head, generate, temperature, top_k, top_p;
  std::vector<std::string> without;
  bool lens = false;
};

struct Request {
  std::string word;                // LESSON, CODE or NAME
  std::string change;              // of touch
  std::vector<std::string> files;  // of check
  std::string subject;             // of explain: an element such as energy[0,1], or a name
  std::string answers;             // --answers FILE; - is standard input; empty: none
  std::string student;             // --student NAME; empty: none
  std::string lessons;             // --lessons DIR; empty: those in the binary
  bool all = false;
  bool shapes = false;
  bool json = false;
  bool quiet = false;
  bool plain = false;           // of run: what the program prints, nothing else
  bool raw = false;             // with plain: escape sequences reach the terminal
  bool accessible = false;      // --accessible: whole lines instead of keys
  bool no_pager = false;        // --no-pager: long texts run through
  std::string pager;            // of the user's settings; empty: none there
  bool no_input = false;        // never ask anything
  bool quiz = false;            // ask for every shape that changes
  bool fade = false;            // leave out parts of what was mastered
  bool no_skip = false;         // questions must be answered
  bool yes = false;             // of reset: do not ask
  bool resumes = false;         // a session goes on without asking
  bool bare = false;            // started without any argument
  bool ignore_outputs = false;  // of run: those that are saved in a notebook
  bool watch = false;           // of run: again whenever the file changes
  bool every_call = false;      // bodies of functions at every call
  std::string output;           // of export: a file, a folder with --all, or -
  std::string format;           // of export, where the name of the file does not tell
  std::string python;           // of verify
  bool markdown = false;        // of ops: docs/language.md; of grade: a table for GitHub
  bool csv = false;             // of grade
  bool sheet = false;           // of lesson: its questions, to be filled in
  bool no_answers = false;      // of export: questions alone
  bool force = false;           // of transcripts: replace any file
  std::string transcript;       // --transcript FILE of a session; empty: none
  bool times = false;           // in that transcript
  std::optional<int> step;
  std::optional<int> depth;    // of explain: levels, -1 for all
  bool explain_shape = false;  // of explain: where the sizes came from
  bool explain_move = false;   // of explain: where the element stands in the storage, before and after
  ModelViews model;
  RunOptions run;
  std::optional<Sweep> sweep;
  std::optional<int> width;
  ColorMode color = ColorMode::Auto;
  bool ascii = false;
  Limits limits;
  int threads = 0;  // 0: as many as the machine has
};

}  // namespace attn
