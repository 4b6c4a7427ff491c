// str.format: the replacement fields between braces. What stands behind the colon is format_spec.h's.
#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "base/number.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/operators.h"
#include "python/types/format_spec.h"
#include "python/types/methods.h"

namespace attn {
namespace {

class Formatter {
 public:
  explicit Formatter(const MethodCall& call) : call_(call) {}

  std::string format(std::string_view text, int depth) {
    if (depth < 0) call_.fail(Code::Value, "Max string recursion exceeded");
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      look();
      const char c = text[at];
      const bool doubled = at + 1 < text.size() && text[at + 1] == c;
      if (c != '{' && c != '}') {
        out += c;
        ++at;
      } else if (doubled) {
        out += c;
        at += 2;
      } else if (c == '}' || at + 1 == text.size()) {
        call_.fail(Code::Value, fmt::format("Single '{}' encountered in format string", c));
      } else {
        const std::size_t end = field_end(text, at + 1);
        const std::string piece = field(text.substr(at + 1, end - at - 1), depth);
        check_length(piece.size());
        out += piece;
        at = end + 1;
        if (out.size() > kMaxLength) check_length(out.size());
      }
    }
    return out;
  }

 private:
  // The brace that closes the field which starts at `at`; braces in its specification are nested.
  std::size_t field_end(std::string_view text, std::size_t at) const {
    int open = 1;
    bool in_name = true;
    for (; at < text.size(); ++at) {
      if (text[at] == '!' || text[at] == ':') in_name = false;
      if (text[at] == '[' && in_name) at = std::min(text.find(']', at), text.size() - 1);
      if (text[at] == '{') ++open;
      if (text[at] == '}' && --open == 0) return at;
    }
    call_.fail(Code::Value, "expected '}' before end of string");
  }

  // name!conversion:specification
  std::string field(std::string_view text, int depth) {
    std::size_t end = 0;
    while (end < text.size() && text[end] != '!' && text[end] != ':') {
      const std::size_t bracket = text[end] == '[' ? text.find(']', end) : std::string_view::npos;
      end = bracket == std::string_view::npos ? end + 1 : bracket + 1;
    }
    Value value = look_up(text.substr(0, end));
    text.remove_prefix(end);
    if (text.starts_with('!')) {
      if (text.size() < 2) call_.fail(Code::Value, "unmatched '{' in format spec");
      if (text.size() > 2 && text[2] != ':') call_.fail(Code::Value, "expected ':' after conversion specifier");
      value = converted(value, text[1]);
      text.remove_prefix(2);
    }
    const std::string spec = text.empty() ? "" : format(text.substr(1), depth - 1);
    return format_value(value, spec);
  }

  Value converted(const Value& value, char conversion) const {
    if (conversion == 'a') return make_str(ascii_repr(value));
    if (conversion == 'r') return make_str(repr(value));
    if (conversion == 's') return make_str(str(value));
    call_.fail(Code::Value, fmt::format("Unknown conversion specifier {}", conversion));
  }

  // "0", "name", "", each with .attribute and [item] behind it
  Value look_up(std::string_view name) {
    const std::size_t end = std::min(name.find_first_of(".["), name.size());
    Value value = argument(name.substr(0, end));
    const Span span = call_.given.span;
    for (name.remove_prefix(end); !name.empty();) {
      const bool is_item = name[0] == '[';
      if (!is_item && name[0] != '.')
        call_.fail(Code::Value, "Only '.' or '[' may follow ']' in format field specifier");
      const std::size_t stop = is_item ? name.find(']') : std::min(name.find_first_of(".[", 1), name.size());
      if (stop == std::string_view::npos) call_.fail(Code::Value, "Missing ']' in format string");
      const std::string part(name.substr(1, stop - 1));
      if (part.empty()) call_.fail(Code::Value, "Empty attribute in format string");
      value = is_item ? get_item(call_.interpreter, value, item_key(part), {span, span, span})
                      : get_attribute(call_.interpreter, value, part, span, span);
      name.remove_prefix(is_item ? stop + 1 : stop);
    }
    return value;
  }

  static bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  static Value item_key(const std::string& text) {
    const auto number = is_number(text) ? parse_int(text) : std::nullopt;
    return number ? Value(*number) : make_str(text);
  }

  Value argument(std::string_view name) {
    if (!name.empty() && !is_number(name)) {
      for (const auto& [keyword, value] : call_.given.keywords) {
        if (keyword == name) return value;
      }
      throw key_error(make_str(std::string(name)), call_.given.span);
    }
    const Numbering wanted = name.empty() ? Numbering::Automatic : Numbering::Manual;
    if (numbering_ != Numbering::Unknown && numbering_ != wanted) {
      constexpr std::string_view kAutomatic = "automatic field numbering", kManual = "manual field specification";
      const bool to_automatic = wanted == Numbering::Automatic;
      call_.fail(Code::Value, fmt::format("cannot switch from {} to {}", to_automatic ? kManual : kAutomatic,
                                          to_automatic ? kAutomatic : kManual));
    }
    numbering_ = wanted;
    const auto number = name.empty() ? std::optional(next_++) : parse_int(name);
    const auto& positional = call_.given.positional;
    if (!number || *number >= static_cast<std::int64_t>(positional.size())) {
      call_.fail(Code::Index, fmt::format("Replacement index {} out of range for positional args tuple",
                                          number ? std::to_string(*number) : std::string(name)));
    }
    return positional[static_cast<std::size_t>(*number)];
  }

  enum class Numbering { Unknown, Automatic, Manual };

  const MethodCall& call_;
  Numbering numbering_ = Numbering::Unknown;
  std::int64_t next_ = 0;
};

}  // namespace

Value format_string(MethodCall& call) { return make_str(Formatter(call).format(call.self.as<Str>()->text, 1)); }

}  // namespace attn
