#pragma once
// What the script of a page reads: the numbers of the tensors in its tables, and the sentences it says.
#include <string>

#include "render/html/steps.h"

namespace attn {

/// JSON that is safe in a <script> element. Tensors are carried as base64 of little-endian numbers until the page
/// would become too large; without them the page shows the first slice.
std::string html_data(const HtmlPage& page);

}  // namespace attn
