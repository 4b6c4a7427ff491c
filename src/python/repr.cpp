// repr() and str(): of numbers here, of objects by their kind.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/diagnostic.h"
#include "base/letters.h"
#include "base/limits.h"
#include "base/number.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/type.h"
#include "python/types/changing.h"

namespace attn {

struct PrintingGuard {
  explicit PrintingGuard(Object& object) : object_(object) {
    object_.is_printed_ = true;
    ++depth;
  }
  ~PrintingGuard() {
    object_.is_printed_ = false;
    --depth;
  }
  PrintingGuard(const PrintingGuard&) = delete;
  PrintingGuard& operator=(const PrintingGuard&) = delete;
  Object& object_;
  static thread_local int depth;  // of objects that are written at this moment, each inside the one before
};
thread_local int PrintingGuard::depth = 0;

namespace {

std::string escaped(std::int64_t code) {
  return code < 0x100     ? fmt::format("\\x{:02x}", code)
         : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                          : fmt::format("\\U{:08x}", code);
}

thread_local std::size_t longest_unread = 0;  // while unread_repr() writes

}  // namespace

bool reads_nothing() { return longest_unread > 0; }

bool is_cut_off(std::string& text) {
  if (!reads_nothing() || text.size() < longest_unread) return false;
  text += "...";
  return true;
}

std::string string_repr(const std::string& text) {
  const bool has_single = text.find('\'') != std::string::npos;
  const char quote = has_single && text.find('"') == std::string::npos ? '"' : '\'';
  const auto is_plain = [&](char c) { return c >= ' ' && c < 0x7F && c != quote && c != '\\'; };
  constexpr std::ptrdiff_t kPlainPiece = 4096;
  std::string out(1, quote);
  for (std::size_t at = 0, size = 0; at < text.size(); at += size) {
    if (is_cut_off(out)) return out;
    if (is_plain(text[at])) {  // most of most texts: as it is, piece by piece
      look();
      const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
      size = static_cast<std::size_t>(
          std::find_if_not(from, from + std::min<std::ptrdiff_t>(kPlainPiece, text.end() - from), is_plain) - from);
      out.append(text, at, size);
      continue;
    }
    size = character_offset(std::string_view(text).substr(at), 1);
    const std::string_view one = std::string_view(text).substr(at, size);
    const char c = one[0];
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += is_printable(one) ? std::string(one) : escaped(first_code(one));
    }
  }
  return out + quote;
}

std::string items_repr(const std::vector<Value>& items) {
  std::string out;
  all_items(items, [&](const Value& item) {
    if (is_cut_off(out)) return false;
    charge(1);
    if (!out.empty()) out += ", ";
    out += repr(item);
    return true;
  });
  return out;
}

std::string repr(const Value& value) {
  check_stack();
  if (value.is_none()) return "None";
  if (const bool* b = value.as_bool()) return *b ? "True" : "False";
  if (const Int* i = value.as_int()) return std::to_string(i->value);
  if (const double* d = value.as_float()) return python_repr(*d);
  if (value.object()->is_printed()) {
    const std::string_view inside = value.object()->type().inside_itself;
    if (!inside.empty()) return std::string(inside);
    if (const ClassObject* type = class_of(value); type && type->is_dataclass) return "...";
  }
  // Each level copies the text of those inside it.
  const int deepest = longest_unread < kLongestUnread ? 10 : 100;
  if (reads_nothing() && PrintingGuard::depth >= deepest) return "...";
  const NestedLevel level(" while getting the repr of an object");
  const PrintingGuard guard(*value.object());
  const auto own = value.object()->type().repr;
  return own ? own(value) : fmt::format("<{} object>", type_name(value));
}

std::string unread_repr(const Value& value, std::size_t longest) {
  struct Restore {
    std::size_t former;
    ~Restore() { longest_unread = former; }
  } restore{std::exchange(longest_unread, longest)};
  std::string text = repr(value);
  if (text.size() <= 4 * longest) return text;
  std::size_t end = longest;  // a __repr__ of the program's own does not ask is_cut_off()
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string ascii_repr(const Value& value) {
  const std::string text = repr(value);
  std::string out;
  for (std::size_t at = 0, size = 0; at < text.size(); at += size) {
    size = character_offset(std::string_view(text).substr(at), 1);
    const std::string_view one = std::string_view(text).substr(at, size);
    out += size == 1 ? std::string(one) : escaped(first_code(one));
  }
  return out;
}

std::string str(const Value& value) {
  if (Value own; call_special(value, "__str__", {}, own)) return own.as<Str>()->text;
  const auto own = slot_of(value, &Type::str);
  return own ? own(value) : repr(value);
}

}  // namespace attn
