#pragma once
// The code of a step as it is in its cell: whole lines with their comments, and the comments right above them.
#include <string>
#include <string_view>

#include "engine/trace.h"
#include "render/page.h"

namespace attn {

/// A statement of many lines (a data literal) is cut after some, functions are shown whole, of other compound
/// statements the header. Long lines go on with an indentation.
void put_source(Page& page, const Trace& trace, const Step& step);

/// Whether the step is a loop, whose children come in rounds.
bool is_loop(const Trace& trace, const Step& step);

/// The statement alone.
std::string_view statement_text(const Trace& trace, const Step& step);

/// Its first line, cut where it is long: what names a step beside the code of its cell.
std::string naming_line(const Trace& trace, const Step& step, const RenderOptions& options);

}  // namespace attn
