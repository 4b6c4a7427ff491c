#pragma once
// One step: its code, what each operation did with the axes, what came out.
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"
#include "render/page.h"
#include "render/table.h"

namespace attn {

/// Code, ops, bindings with the numbers of the last, printed text, an error. Not its children.
///   `number` goes in front of the code (0: none).
void put_step(Page& page, const Trace& trace, const Step& step, int number, ShownTables& tables);

/// Whether put_step() writes nothing but the code: such steps are set close together.
bool is_plain(const Trace& trace, const Step& step);

/// The values that a step shows, without a name that of its expression; those that are not `in_full` by their axes
/// alone. Of several that it binds, the last is in full, and what has few numbers.
struct ShownValue {
  std::string name;
  ValueId value = -1;
  bool in_full = false;
};
std::vector<ShownValue> shown_values(const Trace& trace, const Step& step);

/// Whether a text is too long to follow its name, and gets a block of its own.
bool is_long_text(std::string_view text);

/// An error as the learner sees it.
void put_diagnostic(Page& page, const Trace& trace, const Diagnostic& diagnostic);

/// The same for a screen reader: no columns, a label before everything, matrices row by row. put_step() does this where
/// the options ask for it.
void put_linear_step(Page& page, const Trace& trace, const Step& step, ShownTables& tables);

/// "Output: energy [batch_size 3, key_len 6]", then its rows, each with its name.
void put_linear_value(Page& page, const std::string& name, const RecordedValue& value, const TableView& view);

}  // namespace attn
