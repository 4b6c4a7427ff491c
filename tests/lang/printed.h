#pragma once
// Runs a cell and gives what it prints; an error ends the text as "TypeError: message".
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "python/interpreter.h"

namespace attn {

class PrintCollector : public Observer {
 public:
  void printed(std::string_view text) override { text_ += text; }
  std::string text_;
};

inline std::string printed(const std::string& cell) {
  PrintCollector collector;
  Interpreter interpreter(&collector);
  try {
    interpreter.run({"cell", "import torch\nfrom torch import nn\n" + cell + "\n", 1});
  } catch (const CellError& error) {
    return collector.text_ + error.type() + ": " + error.what();
  }
  if (collector.text_.ends_with('\n')) collector.text_.pop_back();
  return collector.text_;
}

/// What print() makes of the value of an expression.
inline std::string shown(const std::string& expression) { return printed("value = " + expression + "\nprint(value)"); }

/// A cell or an expression, and what Python prints for it.
struct PrintedCase {
  const char* cell;
  const char* expected;
};

inline void check_expressions(std::initializer_list<PrintedCase> cases) {
  for (const PrintedCase& c : cases) EXPECT_EQ(shown(c.cell), c.expected) << c.cell;
}

inline void check_cells(std::initializer_list<PrintedCase> cases, const std::string& before = "") {
  for (const PrintedCase& c : cases) EXPECT_EQ(printed(before + c.cell), c.expected) << c.cell;
}

}  // namespace attn
