#pragma once
// Prose on a page: headings, wrapped paragraphs, lists, quotes, tables, formulas, code. A Trace's prose has its values
// filled in already.
#include <vector>

#include "lesson/lesson.h"
#include "render/page.h"

namespace attn {

/// Runs with their styles. Code keeps its backticks and emphasis its stars, so that nothing hangs on color; a link is
/// followed by its address.
Line styled(const Runs& runs, const RenderOptions& options);

/// One block, with a blank line before it (none between the items of a list).
void put_prose(Page& page, const Prose& prose, bool follows_item = false);

/// Blocks in order.
void put_prose(Page& page, const std::vector<Prose>& blocks);

/// A heading of that level, also for titles that are in no file.
void put_heading(Page& page, const Line& text, int level);

}  // namespace attn
