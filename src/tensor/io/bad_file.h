#pragma once
// What is wrong with a file of tensors, and the arithmetic by which its readers check what the file claims.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_bytes.h"
#include "base/files.h"
#include "tensor/core/tensor.h"

namespace attn {

/// A file of tensors that breaks its format, or holds what is not known here. what() is "path: sentence"; the sentence
/// names the byte (counted from 0 at the file's start) or the key.
class BadFile : public FileError {
 public:
  using FileError::FileError;
};

/// A word from a file as an error shows it: in quotes, harmless on a terminal, at most 60 cells.
std::string quoted_word(std::string_view word);

/// "1 byte", "1,024 bytes".
std::string byte_count(std::uint64_t count);

/// The number of elements; nothing when that, or the product of the sizes that are not 0, is over 2^63 - 1.
std::optional<std::int64_t> checked_numel(const Shape& shape);

/// The bytes of so many elements of `bits` bits each; nothing when they overflow or end within a byte.
std::optional<std::uint64_t> checked_bytes(std::int64_t numel, std::int64_t bits);

/// What another kind of file begins with, as the end of a sentence ("; it starts like a zip archive ..."), or "".
std::string other_kind(std::string_view beginning);

}  // namespace attn
