#pragma once
// A table in prose: columns as wide as they need, cells wrapped where that is too wide, one row after the other where
// there is no room for columns at all.
#include "lesson/lesson.h"
#include "render/page.h"

namespace attn {

void put_prose_table(Page& page, const Prose& table);

}  // namespace attn
