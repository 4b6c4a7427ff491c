#include "lesson/entity.h"

#include <charconv>
#include <cstdint>

namespace attn {
namespace {

struct Entity {
  std::string_view name, text;
};

constexpr Entity kEntities[] = {
    {"&amp;", "&"},   {"&lt;", "<"},    {"&gt;", ">"},     {"&quot;", "\""}, {"&apos;", "'"},   {"&nbsp;", "\u00A0"},
    {"&ndash;", "–"}, {"&mdash;", "—"}, {"&hellip;", "…"}, {"&times;", "×"}, {"&middot;", "·"}, {"&rarr;", "→"},
    {"&larr;", "←"},  {"&le;", "≤"},    {"&ge;", "≥"},     {"&ne;", "≠"},    {"&deg;", "°"},    {"&copy;", "©"}};

std::string encode(std::uint32_t code) {
  // What is no character, and NUL, are replaced, as CommonMark demands.
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
  std::string out;
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
  return out;
}

}  // namespace

std::string decode_entity(std::string_view entity) {
  for (const Entity& row : kEntities) {
    if (row.name == entity) return std::string(row.text);
  }
  if (!entity.starts_with("&#") || entity.size() < 4) return std::string(entity);
  const bool hex = entity[2] == 'x' || entity[2] == 'X';
  const std::string_view digits = entity.substr(hex ? 3 : 2, entity.size() - (hex ? 4 : 3));
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
  if (error == std::errc::result_out_of_range) return encode(0);
  return end == digits.data() + digits.size() && !digits.empty() ? encode(code) : std::string(entity);
}

}  // namespace attn
