#include "lesson/masked_text.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace attn {
namespace {

TEST(Expressions, FieldsAreFoundAndMasked) {
  const std::pair<const char*, const char*> cases[] = {
      {"a {{ b }} c", "b"},
      {"{{x}}{{ y }}", "x|y"},
      {"{{ {'a': {1: 2}}['a'] }}", "{'a': {1: 2}}['a']"},
      {"{{ '}}' + \"{{\" }} {{ b }}", "'}}' + \"{{\"|b"},
      {"{{ value:.2f }} {{ name!r }}", "value:.2f|name!r"},
      {"$x_{{b}_c}$ {{ d }}", "d"},
      {"{{ a\n}} {{ b }}", "b"},
      {"{{ ( }} {{ b }}", "b"},
      {"{{ }}", ""},
      {"{{ 'a }} {{ b }}", "b"},
      {"no { field } here }}", ""},
  };
  for (const auto& [text, expected] : cases) {
    std::vector<std::string> found;
    const auto fields = find_fields(text);
    for (const Field& field : fields) {
      found.emplace_back(std::string_view(text).substr(field.inner.begin, field.inner.end - field.inner.begin));
    }
    EXPECT_EQ(join(found, "|"), expected) << text;
    const std::string masked = mask_fields(text, fields);
    EXPECT_EQ(masked.size(), std::string_view(text).size());
    for (const Field& field : fields) {
      const std::string_view part =
          std::string_view(masked).substr(field.whole.begin, field.whole.end - field.whole.begin);
      EXPECT_EQ(part.find_first_of("{}[]()*_|'\"!:. "), std::string_view::npos) << masked;
    }
  }
}

}  // namespace
}  // namespace attn
