#pragma once
// Writing Markdown: any text comes back from a Markdown reader as that text, and as nothing else. For
// GitHub and notebooks. No function lets a control character through.
#include <string>
#include <string_view>
#include <vector>

#include "lesson/lesson.h"

namespace attn {

/// A bar ends a cell of a table.
enum class MarkdownPlace { Line, TableCell };

/// Text without style on one line: signs that mean something in Markdown or HTML get a backslash.
std::string markdown_text(std::string_view text, MarkdownPlace place = MarkdownPlace::Line);

/// `text` as inline code, on one line, between as many backticks as it takes; empty for an empty text.
std::string markdown_code(std::string_view text, MarkdownPlace place = MarkdownPlace::Line);

/// A block of code between fences that are longer than any in it.
std::string markdown_fence(std::string_view text, std::string_view language = {});

std::string markdown_runs(const Runs& runs, MarkdownPlace place = MarkdownPlace::Line);

/// Blocks in order, with blank lines between them; formulas between dollars. Code that is not a cell is never marked as
/// `python`, so that only cells are.
std::string markdown_prose(const std::vector<Prose>& blocks);

}  // namespace attn
