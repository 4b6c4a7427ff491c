#include "render/data/csv.h"

#include "base/number.h"
#include "base/text.h"

namespace attn {
namespace {

std::string csv_cell(const std::string& text) {
  std::string cell = replaced(visible(text), "\n", " ");
  const bool is_formula = !cell.empty() && std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos;
  if (is_formula && !parse_double(cell)) cell.insert(0, "'");
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  return "\"" + replaced(cell, "\"", "\"\"") + "\"";
}

}  // namespace

std::string csv_row(const std::vector<std::string>& cells) {
  std::vector<std::string> quoted;
  for (const std::string& cell : cells) quoted.push_back(csv_cell(cell));
  return join(quoted, ",") + "\n";
}

}  // namespace attn
