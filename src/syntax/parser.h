#pragma once
// From the text of a cell to its tree. One function of the parser per rule of Python's grammar.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "syntax/ast.h"

namespace attn {

/// Parses all statements of source.text; spans get `source_index`.
///   Errors: CellError Syntax with Python's wording where it is a good one; Unsupported for Python that the language
///           leaves out (it names the nearest supported form); Limit beyond the nesting.
Block parse_cell(const Source& source, std::uint32_t source_index = 0);

/// What became of the text of a cell: its statements, or what keeps it from being read.
struct SyntaxTree {
  std::uint32_t source = 0;  // that its spans carry
  Block block;
  std::vector<Span> skipped;       // of a notebook: its commands, in order
  std::optional<CellError> error;  // then there is no statement
};

/// The same with the error in the tree. In a notebook lines that begin with % or ! are passed over; so is the whole
/// cell behind %%html, %%bash and others that hand it to something else than Python.
SyntaxTree read_cell(const Source& source, std::uint32_t source_index, bool is_notebook);

/// Parses one expression that must use up all of the text.
ExprPtr parse_expression(const Source& source, std::uint32_t source_index = 0);

/// Parses the inside of an f-string field, "energy.mean():.3f", as that field alone in an f-string. Used for values in
/// prose.
ExprPtr parse_field(const Source& source, std::uint32_t source_index = 0);

/// Whether the text ends inside an open bracket, string or block, so that a prompt should ask for another line. The
/// lines typed are joined by line feeds; an empty one ends a block.
bool is_incomplete(std::string_view text);

}  // namespace attn
