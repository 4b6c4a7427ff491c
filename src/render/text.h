#pragma once
// The text view: a Trace for a terminal or a file.
#include <cstddef>
#include <optional>
#include <string>

#include "engine/trace.h"
#include "render/options.h"

namespace attn {

/// The number in the name of the lesson's file, which may be 0.
std::optional<int> lesson_number(const Trace& trace);
/// "3 A batch of sentences"; no number where the file's name has none.
std::string title_text(const Trace& trace);
/// Whether the first block is that title, too.
bool starts_with_title(const Trace& trace);

/// The whole lesson: title, prose, questions with answers and reasons, every step with its numbers. Ends with one line
/// feed; no line is wider than options.width, none ends in a blank.
std::string render_text(const Trace& trace, const RenderOptions& options = {});

/// One block of it: a piece of prose or a cell.
std::string render_block_text(const Trace& trace, std::size_t block, const RenderOptions& options = {});

/// One step by itself, under "3 A batch of sentences     step 9 of 21".
std::string render_step_text(const Trace& trace, StepId step, const RenderOptions& options = {});

}  // namespace attn
