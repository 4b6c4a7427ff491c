#include "base/utf8.h"

#include <utf8proc.h>

namespace attn {
namespace {

struct LeadByte {
  unsigned first, last;  // range of the lead byte
  std::size_t size;
  unsigned low, high;  // range of the second byte
};

constexpr LeadByte kLeads[] = {{0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF}, {0xE1, 0xEC, 3, 0x80, 0xBF},
                               {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF}, {0xF0, 0xF0, 4, 0x90, 0xBF},
                               {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F}};

}  // namespace

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  if (byte(0) < 0x80) return {static_cast<std::int32_t>(byte(0)), 1};
  for (const LeadByte& lead : kLeads) {
    if (byte(0) < lead.first || byte(0) > lead.last) continue;
    unsigned code = byte(0) & (0x7Fu >> lead.size);
    for (std::size_t i = 1; i < lead.size; ++i) {
      const unsigned low = i == 1 ? lead.low : 0x80u, high = i == 1 ? lead.high : 0xBFu;
      if (i >= text.size() || byte(i) < low || byte(i) > high) return {-1, i};
      code = code << 6 | (byte(i) & 0x3F);
    }
    return {static_cast<std::int32_t>(code), lead.size};
  }
  return {-1, 1};
}

bool is_pictograph(std::int32_t code) {
  return code >= 0 && utf8proc_get_property(code)->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  }
}

}  // namespace attn
