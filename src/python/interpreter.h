#pragma once
// Runs cells: the state of one run (names, generator, options) and the evaluation of trees over it.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/file_bytes.h"
#include "python/function.h"
#include "python/modules/mersenne_twister.h"
#include "python/object.h"
#include "python/observer.h"
#include "python/value.h"
#include "syntax/ast.h"
#include "tensor/core/print.h"
#include "tensor/ops/random.h"

namespace attn {

struct InterpreterOptions {
  bool strict_axis_comments = true;        // in lessons a comment that does not fit is an error, elsewhere a warning
  std::optional<std::int64_t> first_seed;  // stands for the argument of the first torch.manual_seed()
  FileOpener open_file = nullptr;          // null: cells read no files
  std::string file = {}, doc = {};         // of a script its name and the text that opens it: __file__, __doc__
  bool is_notebook = false;                // has display() and get_ipython()
  /// Called when a statement of a cell has bound a name, before anybody else sees that; not in a `wrong` cell.
  std::function<void(const std::string& name, const Value& value)> assigned = nullptr;
};

/// The numbers of sources that are files of the library (src/lib). What runs there is no step of a cell, its names name
/// no axes, it counts as no call, and its ops and errors are placed at the call into it.
inline constexpr std::uint32_t kLibrarySources = std::uint32_t{1} << 31;
inline bool is_in_library(Span span) { return span.source >= kLibrarySources; }

/// A call of a function that is under way.
struct Frame {
  const Function* function;
  Value first;  // its first argument: `self` of a method
};

/// A call of an op that failed, with what it was given: enough to try it in another way.
struct FailedCall {
  const OpInfo* op = nullptr;
  CallArguments arguments;
  Value self;  // of a method
  bool has_self = false;
  std::string message;  // of the error, by which it is known again
};

/// The exception object of a CellError that is on its way, when there is one: the error carries its number.
struct Raised {
  Value value;
  std::uint64_t number = 0;
};

/// A loop of a cell that is under way, outside of calls.
struct Loop {
  const Stmt* stmt;
  Value iterable;  // of `while`: None
  std::int64_t round = 0;
};

class Interpreter {
 public:
  explicit Interpreter(Observer* observer = nullptr, InterpreterOptions options = {});
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// Keeps a source text; the index is what spans in it carry.
  std::uint32_t add_source(Source source);
  const std::vector<Source>& sources() const { return sources_; }

  /// Parses and runs a cell.
  ///   Errors: CellError (names bound before the failure stay), LimitReached.
  void run(Source source);
  /// Runs the statements of a parsed block, which functions made by it may keep.
  void run(std::shared_ptr<const Block> block);

  /// Runs a file of the library, whose names go into `scope`.
  void run_library(const Block& block, Ref<Scope> scope);

  /// The value of an expression in the current scope. Ops are reported to the observer.
  Value evaluate(const Expr& expr);
  /// An f-string field ("x.mean():.2f", see parse_field) as text; nothing is reported to the observer.
  std::string format_field(const Source& field);

  /// A name of the global scope; null when it is not bound.
  const Value* find(std::string_view name) const;
  /// Binds a name of the global scope, as an assignment would, without telling the observer.
  void set(const std::string& name, Value value);

  /// Forgets what axis comments outside of functions have said: the letters of a notebook's next cell are its own.
  void forget_axis_sizes() { globals_->axis_sizes.clear(); }

  /// Goes on in a copy of the global scope, in which draws and in-place writes are refused with Code::Format. Gives
  /// the scope to hand to restore().
  Ref<Scope> fork();
  void restore(Ref<Scope> scope);

  // ---- for runs that are stopped on their way ----

  /// Where a run stands: among which names, and whether gradients are on.
  struct Place {
    Ref<Scope> scope;
    bool grad_enabled = true;
  };
  Place place() const { return {scope_, grad_enabled_}; }
  /// The names of the program where it runs, or where it called the library that runs.
  const Scope* program_scope() const { return library_caller_ ? library_caller_ : scope_.get(); }
  /// The place itself; of one in the library the call into it.
  Span place_of(Span span) const { return !is_in_library(span) ? span : library_call_ ? library_call_->span : Span(); }
  /// What is run next is run there, and may draw and write; axis comments that do not fit are warnings.
  void go_on_at(Place place);

  /// All that a run is at the beginning of a round. Objects are not copied: whoever holds one finds it as it was.
  struct Snapshot {
    std::vector<std::unique_ptr<Kept>> parts;
    std::function<void()> put_back_rest;                      // generators, options
    std::vector<Loop> loops;                                  // around, the outermost first
    std::unordered_map<const Buffer*, std::int64_t> buffers;  // of its tensors, and how many bytes they take
  };
  /// Nothing where the run could not go on from here: the loop goes through what cannot begin anew, stands in a call,
  /// or in a statement that is no loop; or another iteration is under way.
  std::optional<Snapshot> snapshot();
  /// Puts it back and goes on at the beginning of that round, to the end of the block.
  void go_on(const Snapshot& from, std::shared_ptr<const Block> block);
  /// Of several interpreters on a thread the one that works must be the current one, as a new one is: leave() gives
  /// that place back, enter() takes it. They come in pairs, one within the other.
  void enter();
  void leave();

  // ---- for ops, builtins and layers ----

  const InterpreterOptions& options() const { return options_; }
  Generator& generator() { return *drawn_from_; }
  /// torch.manual_seed().
  void manual_seed(std::int64_t seed);
  /// Whether numbers were drawn before any torch.manual_seed().
  bool drew_unseeded() const { return is_seeded_ ? drew_unseeded_ : !generator_.is_fresh(); }
  /// The generators of Python's random and of numpy.random.
  MersenneTwister& python_random() { return python_random_; }
  MersenneTwister& numpy_random() { return numpy_random_; }
  /// How tensors print, as torch.set_printoptions() said.
  PrintOptions& print_options() { return print_options_; }
  const PrintOptions& print_options() const { return print_options_; }
  /// The same of numpy's arrays; `sci_mode` false: numpy.set_printoptions(suppress=True).
  PrintOptions& array_print_options() { return array_print_options_; }
  /// Where a storage lies as far as data_ptr() tells: storages follow one another in the order in which they are asked.
  std::int64_t address_of(const Storage& storage);
  /// What id() gives: objects are numbered in the order in which they are asked, and kept, so that none has the number
  /// of another.
  std::int64_t number_of(const Value& value);
  /// What a module keeps for this run: a dict by its name.
  Value kept(const std::string& module);
  bool grad_enabled() const { return grad_enabled_; }
  void set_grad_enabled(bool enabled) { grad_enabled_ = enabled; }
  /// Calls under way, the innermost last.
  const std::vector<Frame>& frames() const { return frames_; }
  /// The interpreter that runs on this thread: repr(), == and bool() of objects with methods of their own need it.
  static Interpreter* current();
  Observer* observer() const { return observer_; }
  void set_observer(Observer* observer) { observer_ = observer; }
  /// The observer if it follows the run, else null.
  Observer* follower() const { return observer_ && observer_->follows() ? observer_ : nullptr; }
  /// 0, or the number of the `wrong` cell's copy of the scope that is in use: what was made in it may be changed in it.
  int fork_number() const { return fork_number_; }
  /// Refuses where effects are not allowed (a `wrong` cell), with the sentence of that id.
  void require_effects(std::string_view reason, Span span) const;
  /// Gives an error the exception object that an `except` will see.
  void attach(CellError& error, Value exception);
  /// Calls anything callable. Errors are CellErrors at arguments.span.
  Value call(const Value& callable, const CallArguments& arguments);
  /// The same with arguments by position only, all at one place.
  Value call(const Value& callable, std::vector<Value> arguments, Span span);
  /// Binds, computes, names the axes of the result and reports it.
  Value call_op(const OpInfo& op, const CallArguments& arguments, const Value* self = nullptr);
  /// The call of an op that failed last; no op when it was taken before. The values in it are let go.
  FailedCall take_failed_call() { return std::exchange(failed_call_, {}); }
  void print(std::string_view text);
  void flush_output();
  /// Iterates over any iterable; `visit` returns false to stop. Errors: TypeError "'int' object is not iterable".
  void for_each(const Value& iterable, Span span, const std::function<bool(const Value&)>& visit);
  std::vector<Value> to_vector(const Value& iterable, Span span);
  /// list.extend(): one by one where code of the program gives the items, which may look at the list, or fail.
  void extend(const Ref<List>& list, const Value& iterable, Span span);

 private:
  Value call_op(const OpInfo& op, const CallArguments& arguments, const Value* self, Observer* observer);
  [[noreturn]] void explain_failure(CellError error, const OpInfo& op, const CallArguments& arguments,
                                    const Value* self);

  friend class Evaluator;
  friend class GeneratorRun;
  void unwind_generators();
  Heap heap_;  // first: everything else may hold objects
  std::vector<Source> sources_;
  std::vector<std::shared_ptr<const Block>> blocks_;  // lambdas keep pointing into them
  Ref<Scope> globals_;
  Ref<Scope> scope_;
  Generator generator_;
  Generator* drawn_from_ = &generator_;  // another one within an op that was given it
  MersenneTwister python_random_, numpy_random_;
  Observer* observer_;
  InterpreterOptions options_;
  PrintOptions print_options_;
  PrintOptions array_print_options_{.precision = 8, .line_width = 75};
  std::unordered_map<std::int64_t, std::int64_t> addresses_;                   // of storages, by id
  std::unordered_map<const Object*, std::pair<Value, std::int64_t>> numbers_;  // of objects
  std::unordered_map<std::string, Value> kept_;                                // by modules
  std::int64_t next_address_ = std::int64_t{1} << 46;
  bool grad_enabled_ = true;
  bool effects_allowed_ = true;
  bool catches_import_errors_ = false;  // within a `try` whose `except` takes a missing module
  bool is_seeded_ = false;
  bool drew_unseeded_ = false;  // before is_seeded_
  int fork_number_ = 0;
  int forks_ = 0;
  /// What a run goes on with beside its objects, for snapshots.
  auto state() {
    return std::tie(globals_, generator_, python_random_, numpy_random_, print_options_, array_print_options_,
                    addresses_, numbers_, kept_, next_address_, grad_enabled_, is_seeded_, drew_unseeded_);
  }
  CallArguments placed_at_caller(const CallArguments& arguments) const;

  /// Errors: RecursionError when no call may lie within those under way.
  void check_calls(const Function& function, Span span) const;
  std::vector<Frame> frames_;
  std::size_t library_frames_ = 0;               // of these
  const CallArguments* library_call_ = nullptr;  // what the library was called with that runs now
  const Scope* library_caller_ = nullptr;        // and among which names
  std::optional<CellError> handled_;             // by the `except` block that runs now, for a bare raise
  Value handled_value_;
  FailedCall failed_call_;
  Raised raised_;
  std::unordered_set<GeneratorRun*> begun_generators_;
  std::vector<Loop> loops_;      // of cells, outside of calls
  std::vector<Loop> resumed_;    // go_on(): those that are yet to be entered
  Interpreter* outer_;           // of this thread
  std::int64_t iteration_ = -1;  // of the innermost loop
};

/// While it lives, calls leave a history for gradients, or none.
class GradientSwitch {
 public:
  GradientSwitch(Interpreter& interpreter, bool enabled) : in_(interpreter), before_(in_.grad_enabled()) {
    in_.set_grad_enabled(enabled);
  }
  ~GradientSwitch() { in_.set_grad_enabled(before_); }
  GradientSwitch(const GradientSwitch&) = delete;
  GradientSwitch& operator=(const GradientSwitch&) = delete;

 private:
  Interpreter& in_;
  bool before_;
};

}  // namespace attn
