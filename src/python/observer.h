#pragma once
// What the evaluator tells whoever watches a run: statements, ops, bindings, printed text. The recorder of the engine
// is one; an observer sees values as they are at that moment and must not change them.
#include <cstdint>
#include <string_view>

#include "base/diagnostic.h"
#include "python/value.h"
#include "syntax/ast.h"

namespace attn {

class OpCall;
struct Scope;

class Observer {
 public:
  virtual ~Observer() = default;

  /// Whether it follows the run. One that does no longer is told only what is printed, warned and evaluated, and the
  /// end of what had begun.
  bool follows() const { return follows_; }

  /// A statement begins and ends; compound statements enclose theirs. `iteration` counts the rounds of the innermost
  /// loop from 0, -1 outside of loops. `failed` is set when the statement ends by an error.
  virtual void statement_begins(const Stmt&, std::int64_t /*iteration*/) {}
  virtual void statement_ends(const Stmt&, bool /*failed*/) {}

  /// The innermost open statement is a loop, and another round of it begins, the first one with 0. What it goes over or
  /// tests was asked for before.
  virtual void round_begins(std::int64_t /*iteration*/) {}

  /// A function that a cell defines is called and returns (or fails). `scope` holds its arguments.
  virtual void call_begins(const Function&, const Scope& /*scope*/) {}
  virtual void call_ends() {}

  /// An op begins (arguments bound) and ends with its result. Ops called by a composite lie between the two.
  virtual void op_begins(const OpCall&) {}
  virtual void op_ends(const OpCall&, const Value& /*result*/) {}
  virtual void op_fails(const OpCall&) {}

  /// A name, an item or an attribute was bound; `target` is as written: "x", "x[0]", "layer.bias". Axis comments have
  /// been applied.
  virtual void bound(std::string_view /*target*/, const Value&, Span) {}
  /// backward() has left a gradient on a tensor, or none, that the program knows by this name.
  virtual void gradient_left(std::string_view /*name*/, TensorObject& /*of*/, Span) {}
  /// The ops that follow bring a gradient back through the call that left the GradNode of this number; 0: through none.
  virtual void goes_back_through(std::uint64_t /*node*/) {}
  /// The value of an expression statement.
  virtual void evaluated(const Value&, Span) {}
  virtual void printed(std::string_view) {}
  /// What was printed is to be seen now.
  virtual void flushed() {}
  /// To sys.stderr.
  virtual void complained(std::string_view) {}
  /// An axis comment that did not fit, in a file that is no lesson, or a name that hasattr() takes for a missing one.
  virtual void warned(const Diagnostic&) {}

 protected:
  void stop_following() { follows_ = false; }

 private:
  bool follows_ = true;
};

}  // namespace attn
