#pragma once
// What happened: the record of one run, and all that any view of it reads. Vectors and integer ids; no pointer into a
// syntax tree or an environment, so a Trace outlives the run that made it.
//
// Values are numbered as they come to be. A tensor that is written in place is a new value from then on; the record of
// the old one keeps what it held.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/file_bytes.h"
#include "base/source.h"
#include "engine/session_record.h"
#include "lesson/lesson.h"
#include "python/origin.h"
#include "tensor/core/tensor.h"
#include "tensor/ops/compare.h"

namespace attn {

inline constexpr int kTraceSchema = 2;

/// Index into Trace::values, steps, ops, diagnostics; -1: none.
using ValueId = int;
using StepId = int;
using OpId = int;

class Checkpoints;  // engine/checkpoints.h: states of a run to go on from
struct OwnInput;    // engine/own_input.h: a learner's own words or ids
class Weights;      // engine/weights.h: a file of parameters

struct AxisRecord {
  std::string name;  // empty: unnamed
  std::shared_ptr<const std::vector<std::string>> words;
  OriginPtr born = {};  // of its size; null where nothing is known of it
  std::string by = {};  // of words in rows: the axis of which each index has a row
};

struct RecordedValue {
  std::string type;  // "Tensor", "int", "list", ...
  std::string text;  // repr; of a tensor mostly empty: it is made when wanted. That of an array is kept
  bool is_tensor = false;
  Tensor tensor;  // a snapshot; without storage when it was not kept (see `kept`)
  Shape shape;
  Shape strides;
  DType dtype = DType::Float32;
  std::vector<AxisRecord> axes;
  std::int64_t storage = 0;  // id of the storage and its version: equal ids mean views of one another
  std::int64_t version = 0;
  bool contiguous = true;
  bool kept = true;  // false when the budget for values was used up: the numbers are not in the record
  bool requires_grad = false;
  bool is_parameter = false;
  std::string grad_fn;

  bool has_numbers() const { return kept && tensor.defined(); }
};

struct OpOperand {
  std::string parameter;  // of the op: "input", "weight"
  std::string written;    // the name it is bound to; "" for a value without one, such as the result of the op before
  ValueId value = -1;
};

/// An argument of an op as data, so that the op can be run again (engine/rerun.h).
struct OpArgument {
  enum class Kind : std::uint8_t { None, Bool, Int, Float, Text, DType, Tensor, List, Tuple, Slice, Ellipsis, Other };
  Kind kind = Kind::None;
  std::int64_t number = 0;  // of Bool, Int
  double real = 0;
  std::string text;
  ValueId value = -1;             // of Tensor
  std::vector<OpArgument> items;  // of List, Tuple; start, stop and step of Slice
};

struct Op {
  std::string name;      // of the row of the table of ops: "matmul"
  std::string spelling;  // by which find_op() finds the row: "torch.matmul"
  Span span;
  StepId step = -1;
  OpId parent = -1;        // the composite that it is a part of
  OpId back_through = -1;  // the op whose operands get a gradient by it
  std::vector<OpOperand> inputs;
  std::vector<std::pair<std::string, std::string>> attributes;  // the other arguments: {"dim", "-1"}
  int overload = 0;                                             // of the row's signature
  std::vector<OpArgument> arguments;  // of each of its parameters, those that were left out too; none of composites
  std::vector<ValueId> outputs;
  std::int64_t multiply_adds = 0;
  std::int64_t bytes = 0;  // of new storage; 0 for a view
  bool is_view = false;
  bool in_place = false;
  bool failed = false;
};

struct Binding {
  std::string target;  // "x", "x[0]", "layer.bias"
  ValueId value = -1;
  Span span;
  ValueId of = -1;  // of a gradient: the tensor that it is of
};

enum class Outcome { Fine, Raised };

/// An executed statement. Of a compound statement this is the header, and its statements have it as `parent`.
struct Step {
  std::string id;  // lesson / cell / fingerprint of the code . occurrence . rounds of the loops around it
  int cell = 0;    // ordinal of the cell
  Span span;       // of the whole statement
  Span header;     // what is shown: up to the colon of a compound statement
  StepId parent = -1;
  std::int64_t ordinal = 0;     // of all statements that ran, in the order in which they began; not all are recorded
  std::int64_t iteration = -1;  // of the innermost loop, from 0
  int activation = 0;           // 0: of the cells; else the number of the call of a function that it belongs to
  std::string function;         // the name of that function: "attention", "Block.forward"
  std::vector<OpId> ops;        // in order, those inside composites included
  bool has_more_ops = false;    // than a long record has
  std::vector<Binding> bindings;
  ValueId value = -1;          // of an expression statement (none for None)
  std::vector<double> losses;  // of the outermost loop: the numbers on which backward() was called in it
  std::string printed;
  Outcome outcome = Outcome::Fine;
  int diagnostic = -1;
  std::vector<int> warnings;  // axis comments that do not fit, in files that are no lessons
  bool hidden = false;
};

/// How a `wrong` cell came out.
enum class Effect { Raises, OtherShape, OtherNumbers, NoDifference };

struct Comparison {
  Effect effect = Effect::NoDifference;
  std::string wrong_name, right_name;
  ValueId wrong = -1, right = -1;
  Difference difference;  // with same shapes
};

/// What the learner is asked at a cell, and the answer of this run.
struct Question {
  Predict kind = Predict::None;
  std::string subject;  // the name, or the text of the expression; of an effect what is compared with
  ValueId value = -1;   // of which shape or number is asked
  bool raises = false;  // of Predict::Raises
  Effect effect = Effect::NoDifference;
  std::string write;  // the name that the learner binds
};

struct TrapRecord {
  std::string answer;
  std::vector<Prose> text;
};

/// A cell as it was run. Its prose has its {{ }} filled in.
struct CellRecord {
  int ordinal = 0;
  std::uint32_t source = 0;  // index into Trace::sources
  CellOptions options;
  std::vector<StepId> steps;  // of its statements at the top level
  std::string printed;        // by all of them, in order
  ValueId result = -1;        // of the expression that ends it, as a notebook shows it; -1: none
  std::string recorded;       // the output that a notebook file has for it
  std::vector<int> notes;     // diagnostics: commands of the notebook that were passed over
  std::optional<Question> question;
  std::vector<std::vector<Prose>> hints;
  std::vector<TrapRecord> traps;
  std::vector<Prose> why;
  std::optional<Comparison> comparison;
  int diagnostic = -1;  // the error it ended with (an expected one too)
  std::string raised;   // the type of that error in Python; empty: none was raised
  bool failed = false;  // an error that was not expected, or an expected one that did not come
};

/// Prose has its {{ }} filled in: no run of it is an Expression any more.
using TraceBlock = std::variant<Prose, CellRecord>;

/// A change made to what a name holds right where it is bound (engine/touch.h).
struct Touch {
  std::string name;
  std::string code;  // "query[0,1] += 1"
  std::string step;  // id of the step that binds it
};

/// --text, --data and --vocab as they were given; the last two are names of files.
struct GivenInput {
  std::vector<std::string> text;
  std::string data, vocab;
  friend bool operator==(const GivenInput&, const GivenInput&) = default;
};

/// --weights and --map as they were given.
struct GivenWeights {
  std::string file;
  std::vector<std::string> map;
  friend bool operator==(const GivenWeights&, const GivenWeights&) = default;
};

/// A parameter of the lesson that got its numbers from the file of --weights.
struct LoadedTensor {
  std::string name;    // "fc_q.weight"
  std::string tensor;  // of the file
  std::string part;    // of that: "[..., :768].T", as PyTorch reads it
  StepId step = -1;    // that bound the name
  ValueId value = -1;
};

/// What --weights has done.
struct LoadedWeights {
  std::string sha256;        // in hex digits
  bool is_whole_sum = true;  // of the whole file; else of its header and the tensors that were taken from it
  std::vector<LoadedTensor> loaded;
  std::vector<std::string> missing;  // parameters of the lesson that are not in the file
  std::vector<std::string> unused;   // tensors of the file, or parts of them, that are nothing in the lesson
};

struct Trace;

/// Hears what a program prints, while it runs.
class OutputListener {
 public:
  virtual ~OutputListener() = default;
  virtual void printed(std::string_view text) = 0;
  virtual void flushed() {}
  /// To sys.stderr, which no record keeps.
  virtual void complained(std::string_view) {}
  virtual void cell_ended(const Trace& trace, const CellRecord& cell) = 0;
};

/// A round of a loop of the cells that begins.
struct RoundPlace {
  std::size_t depth;     // how many loops are around it
  const Source* source;  // of the loop
  std::uint32_t at;      // where it begins there
  std::int64_t round;
};

/// A run of which only the output counts is recorded up to so many steps, and so many ops.
inline constexpr std::size_t kFollowed = 2000;

/// Of a loop, the first rounds and the last one are shown; where the record is long, no others are in it.
inline constexpr std::size_t kFirstRounds = 3;

struct RunOptions {
  std::optional<std::int64_t> seed;        // of a lesson its parameter; of a program that of the first manual_seed
  std::map<std::string, std::string> set;  // parameter -> literal, as typed
  bool is_gone_on_with = false;            // makes checkpoints
  bool is_whole = true;                    // false: the record may end after kFollowed steps or ops
  bool keeps_hidden = true;                // false: only small numbers of hidden cells, which nobody will ask for
  OutputListener* output = nullptr;        // hears what is printed; then the record need not hold it
  void (*on_round)(const RoundPlace& place) = nullptr;  // hears of them while it runs
  std::int64_t value_budget = std::int64_t{256} << 20;  // bytes of recorded values
  std::optional<Touch> touch;
  std::int64_t stops_at = -1;  // Step::ordinal of a statement that is not to begin: another run was interrupted there
  GivenInput given;
  std::shared_ptr<const OwnInput> input;  // what was read of it; null: the lesson's own data
  GivenWeights given_weights;
  std::shared_ptr<const Weights> weights;  // opened; null: the lesson draws its parameters
};

enum class RunOutcome { Fine, CellFailed, LimitReached, Interrupted };

/// A file that the cells read by themselves.
struct DataFile {
  std::string name;
  bool is_carried = true;  // false: a large one, of which the record has the name alone
  std::string base64;      // of its bytes
  std::string sha256;      // of a large one, in hex digits, once it was asked for (engine/lesson_files.h)
};

struct Trace {
  LessonForm form = LessonForm::Lesson;
  int schema = kTraceSchema;
  std::string lesson_id;
  int number = 0;
  std::string title;
  std::string summary;
  std::string path;
  RunOptions options;
  std::string level = "baseline";  // of the processor's kernels, where numbers depend on it (large products)
  std::vector<DataFile> files;
  std::vector<Source> sources;
  std::vector<TraceBlock> blocks;
  std::vector<Step> steps;
  std::vector<Op> ops;
  std::vector<RecordedValue> values;
  std::vector<Diagnostic> diagnostics;
  RunOutcome outcome = RunOutcome::Fine;
  std::optional<LoadedWeights> weights;
  bool drew_unseeded = false;  // a program drew numbers before any torch.manual_seed: those of seed 0, or of --seed
  bool measured_time = false;  // the clock was read twice, which goes on as it is read; not written to files
  std::optional<SessionRecord> session;      // of a transcript: what a learner did with this run
  std::shared_ptr<Checkpoints> checkpoints;  // of a session: the run itself; null without loops to go on in

  const Step& step(StepId id) const { return steps.at(static_cast<std::size_t>(id)); }
  const Op& op(OpId id) const { return ops.at(static_cast<std::size_t>(id)); }
  const RecordedValue& value(ValueId id) const { return values.at(static_cast<std::size_t>(id)); }
  Step& step(StepId id) { return steps.at(static_cast<std::size_t>(id)); }
  Op& op(OpId id) { return ops.at(static_cast<std::size_t>(id)); }
  RecordedValue& value(ValueId id) { return values.at(static_cast<std::size_t>(id)); }
};

/// "[batch_size 3, n_heads 2, query_len 5, key_len 6]": axes with their sizes; a size alone where there is no name.
std::string axes_text(const RecordedValue& value);

/// The words on an axis at one place of the leading axes: one for each index, or none.
std::span<const std::string> words_on(const RecordedValue& value, std::size_t axis, const Shape& leading);

/// A code block of a lesson whose first word is `map` lists the names of its map (explain/lesson_map.h); the first one
/// counts. Else null.
const Prose* map_block(const Trace& trace);

/// One of those names, and where it is first bound to a tensor outside of common bugs.
struct MapName {
  std::string name;
  std::size_t begin = 0;  // in the text of the block
  ValueId value = -1;     // -1: never
  StepId step = -1;
};
inline constexpr std::size_t kMostMapNames = 12;  // those after them are in no drawing
std::vector<MapName> map_names(const Trace& trace);

/// The steps that a view shows one after another: hidden ones left out, in order of execution.
std::vector<StepId> visible_steps(const Trace& trace);

/// Multiply-adds and bytes of a step: its ops at the top level (a composite counts what is in it once).
struct Cost {
  std::int64_t multiply_adds = 0;
  std::int64_t bytes = 0;
};
Cost cost_of(const Trace& trace, const Step& step);

}  // namespace attn
