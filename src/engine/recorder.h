#pragma once
// Watches a run and writes the Trace: steps, ops, values, bindings.
//
// A handle is known by its address while the recorder holds it; a handle that was written in place since it was last
// seen is a new value. Numbers are kept by sharing buffers (Tensor::snapshot), so recording copies nothing.
//
// A record that has become long is folded: of a loop the first rounds and the last one stay, of an outermost loop some
// between them, of the calls and ops of one statement the first ones. What is left out keeps its number
// (Step::ordinal), so that a replay finds the others.
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/operand_names.h"
#include "engine/trace.h"
#include "python/observer.h"

namespace attn {

class Recorder : public Observer {
 public:
  Recorder(Trace& trace, const std::vector<Source>& sources) : trace_(trace), sources_(sources) {}

  /// The steps that follow belong to this cell.
  void begin_cell(CellRecord& cell);
  /// The names that are bound between the two are those of a copy of the scope.
  void begin_fork() { names_.mark(); }
  void end_fork() { names_.roll_back(); }
  /// What the cell bound or evaluated last, with the name or expression as written. -1: nothing.
  struct Last {
    ValueId value = -1;
    std::string written;
    bool is_name = false;
    Value held;  // the value itself: the record may have been made without its numbers
  };
  const Last& last_value() { return recorded(last_); }
  const Last& last_bound() { return recorded(last_bound_); }
  /// The value of the expression that ends a cell, which a notebook shows below it. -1: None.
  ValueId result(const ExprStmt& end);
  /// Called before a binding is recorded, with its step and target: what it changes in the value is recorded.
  void before_bound(std::function<void(const Step&, std::string_view)> call) { before_bound_ = std::move(call); }
  /// Notes the error that ended the step in which it happened.
  void note_error(int diagnostic);

  /// A value without a repr, which its class may fail to give, is an object of its type, unless it `is_shown`.
  ValueId record(const Value& value, bool is_shown = false);
  /// The innermost statement that runs now; -1: none.
  StepId open_step() const { return innermost().id; }

  void statement_begins(const Stmt& stmt, std::int64_t iteration) override;
  void statement_ends(const Stmt& stmt, bool failed) override;
  void round_begins(std::int64_t iteration) override;
  void call_begins(const Function& function, const Scope& scope) override;
  void call_ends() override;
  void op_begins(const OpCall& call) override;
  void op_ends(const OpCall& call, const Value& result) override;
  void op_fails(const OpCall& call) override;
  void bound(std::string_view target, const Value& value, Span span) override;
  void gradient_left(std::string_view name, TensorObject& of, Span span) override;
  void goes_back_through(std::uint64_t node) override { way_back_ = node; }
  void evaluated(const Value& value, Span span) override;
  void printed(std::string_view text) override;
  void flushed() override;
  void complained(std::string_view text) override;
  void warned(const Diagnostic& diagnostic) override;

 private:
  struct Known {
    Ref<TensorObject> handle;  // keeps the address from being used again
    ValueId value;             // -1: it was left out of the record
    bool is_bound = false;
  };
  /// What it names when its round was left out: it is recorded anew when it is asked for.
  static constexpr ValueId kLeftOut = -2;
  const Last& recorded(Last& last);
  /// How far the record has come.
  struct Mark {
    std::size_t steps = 0, ops = 0, values = 0, storages = 0;
    std::size_t own_ops = 0, own_bindings = 0;  // of the innermost open step
  };
  struct OpenStep {
    StepId id;
    // Of the statements in it, by round and fingerprint.
    std::map<std::pair<std::int64_t, std::uint32_t>, int> occurrences;
    int calls = 0;  // of functions of the cells
    Mark round;     // of a loop: where the round that runs begins
    bool is_loop = false;
  };

  Mark mark() const;
  bool is_over(std::size_t length, const Mark& at) const;
  bool is_long(const Mark& at) const;
  bool is_crowded(const Mark& at) const;
  void leave_out(const Mark& since);
  void forget_numbers(const RecordedValue& recorded);
  void allow_for_record() const;

  std::string text_of(const Value& value, bool is_shown = false);
  ValueId add(RecordedValue recorded, const TensorObject* handle);
  ValueId record_tensor(TensorObject& handle);
  void let_go();
  /// Tensors that nobody else holds any more, once these are many or large.
  void release_if_many();
  bool is_enough(std::size_t followed) const { return !trace_.options.is_whole && followed == kFollowed; }
  std::int64_t storage_number(std::int64_t id);
  RecordedValue describe(const TensorObject& handle);
  void keep_numbers(RecordedValue& record, const Tensor& tensor);
  void record_operands(const OpCall& call, Op& op);
  void record_loss(const Tensor& loss);
  OpArgument record_argument(const Value& value);
  const OpenStep& innermost() const { return open_steps_.empty() ? cell_frame_ : open_steps_.back(); }
  OpenStep& innermost() { return open_steps_.empty() ? cell_frame_ : open_steps_.back(); }
  Step* current_step() { return open_steps_.empty() ? nullptr : &trace_.step(open_steps_.back().id); }
  StepId step_beside(Span comment) const;
  void note_history(const TensorObject& output, OpId id);
  OpId op_of_node(std::uint64_t node) const;
  std::string step_id(const Stmt& stmt, std::int64_t iteration);

  Trace& trace_;
  const std::vector<Source>& sources_;
  CellRecord* cell_ = nullptr;
  std::function<void(const Step&, std::string_view)> before_bound_;
  OpenStep cell_frame_{-1, {}, 0, {}};  // around the statements of the cell
  std::vector<OpenStep> open_steps_;
  std::int64_t statements_ = 0;
  std::vector<OpId> open_ops_;
  /// A call of a cell's function that is under way.
  struct Activation {
    int number;
    std::string function;
    const Function* code;
    bool is_left_out;  // once it has ended
    Mark begin;
  };
  std::vector<Activation> activations_;
  int calls_ = 0;
  StepId failed_step_ = -1;
  StepId ended_step_ = -1;  // the last one that ended
  // Source and place of the comment: a loop would say it again and again.
  std::set<std::pair<std::uint32_t, std::uint32_t>> told_warnings_;
  Last last_, last_bound_;
  ValueId result_ = -1;
  bool has_texts_ = true;  // whether values are recorded with what they print as
  Span last_place_;        // of last_.held
  std::unordered_map<const TensorObject*, Known> known_;
  std::size_t known_before_ = 0;  // that were left when those that nobody uses were let go last
  std::int64_t new_bytes_ = 0;    // of handles since then
  OperandNames names_;
  std::unordered_map<std::int64_t, std::int64_t> storage_numbers_;
  std::vector<std::int64_t> storages_;           // by their numbers, from 1
  std::vector<const TensorObject*> handles_;     // of the values; null of what is no tensor
  std::unordered_map<const Buffer*, int> kept_;  // buffers that the Trace shares, and by how many values
  std::int64_t kept_bytes_ = 0, text_bytes_ = 0;
  std::size_t written_ = 0;                            // bytes of text, those of what was left out too
  Mark op_begin_;                                      // of the op that is part of no other
  std::vector<std::pair<std::uint64_t, OpId>> nodes_;  // the ops that left GradNodes, by their numbers, which rise
  std::uint64_t way_back_ = 0;                         // the one that a gradient goes through now
};

}  // namespace attn
