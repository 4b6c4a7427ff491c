#pragma once
// Text, formulas and prose as HTML: all of a text is shown, and nothing of it is markup. No function lets a
// control character or a bidi mark through.
#include <string>
#include <string_view>
#include <vector>

#include "lesson/lesson.h"

namespace attn {

/// Safe between tags and between double quotes of an attribute.
std::string html_text(std::string_view text);

/// "<code>x</code>"
std::string html_code(std::string_view text);

/// A block whose blanks count; `name` is its class. `code`: it is code.
std::string html_block(std::string_view text, std::string_view name, bool code = false);

/// A <math> element, of the part of LaTeX that lesson/formula.h reads; `block`: on a line of its own. Commands that are
/// not known stay as written. A formula over 4000 bytes is shown as code.
std::string formula_mathml(std::string_view latex, bool block = false);

std::string html_runs(const Runs& runs);

/// Blocks in order, lists and quotes closed. Headings have the ids that heading_id() gives.
std::string html_prose(const std::vector<Prose>& blocks);

/// "part-12", by the line of the file.
std::string heading_id(const Prose& heading);

}  // namespace attn
