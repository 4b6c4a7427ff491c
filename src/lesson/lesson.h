#pragma once
// What was written: a lesson as blocks of prose and cells of code, in their order. Plain data, made by load.h. What can
// be told of a lesson without running it is asked of the trees of its cells.
// Running a lesson makes a Trace of it; drawing it reads both.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/file_bytes.h"
#include "base/source.h"

namespace attn {

struct SyntaxTree;  // syntax/parser.h

/// A piece of a line of prose with one style.
struct Run {
  enum class Kind {
    Text,
    Formula,    // `text` is LaTeX; see formula_text()
    Expression  // `text` was in {{ }}: an expression, perhaps with !r and :format as in an f-string field
  };
  Kind kind = Kind::Text;
  bool emph = false;
  bool strong = false;
  bool code = false;
  bool strike = false;
  std::string text;  // a hard line break is "\n"
  std::string href;  // of a link: an http, https or mailto address, or the file name of another lesson
  Span span;         // where it is in Lesson::source (of Text with entities or line breaks in it: roughly)
};

using Runs = std::vector<Run>;

enum class Align { Default, Left, Center, Right };

/// One block that is not a cell.
struct Prose {
  enum class Kind {
    Heading,    // level, runs
    Paragraph,  // runs
    ListItem,   // depth, marker, runs; the further paragraphs of an item have an empty marker
    Table,      // rows (the first is the head), aligns
    Formula,    // text: LaTeX of a formula on a line of its own
    Code,       // text, language: a code block that is not a cell
    Rule
  };
  Kind kind = Kind::Paragraph;
  int line = 1;        // of the file
  int level = 0;       // of a heading: 1 to 6
  int depth = 0;       // how many lists it is in
  int quotes = 0;      // how many quotes it is in
  std::string marker;  // "-", "1."
  Runs runs;
  std::vector<std::vector<Runs>> rows;
  std::vector<Align> aligns;
  std::string text;
  std::string language;
};

// g++ 12 takes a scoped enumerator for a shadow of a type of the same name (Shape).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class Predict { None, Shape, Value, Raises, Effect };
#pragma GCC diagnostic pop

/// The words after `python` on a fence; see docs/lesson-format.md.
struct CellOptions {
  bool parameters = false;
  bool hidden = false;
  Predict predict = Predict::None;
  std::string predict_name;  // of predict=shape:NAME
  std::string write;         // a name
  std::string raises;        // an exception type
  std::string wrong;         // a name
  std::string data;          // a file name
  bool fixed = false;        // of data: nothing of the learner takes its place
  bool strides = false;      // it is about them: its views show them

  /// Whether the learner is asked something.
  bool asks() const { return predict != Predict::None || !write.empty(); }
};

/// Shown to a learner who gives this very answer.
struct Trap {
  Runs answer;
  std::vector<Prose> text;
};

struct Cell {
  int ordinal = 1;      // among the cells of the lesson, from 1
  Source source;        // the code; name is the path of the lesson, first_line the line of the file of its first line
  std::string written;  // the code as it is in the file; differs from source.text for `data`
  std::shared_ptr<const SyntaxTree> tree;  // of source.text; see parse_cells()
  CellOptions options;
  Span fence;  // the words of the fence in Lesson::source
  std::vector<std::vector<Prose>> hints;
  std::vector<Trap> traps;
  std::vector<Prose> why;
  std::string recorded;  // of a notebook: the output that is saved in the file
};

using LessonBlock = std::variant<Prose, Cell>;

/// Lessons are held to their format; notebooks and scripts of learners run as they are. A Markdown file that is no
/// lesson is a notebook, too.
enum class LessonForm { Lesson, Notebook, Script };

struct Lesson {
  LessonForm form = LessonForm::Lesson;
  int number = 0;        // from the file name; 0 without one
  std::string id;        // "batch" of "03-batch.md"
  std::string language;  // "ko" of "03-batch.ko.md"; empty for English
  std::string title;     // plain text of the first heading
  std::string summary;   // plain text of the first paragraph
  std::string path;
  Source source;  // the whole file: valid UTF-8, line feeds only, no byte order mark
  std::vector<LessonBlock> blocks;
  std::map<std::string, std::shared_ptr<const std::string>> files;  // that its cells may read: name -> bytes
  FileOpener folder;  // where the other files that they read are; null: there are none
};

/// Whether there is a lesson file of that name ("04-masks.md"). An empty function: links between lessons are not
/// checked.
using LessonExists = std::function<bool(std::string_view file)>;

/// Whether a file of data/ holds tensors: it is read by the code, any other becomes a literal in it.
bool is_tensor_file(std::string_view name);

/// The cells of a lesson, in order.
std::vector<const Cell*> cells(const Lesson& lesson);

/// Gives every cell its tree, which carries the number that the code has among the sources of a run: {{ }} of prose and
/// cells are numbered as they are written.
void parse_cells(Lesson& lesson);

/// The statements at the top level of the cells that are shown: the steps of a lesson without the rounds of its loops.
int count_statements(const Lesson& lesson);

/// How long a lesson takes, in minutes, rounded up to a multiple of 5: its words (also those below questions, without
/// hints and traps) at 150 a minute, 15 seconds for what each statement prints, a minute for each question.
int minutes_to_learn(const Lesson& lesson);

/// The first cell that cannot be parsed and is not there to show that; null without one.
const Cell* unreadable_cell(const Lesson& lesson);

/// The {{ }} in prose.
std::size_t count_expressions(const Prose& prose);

/// Runs without their style; formulas as Unicode, expressions in their {{ }}.
std::string plain_text(const Runs& runs);

}  // namespace attn
