#pragma once
// The table of ops: one row says everything the program knows about an op of PyTorch. Dispatch, arity errors,
// did-you-mean, `attn-tutor ops`, the names of axes, explanations and tests all follow from the row.
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "python/value.h"
#include "tensor/ops/pointwise.h"
#include "torch/signature.h"

namespace attn {

class Interpreter;
class OpCall;
class TensorList;

/// How an element of the result follows from elements of the operands.
enum class ElementRule {
  Pointwise,  // from the elements at its place, broadcast
  Reduce,     // from all elements along the reduced axes
  Contract,   // a sum of products over a shared axis
  IndexMap,   // one element of one operand, moved
  Gather,     // one element, chosen by another operand
  Concat,     // one element of one of several operands
  Random,     // drawn
  Source,     // made from numbers
  Composite,  // of ops recorded under it
  Query       // no tensor comes out: shape, item, a Python number
};

/// Which elements an element of the result is made of, where neither the rule nor a formula says it.
enum class Part {
  ByRule,
  Moved,     // one of the operand `of`, moved; of any operand, if none is named
  Added,     // those of `of`, times the argument `factor`, added to `input`; or elements of `input` itself
  ByReduce,  // those of `of`, added or multiplied as reduce= says; without it moved
  Multiplied,
  UnknownWith  // nothing simple can be said of the first output where the argument `of` is given
};

struct ElementParts {
  Part how = Part::ByRule;
  std::string_view of = {}, factor = {};
};

/// How names of axes travel: gives the axes of one output. `number` counts the outputs of the call.
using AxisRule = Axes (*)(const OpCall& call, const Tensor& output, std::size_t number);

/// Multiply-adds of a call, for the ledger of costs. Null: none.
using CostRule = std::int64_t (*)(const OpCall& call, const Tensor& output);

/// Computes the result. Checks are the tensor layer's; a TensorError becomes a CellError at the call.
using OpFunction = Value (*)(OpCall& call);

/// What an op does with operands of a narrow type (int32, uint8, float16, ...; tensor/dtype.h).
enum class Narrow {
  Refused,
  Moved,          // their elements move, are converted, or are only asked about
  Compared,       // computes in the wide type and gives one of its own; a number beside them takes their type
  Wide,           // computes in the wide type, which comes out
  Kept,           // computes in the wide type; the common type of the operands comes out
  KeptIfRounded,  // the same with rounding_mode=, else Wide
  WideInt32,      // Wide, and int32 alone
  KeptBFloat16    // Kept, and bfloat16 alone: sums in float32, rounded once
};

struct NarrowRule {
  Narrow ints = Narrow::Refused, halves = Narrow::Refused;  // mixed only where both are alike
};

enum OpFlag : unsigned {
  kDraws = 1,
  kInPlace = 2,
  kView = 4,
  kNative = 8,         // a function of torch.nn that is not written in Python: it complains as PyTorch does
  kNumberFirst = 16,   // has an overload for a number first, which is not called `input` and wants a tensor beside it
  kOneOrSeveral = 32,  // has an overload for one int beside that for several
  kTraced = 64,        // PyTorch 1.13 can trace its sizes, and so names their type in another way
  kDrawsVary = 128     // builds of PyTorch differ in how many numbers it draws
};

namespace axis_rule {
Axes broadcast(const OpCall& call, const Tensor& output, std::size_t number);
}

/// The part of a row that is written by name; most ops keep most of the defaults.
struct OpFacts {
  std::string_view name = {};  // empty: the last word of the first spelling
  AxisRule axes = axis_rule::broadcast;
  ElementRule element = ElementRule::Pointwise;
  ElementParts parts = {};
  std::string_view grad_fn = {};  // "MulBackward0"; empty: not differentiable. The function may set another one
  CostRule cost = nullptr;
  unsigned flags = 0;
  NarrowRule narrow = {};
  std::string_view asks = {};  // the attribute that a function written in Python asks its first argument for
};

/// An op that writes its result into its first tensor, "Tensor.add_"; the rest is as in the row that it stands in.
struct InPlace {
  std::string_view spellings = {}, doc = {}, example = {};
  OpFunction function = nullptr;  // null: runs the function of the row and writes back what comes out
  std::string_view grad_fn = {};  // empty: the row's
};

struct OpInfo : OpFacts {
  constexpr OpInfo(std::string_view row_spellings, std::string_view row_signature, std::string_view row_doc,
                   std::string_view row_example, OpFunction row_function, std::string_view row_formula,
                   const OpFacts& facts = {}, const InPlace& row_in_place = {})
      : OpFacts(facts),
        spellings(row_spellings),
        signature(row_signature),
        doc(row_doc),
        example(row_example),
        function(row_function),
        formula(row_formula),
        in_place(row_in_place) {
    const std::string_view first = spellings.substr(0, spellings.find(' '));
    if (name.empty()) name = first.substr(first.rfind('.') + 1);
  }
  constexpr OpInfo(std::string_view row_spellings, std::string_view row_signature, std::string_view row_doc,
                   std::string_view row_example, OpFunction row_function, const OpFacts& facts = {},
                   const InPlace& row_in_place = {})
      : OpInfo(row_spellings, row_signature, row_doc, row_example, row_function, {}, facts, row_in_place) {}

  std::string_view
      spellings;  // where it is found, blank-separated: "torch.matmul Tensor.matmul F.linear nn.init.normal_"
  /// Python's parameter list with types: "(input: Tensor, dim: int, *, keepdim: bool = False)". Types: Tensor, Operand
  /// (tensor or number), Number, int, ints (a sequence or one int), shape (a sequence), bool, float, dtype, device,
  /// str, Tensors (a sequence), any; `?` admits None; `*size: ints` may also be spread out where it comes first.
  /// Overloads are divided by " | " and tried in order; the first that fits is taken. `self` of a method is the first
  /// parameter.
  std::string_view signature;
  std::string_view doc;      // one line
  std::string_view example;  // a cell that runs by itself
  OpFunction function;
  std::string_view formula;  // how an element is computed (explain/element_formula_text.h)
  InPlace in_place;
  const OpInfo* pure = nullptr;  // of an op that follows from another's `in_place`: that one
};

/// A call on its way: the bound arguments, and what the function says about the result.
class OpCall {
 public:
  OpCall(Interpreter& interpreter, const OpInfo& info, Span span)
      : interpreter_(interpreter), info_(info), span_(span) {}
  /// With arguments that were bound before: one for each of the parameters, which are to outlive the call.
  OpCall(Interpreter& interpreter, const OpInfo& info, const std::vector<OpParameter>& parameters,
         std::vector<Value> values);

  const OpInfo& info() const { return info_; }
  Interpreter& interpreter() { return interpreter_; }
  Span span() const { return span_; }

  /// Bound arguments by the parameter's name. The typed ones have been checked by the binder.
  const Value& value(std::string_view parameter) const;
  bool has(std::string_view parameter) const { return !value(parameter).is_none(); }
  /// Whether the overload that was chosen knows the parameter, even when it is None.
  bool takes(std::string_view parameter) const;
  const Tensor& tensor(std::string_view parameter) const;
  TensorObject& handle(std::string_view parameter) const;
  Operand operand(std::string_view parameter) const;
  Scalar number(std::string_view parameter) const;
  std::int64_t integer(std::string_view parameter) const;
  std::optional<std::int64_t> optional_integer(std::string_view parameter) const;
  Shape ints(std::string_view parameter) const;                     // empty when None
  std::vector<Value> int_values(std::string_view parameter) const;  // the same with origins
  bool flag(std::string_view parameter) const;
  double real(std::string_view parameter) const;
  std::optional<DType> dtype(std::string_view parameter) const;
  TensorList tensors(std::string_view parameter) const;
  std::vector<TensorObject*> handles(std::string_view parameter) const;

  /// All tensor operands in order, flattened out of sequences and index tuples.
  const std::vector<TensorObject*>& inputs() const { return inputs_; }

  /// The parameters of the overload that was chosen.
  const std::vector<OpParameter>& parameters() const { return *parameters_; }
  /// Another value for a parameter, when it has to be converted before the function sees it.
  void replace(std::string_view parameter, Value value);

  /// Another grad_fn name than the row's, where PyTorch's depends on the operands; empty: no gradient.
  void set_grad_fn(std::string_view name) { grad_fn_ = name; }
  /// Something beside operands and results that the gradient will need.
  void keep(Value value) { kept_ = std::move(value); }
  const Value& kept() const { return kept_; }
  /// What the tensor held that an op in place writes to, where a gradient may need it.
  void keep_before(Tensor before) { before_ = std::move(before); }
  const Tensor& before() const { return before_; }
  std::string_view grad_fn() const { return grad_fn_ ? std::string_view(*grad_fn_) : info_.grad_fn; }

  /// Calls another op as a part of this one: it is recorded as a child.
  Value call(std::string_view op, std::vector<Value> positional,
             std::vector<std::pair<std::string, Value>> keywords = {});

 private:
  friend class OpBinder;
  void collect_inputs();

  Interpreter& interpreter_;
  const OpInfo& info_;
  Span span_;
  const std::vector<OpParameter>* parameters_ = nullptr;
  std::vector<Value> values_;  // one per parameter
  std::vector<TensorObject*> inputs_;
  std::optional<std::string> grad_fn_;
  Value kept_;
  Tensor before_;
};

/// All rows, in the order of `attn-tutor ops`.
std::span<const OpInfo* const> all_ops();

/// "torch.matmul" -> its row; null when there is none. "Tensor.x" finds methods, "op.x" internal rows such as index.
const OpInfo* find_op(std::string_view spelling);

/// The names below a prefix: names_under("torch.nn.functional.") -> "softmax", ... For did-you-mean and completion.
std::vector<std::string> names_under(std::string_view prefix);

/// The parameters of a row's first overload (all of them: overloads_of in signature.h).
const std::vector<OpParameter>& parameters_of(const OpInfo& info);

/// Binds arguments to the row's parameters, converts and checks them (PyTorch's TypeError texts).
///   Errors: CellError Type at the argument's span.
OpCall bind_op(Interpreter& interpreter, const OpInfo& info, const CallArguments& arguments, const Value* self);

}  // namespace attn
