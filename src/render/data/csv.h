#pragma once
// Comma-separated values (RFC 4180), for spreadsheets.
#include <string>
#include <vector>

namespace attn {

/// A line. What a spreadsheet would take for a formula gets an apostrophe.
std::string csv_row(const std::vector<std::string>& cells);

}  // namespace attn
