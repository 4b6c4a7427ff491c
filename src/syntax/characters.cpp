#include "syntax/characters.h"

#include <fmt/format.h>

#include "text/say.h"

namespace attn {
namespace {

struct CodeRange {
  std::int32_t first, last;
};

// Controls, blanks that are not ASCII, zero-width characters, marks of direction, private use, no characters.
constexpr CodeRange kNotPrintable[] = {
    {0x00, 0x08},     {0x0B, 0x0B},     {0x0E, 0x1F},       {0x7F, 0xA0},       {0xAD, 0xAD},     {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x1680, 0x1680}, {0x180B, 0x180F},   {0x2000, 0x200F},   {0x2028, 0x202F}, {0x205F, 0x206F},
    {0x3000, 0x3000}, {0x3164, 0x3164}, {0xE000, 0xF8FF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF}};

struct Lookalike {
  std::int32_t code;
  std::string_view meant;
};

// What word processors and web pages make of the characters of code.
constexpr Lookalike kLookalikes[] = {
    {0x2018, "'"},   {0x2019, "'"},         {0x201C, "\""}, {0x201D, "\""}, {0x00AB, "\""}, {0x00BB, "\""},
    {0x2013, "-"},   {0x2014, "-"},         {0x2212, "-"},  {0x00D7, "*"},  {0x00B7, "*"},  {0x22C5, "*"},
    {0x00F7, "/"},   {0x2026, "..."},       {0x2264, "<="}, {0x2265, ">="}, {0x2260, "!="}, {0x2192, "->"},
    {0x00B2, "**2"}, {0x221A, "math.sqrt"}, {0xFF08, "("},  {0xFF09, ")"},  {0xFF0C, ","},  {0xFF1A, ":"},
    {0xFF1D, "="},   {0x3001, ","},         {0xFFFD, ""}};

}  // namespace

Refusal refusal(std::int32_t code, std::string_view shown) {
  for (const CodeRange& range : kNotPrintable) {
    if (code < range.first || code > range.last) continue;
    return {fmt::format("invalid non-printable character U+{:04X}", code), say("syntax.not_printable.hint")};
  }
  for (const Lookalike& row : kLookalikes) {
    if (code != row.code) continue;
    return {fmt::format("invalid character '{}' (U+{:04X})", shown, code),
            row.meant.empty() ? "" : say("syntax.write_here", {{"code", std::string(row.meant)}})};
  }
  return {};
}

}  // namespace attn
