#pragma once
// One level of an explanation under construction: operands and the pieces of the expression.
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "explain/element.h"
#include "explain/value_history.h"

namespace attn {

/// The shortest digits that read back as the element, as Python writes them: "0.1", "-1e10", "True".
std::string element_digits(double number, DType dtype);
/// Of an element of a value whose numbers were kept: exact for integers beyond 2^53 too.
std::string element_digits(const RecordedValue& value, const Shape& index);

class LevelBuilder {
 public:
  LevelBuilder(const ValueHistory& history, Explanation& level) : history_(history), level_(level) {}

  /// The operand's number in the level; one that stands there already is not added again. Throws std::out_of_range
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
