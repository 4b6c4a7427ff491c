#pragma once
// One failed call, taken apart so that it can be changed in a place, run, and written down again.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/trace.h"
#include "python/interpreter.h"
#include "torch/op.h"
#include "torch/operand_notes.h"

namespace attn {

/// Another value in a place of the call, and the code that makes it.
struct Edit {
  std::size_t place;
  std::string code;
  Value value;
};

class Trial {
 public:
  Trial(const FailedCall& call, const Diagnostic& diagnostic, const std::vector<Source>& sources);

  const Diagnostic& diagnostic() const { return diagnostic_; }
  std::optional<std::int64_t> fact(std::string_view name) const;
  /// positions * frequencies: two rows of numbers, of which each is to meet each.
  bool is_product_of_rows() const;
  std::string_view op_name() const { return call_.op->name; }

  const std::vector<OperandPlace>& places() const { return places_; }
  const Value& value(std::size_t place) const { return places_[place].value; }
  std::string_view code(std::size_t place) const;
  /// Places that hold tensors and have a text; those that hold ints (sizes, axes, indices).
  std::vector<std::size_t> tensors() const;
  std::vector<std::size_t> ints() const;
  const Tensor& tensor(std::size_t place) const { return value(place).as<TensorObject>()->tensor; }
  /// Whether an op made it, and not from a parameter alone; whether it is a parameter, or written as "self.name".
  bool is_computed(std::size_t place) const;
  bool is_of_module(std::size_t place) const;
  /// Whether the place is the layer that is called: "self.query" of "self.query(x)".
  bool is_layer(std::size_t place) const;

  /// `code.suffix` for a place, its value computed by an op of the table; nothing when that fails.
  std::optional<Edit> with(std::size_t place, std::string_view op, std::vector<Value> arguments,
                           const std::string& suffix);
  /// An op of the table on values of one's own; nothing when that fails.
  std::optional<Value> compute(std::string_view op, std::vector<Value> arguments);

  // Each of these runs the changed call, and keeps it when it is the best until now.
  void offer(const std::vector<Edit>& edits);
  /// The same with another op, `name` written for the name of the function or method.
  void offer_op(std::string_view op, std::string_view name, const std::vector<Edit>& edits = {});
  /// With one keyword more.
  void offer_keyword(const std::string& name, const Value& value, const std::string& code);
  /// An expression in the place of the whole call.
  void offer_whole(std::string_view op, std::vector<Value> arguments, const std::string& code);

  /// Whether nothing better can be found.
  bool done() const { return best_ && oddness_ == 0; }
  const TriedFix& best() const { return tried_; }

 private:
  struct Arguments {
    CallArguments call;
    Value self;
  };
  Arguments edited(const std::vector<Edit>& edits) const;
  std::string text(const std::vector<Edit>& edits, std::string_view name, const std::string& added) const;
  std::size_t oddness(const TensorObject& result) const;
  void run(const OpInfo& op, const CallArguments& arguments, const Value* self, const std::string& code);
  Value copied(const Value& value);

  FailedCall call_;
  const Diagnostic& diagnostic_;
  const std::vector<Source>& sources_;
  Interpreter interpreter_;
  std::vector<OperandPlace> places_;
  std::vector<const Object*> computed_;  // of the copies
  bool names_known_ = true;              // of all axes of the operands
  bool best_ = false;
  std::size_t oddness_ = 0;    // of the best result
  std::size_t most_axes_ = 0;  // of an operand
  std::size_t fewest_axes_ = SIZE_MAX;
  std::int64_t most_numbers_ = 0;
  TriedFix tried_;
};

}  // namespace attn
