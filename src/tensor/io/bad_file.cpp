#include "tensor/io/bad_file.h"

#include <limits>

#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

struct Kind {
  std::string_view beginning;
  std::string_view id;  // of the sentence
};

constexpr Kind kKinds[] = {
    {"PK\x03\x04", "bad_file.zip"},  {"\x80\x02", "bad_file.pickle"}, {"\x80\x03", "bad_file.pickle"},
    {"\x80\x04", "bad_file.pickle"}, {"\x80\x05", "bad_file.pickle"}, {"version https://git-lfs", "bad_file.lfs"},
    {"\x93NUMPY", "bad_file.npy"},   {"\x89HDF", "bad_file.hdf5"},    {"GGUF", "bad_file.gguf"},
    {"<!DOCTYPE", "bad_file.html"},  {"<html", "bad_file.html"},
};

}  // namespace

std::string quoted_word(std::string_view word) {
  return '"' + elide(visible(word.substr(0, 240)), 60) + '"';  // a name may be as long as the header
}

std::string byte_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return count == 1 ? say("bad_file.bytes.one") : say("bad_file.bytes", {{"count", digits}});
}

std::optional<std::int64_t> checked_numel(const Shape& shape) {
  std::int64_t product = 1;
  bool is_empty = false;
  for (const std::int64_t size : shape) {
    if (size == 0) is_empty = true;
    if (size != 0 && __builtin_mul_overflow(product, size, &product)) return std::nullopt;
  }
  return is_empty ? 0 : product;
}

std::optional<std::uint64_t> checked_bytes(std::int64_t numel, std::int64_t bits) {
  std::uint64_t all = 0;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(numel), static_cast<std::uint64_t>(bits), &all))
    return std::nullopt;
  if (all % 8 != 0) return std::nullopt;
  return all / 8;
}

std::string other_kind(std::string_view beginning) {
  for (const Kind& kind : kKinds)
    if (beginning.starts_with(kind.beginning)) return "; " + say(kind.id);
  return "";
}

}  // namespace attn
