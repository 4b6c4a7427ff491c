#pragma once
// Runs the cells of a lesson one after another in one interpreter, for the record (runner.h) or up to a point
// (replay.h). Their code is the lesson's with what the options ask for in it: --set and --seed in the cells marked
// `parameters`, the learner's words or ids in the cells marked data=, and the sizes that follow from those.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "engine/trace.h"
#include "lesson/lesson.h"
#include "python/interpreter.h"
#include "syntax/parser.h"

namespace attn {

class CellRunner {
 public:
  /// `own` is what the two kinds of runs want otherwise of the interpreter.
  ///   Errors: UserError. A parameter that follows from the input cannot be set as well.
  CellRunner(const Lesson& lesson, const RunOptions& options, InterpreterOptions own);

  Interpreter& interpreter() { return interpreter_; }
  /// The names of the files that the cells have read.
  const std::set<std::string>& opened() const { return opened_; }

  /// After a `wrong` cell: the names are those from before it again. Whether it was one.
  bool leave_fork();

  /// The cell is next: of a `wrong` one what follows happens in a copy of the names. Gives its code as it is run, which
  /// is a source of the interpreter. `# = EXPRESSION` after a parameter says what it is where the learner brings the
  /// data; it is evaluated now, and its error is kept in the tree.
  ///   Errors: UserError.
  std::shared_ptr<const SyntaxTree> enter(const Cell& cell);
  /// Runs what enter() gave, from its beginning or from where it once was. Returns the error that it ended with.
  std::optional<CellError> run(const std::shared_ptr<const SyntaxTree>& code, Observer& observer,
                               const Interpreter::Snapshot* from = nullptr);
  /// The same lesson, where it lies now.
  void read_from(const Lesson& lesson) { lesson_ = &lesson; }

 private:
  std::string code_of(const Cell& cell);

  const Lesson* lesson_;
  std::map<std::string, std::string> settings_;  // parameter -> literal
  std::map<std::string, std::string> data_;      // name -> literal
  std::set<std::string> opened_;                 // before the interpreter, which adds to them
  Interpreter interpreter_;
  Ref<Scope> outside_;  // while a wrong cell's copy of it is in use
};

}  // namespace attn
