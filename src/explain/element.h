#pragma once
// Where one number came from: the arithmetic behind an element of a recorded tensor, op by op down to inputs and
// parameters, as data. render/explanation.h writes it as text.
//
// Each level follows from the element rule of its op in the table of ops and from the formula of its row
// (explain/element_formula_text.h). Which elements an op that moves elements took is found by running that op once more
// on the numbers of the elements in place of the elements: so no op needs code of its own here.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "explain/element_level.h"

namespace attn {

struct ExplainOptions {
  int depth = 3;           // levels below the first; -1: down to inputs and parameters
  int terms = 1;           // of a list of similar terms how many are entered; -1: all
  int most_levels = 2000;  // in all; operands beyond are not entered
};

/// The arithmetic behind value[index].
///   Errors: UserError when the value is not a tensor, its numbers were not kept, or the index does not fit it.
Explanation explain_element(const Trace& trace, ValueId value, const Shape& index, const ExplainOptions& options = {});

/// The same for many elements, one level each: what is found out about the record is kept between them. The Trace must
/// outlive it.
class LevelExplainer {
 public:
  explicit LevelExplainer(const Trace& trace);
  ~LevelExplainer();
  /// The value is a tensor whose numbers were kept, the index fits it.
  Explanation operator()(ValueId value, Shape index);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// "energy[0, 1, -1, 3]" as a learner types it.
struct ElementQuery {
  std::string name;
  Shape index;
  bool has_index = false;
};
/// Errors: UserError when the text is not a name with, perhaps, numbers between brackets.
ElementQuery parse_element(std::string_view text);

/// The value that the name was bound to last, or, with `step`, by then. Errors: UserError with the nearest name.
ValueId find_bound(const Trace& trace, std::string_view name, StepId step = -1);

/// The index with negative entries counted from the end. Errors: UserError when it does not fit the value.
Shape checked_index(const RecordedValue& value, const std::string& name, const Shape& index);

/// The name of a value: what it was bound to, "query.weight" of a layer's parameter, else the op that made it.
std::string value_name(const Trace& trace, ValueId value);

/// The expression in one piece, nothing left out.
std::string expression_text(const Explanation& level);

}  // namespace attn
