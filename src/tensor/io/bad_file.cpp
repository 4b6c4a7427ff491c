#include "tensor/io/bad_file.h"

#include <limits>

#include "base/text.h"

namespace attn {
namespace {

struct Kind {
  std::string_view beginning;
  std::string_view sentence;
};

constexpr Kind kKinds[] = {
    {"PK\x03\x04",
     "; it begins as a zip archive does: an .npz, or what torch.save() wrote, which holds a pickle, and reading a "
     "pickle "
     "may run code"},
    {"\x80\x02", "; it begins as a pickle does, and reading a pickle may run code"},
    {"\x80\x03", "; it begins as a pickle does, and reading a pickle may run code"},
    {"\x80\x04", "; it begins as a pickle does, and reading a pickle may run code"},
    {"\x80\x05", "; it begins as a pickle does, and reading a pickle may run code"},
    {"version https://git-lfs", "; it is what Git LFS left in the place of the file: run `git lfs pull`"},
    {"\x93NUMPY", "; it begins as a .npy file does"},
    {"\x89HDF", "; it begins as an HDF5 file does"},
    {"GGUF", "; it begins as a GGUF file does"},
    {"<!DOCTYPE", "; it begins as a web page does"},
    {"<html", "; it begins as a web page does"},
};

}  // namespace

std::string quoted_word(std::string_view word) {
  return '"' + elide(visible(word.substr(0, 240)), 60) + '"';  // a name may be as long as the header
}

std::string byte_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits + (count == 1 ? " byte" : " bytes");
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
    if (beginning.starts_with(kind.beginning)) return std::string(kind.sentence);
  return "";
}

}  // namespace attn
