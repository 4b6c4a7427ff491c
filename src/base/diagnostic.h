#pragma once
// What is said when something is wrong: one struct for every layer, and the one function that draws a caret.
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"

namespace attn {

enum class Severity { Note, Warning, Error };

// g++ 12 takes a scoped enumerator for a shadow of a type of the same name (Shape).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class Code {
  Syntax,
  Name,
  Attribute,
  Type,
  Index,
  Key,
  Shape,
  Value,
  ZeroDivision,
  Assertion,
  Runtime,      // of a cell
  Axis,         // an axis comment that does not fit
  Format,       // of a lesson file
  Unsupported,  // Python or PyTorch has it, we do not
  Suspect,      // runs, and is probably not what was meant
  Remark,       // runs, and may not be what was meant
  Limit,        // memory, work, depth
  Interrupt
};
#pragma GCC diagnostic pop

/// The word that stands before a message: "shape", "zero-division", ...
std::string_view code_name(Code code);

/// A number that a rule speaks of, by name: {"axis", 3}, {"size", 4}.
using Fact = std::pair<std::string, std::int64_t>;

/// An operand of the operation that failed: where it stands in the source, and what it was.
struct OperandNote {
  Span span;
  std::string text;  // "K [batch_size 3, n_heads 2, key_len 6, head_dim 4]"
  std::vector<std::string> axes;
  std::vector<std::int64_t> shape;
};

/// A repair that was run on operands like these, and worked: the code with the repair in it, and what it gives.
struct TriedFix {
  std::string code;   // "torch.matmul(Q, K.transpose(-2, -1))"
  std::string gives;  // "[batch_size 3, n_heads 2, query_len 5, key_len 6]"; empty when no tensor comes out
};

struct Diagnostic {
  Severity severity = Severity::Error;
  Code code = Code::Runtime;
  Span span;
  std::string message;  // what Python or PyTorch says, or our own sentence
  std::string hint;     // what to do; may be empty
  std::string rule;     // id of the broken rule of an op ("matmul.inner"); the learner's sentence follows from it
  std::vector<Fact> facts;
  std::vector<OperandNote> operands;
  bool is_inner = false;  // the rule was broken inside the operation: its facts do not speak of these operands
  TriedFix tried;         // no code: nothing was tried, or nothing worked
  std::string fix;        // the sentence made of it
};

/// Thrown by lexer, parser, loader and evaluator. `type` is the Python exception a cell would see ("RuntimeError").
class CellError : public std::exception {
 public:
  CellError(Diagnostic diagnostic, std::string type);
  CellError(Code code, Span span, std::string message, std::string hint = {});

  const Diagnostic& diagnostic() const { return diagnostic_; }
  Diagnostic& diagnostic() { return diagnostic_; }
  const std::string& type() const { return type_; }
  const char* what() const noexcept override { return diagnostic_.message.c_str(); }
  /// The number of the exception object that the interpreter keeps for it; 0 when there is none.
  std::uint64_t object() const { return object_; }
  void set_object(std::uint64_t number) { object_ = number; }

 private:
  Diagnostic diagnostic_;
  std::string type_;
  std::uint64_t object_ = 0;
};

/// Something that was given to the program is wrong, not the program: a sentence, with a place where it has one.
class UserError : public std::exception {
 public:
  /// What is to be put right; the exit code follows from it.
  enum class Fault {
    Typed,  // a command, an option, a name
    Input,  // what a file or a text holds, or a file that cannot be read
    Output  // where something was to be written
  };

  explicit UserError(std::string message, std::string hint = {}, Fault fault = Fault::Typed,
                     std::vector<std::string> items = {})
      : items_(std::move(items)), fault_(fault) {
    diagnostic_.message = std::move(message);
    diagnostic_.hint = std::move(hint);
  }
  UserError(Diagnostic diagnostic, Source source, Fault fault)
      : diagnostic_(std::move(diagnostic)), source_(std::move(source)), fault_(fault) {}

  const char* what() const noexcept override { return diagnostic_.message.c_str(); }
  const std::string& hint() const { return diagnostic_.hint; }
  /// Details of the message, a line each.
  const std::vector<std::string>& items() const { return items_; }
  Fault fault() const { return fault_; }
  const Diagnostic& diagnostic() const { return diagnostic_; }
  /// What draw() takes beside the diagnostic; null where there is no place to point at.
  const Source* source() const { return source_ ? &*source_ : nullptr; }

 private:
  Diagnostic diagnostic_;
  std::optional<Source> source_;
  std::vector<std::string> items_;
  Fault fault_;
};

/// The Python exception type that belongs to a code: Index -> "IndexError", Shape -> "RuntimeError", ...
std::string_view python_type(Code code);

struct DiagnosticStyle {
  bool color = false;
  int width = 80;
  bool wraps = false;  // sentences, too; where they are not read by a person, each stays a line
};

/// Draws `name:line:column: code: message`, the source line, the caret (with each operand under its place) and
/// the fix and the hint. Text from files is sanitised here. Ends with a line feed.
std::string draw(const Diagnostic& diagnostic, const Source& source, const DiagnosticStyle& style = {});

}  // namespace attn
