#pragma once
// One level of an explanation: the arithmetic of one element as data, and how operands and pieces of the expression are
// added to it.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/trace.h"
#include "torch/op.h"

namespace attn {

class ValueHistory;

/// One number that a level works with.
struct OperandElement {
  ValueId value = -1;     // -1: a number written in the code
  std::string name;       // "K", "query.weight"; of a value without a name "matmul(...)"
  std::string parameter;  // of the op: "input", "other"
  Shape index;            // in that value
  double number = 0;
  std::string digits;  // as many as it takes to tell it from its neighbors: "0.0416667"
};

/// The expression of a level is Python: its pieces put together evaluate to the element.
struct ExpressionPiece {
  std::string text;
  int operand = -1;  // index into Explanation::operands: `text` is its digits
  int term = -1;     // number of the term in a list of similar terms, whose middle a view may leave out
};

/// How a level follows, where its expression does not say it.
enum class ElementFact {
  Computed,   // the expression says it
  Moved,      // one element of an operand, elsewhere
  Filled,     // a number that the op puts where it took no element
  Chosen,     // of several values one, because of a condition: `note`
  Kept,       // by dropout, and scaled
  Dropped,    // by dropout
  Drawn,      // a random number
  Written,    // in the code, or made from no tensor
  Parameter,  // of a layer, as it was when first used
  Whole,      // from whole tensors at once, by a composite that kept no steps: attention in tiles
  Unknown     // the record does not say: the numbers were not kept
};

struct Explanation {
  ValueId value = -1;
  std::string name;  // of the tensor; as OperandElement::name
  Shape index;
  double number = 0;
  std::string digits;

  ElementRule rule = ElementRule::Source;
  ElementFact fact = ElementFact::Computed;
  OpId op = -1;         // that made it; -1: no recorded op did
  std::string op_name;  // "matmul"
  Span span;            // of the op in its source
  std::string note;     // a sentence; empty if nothing needs saying

  std::vector<OperandElement> operands;
  std::vector<ExpressionPiece> expression;
  int terms = 0;  // how many similar terms the expression has

  int of_operand = -1;             // of the level above: which of its operands this explains
  std::vector<Explanation> inner;  // of operands, as deep as asked for; of similar terms the first ones
  bool is_cut = false;             // operands have explanations that were not asked for
};

/// The shortest digits that read back as the element, as Python writes them: "0.1", "-1e10", "True".
std::string element_digits(double number, DType dtype);
/// Of an element of a value whose numbers were kept: exact for integers beyond 2^53 too.
std::string element_digits(const RecordedValue& value, const Shape& index);

class LevelBuilder {
 public:
  LevelBuilder(const ValueHistory& history, Explanation& level) : history_(history), level_(level) {}

  /// The operand's number in the level; one that is there already is not added again. Throws std::out_of_range
  /// where the value has no such element: a record that was read from a file may tell of operands that do not fit their
  /// op.
  int operand(ValueId value, Shape index, std::string_view parameter);
  const OperandElement& operand_at(int number) const { return level_.operands[static_cast<std::size_t>(number)]; }

  void text(std::string_view text);
  /// The operand's digits; in parentheses where a minus sign needs them. `rest` is what will follow.
  void digits(int operand, std::string_view rest = {});
  /// A number of the code or one that follows from the operands.
  void number(const std::string& digits, std::string_view rest = {});
  /// Floats are used in double precision: their digits are to say so ("0.10000000149011612").
  void set_double(bool is_double) { is_double_ = is_double; }
  /// What is added from now on belongs to that term of a list; -1: to none.
  void set_term(int term) { term_ = term; }

 private:
  void put_number(const std::string& digits, int operand, std::string_view rest);

  const ValueHistory& history_;
  Explanation& level_;
  std::map<std::pair<ValueId, Shape>, int> known_;
  int term_ = -1;
  bool is_double_ = false;
};

}  // namespace attn
