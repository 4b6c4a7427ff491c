#include "explain/named_sizes.h"

#include <gtest/gtest.h>

#include "tests/render/lesson_traces.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

TEST(NamedSizes, AreThoseOfTheNewestIntElseTheNewestAxis) {
  Trace trace = test::trace_of_file("p.py", "n, m = 2, 3\nn = 7\n");
  test::TraceBuilder build;
  for (const auto& [shape, names] : {std::pair<Shape, std::vector<std::string>>{{2, 3, 5}, {"rows", "columns", "n"}},
                                     std::pair<Shape, std::vector<std::string>>{{4}, {"rows"}}})
    trace.values.push_back(build.trace.value(build.tensor(test::counting(shape), names)));
  const std::map<std::string, std::int64_t> wanted = {{"columns", 3}, {"m", 3}, {"n", 7}, {"rows", 4}};
  EXPECT_EQ(named_sizes(trace), wanted);
  EXPECT_EQ(named_sizes(test::trace_of_file("p.py", "n = 4\n")), (std::map<std::string, std::int64_t>{{"n", 4}}));
}

}  // namespace
}  // namespace attn
