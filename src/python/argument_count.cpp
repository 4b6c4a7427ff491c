#include "python/argument_count.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"

namespace attn {

void fail(Code code, const CallArguments& arguments, std::string message, std::string hint) {
  throw CellError(code, arguments.span, std::move(message), std::move(hint));
}

std::string wrong_count(std::string_view name, std::size_t least, std::size_t most, std::size_t given) {
  const std::size_t bound = given < least ? least : most;
  const char* side = least == most ? "" : given < least ? "at least " : "at most ";
  return fmt::format("{} expected {}{} argument{}, got {}", name, side, bound, bound == 1 ? "" : "s", given);
}

void expect(const CallArguments& arguments, std::string_view name, std::size_t least, std::size_t most,
            std::initializer_list<std::string_view> keywords) {
  const std::string_view function = name.substr(0, name.find('('));
  for (const auto& [keyword, value] : arguments.keywords) {
    if (keywords.size() == 0) fail(Code::Type, arguments, fmt::format("{}() takes no keyword arguments", function));
    if (std::find(keywords.begin(), keywords.end(), keyword) == keywords.end())
      fail(Code::Type, arguments, fmt::format("'{}' is an invalid keyword argument for {}()", keyword, function));
  }
  const std::size_t given = arguments.positional.size();
  if (given < least || given > most) fail(Code::Type, arguments, wrong_count(name, least, most, given));
}

std::string listed(const std::vector<std::string>& names) {
  if (names.size() == 1) return names[0];
  return join({names.begin(), names.end() - 1}, ", ") + (names.size() > 2 ? ", and " : " and ") + names.back();
}

Value keyword(const CallArguments& arguments, std::string_view name, Value otherwise) {
  for (const auto& [given, value] : arguments.keywords) {
    if (given == name) return value;
  }
  return otherwise;
}

}  // namespace attn
