#pragma once
// The code of a step as it stands in its cell: whole lines with their comments, and the comments right above them.
#include "engine/trace.h"
#include "render/page.h"

namespace attn {

/// A statement of many lines (a data literal) is cut after some, definitions are shown whole, of other compound
/// statements the header. Long lines go on with an indentation.
void put_source(Page& page, const Trace& trace, const Step& step);

/// Whether the step is a loop, whose children come in rounds.
bool is_loop(const Trace& trace, const Step& step);

/// The statement without what stands around it.
std::string_view statement_text(const Trace& trace, const Step& step);

}  // namespace attn
