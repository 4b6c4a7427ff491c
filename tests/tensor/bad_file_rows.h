#pragma once
// A table of files that must be refused: what is wrong, the bytes, and the sentence, word for word.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_bytes.h"
#include "tensor/io/bad_file.h"

namespace attn {

inline std::string little(std::uint64_t number, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

inline std::string zeros_of(std::size_t count) { return std::string(count, '\0'); }

/// "93 4e 20x3 0a": pairs of digits, blanks between them or not; 20x3 stands for 20 20 20.
inline std::string from_hex(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
    } else if (text[at] == 'x') {
      std::size_t digits = 0;
      const int count = std::stoi(std::string(text.substr(at + 1, 4)), &digits);
      bytes.append(static_cast<std::size_t>(count - 1), bytes.back());
      at += 1 + digits;
    } else {
      bytes += static_cast<char>(std::stoi(std::string(text.substr(at, 2)), nullptr, 16));
      at += 2;
    }
  }
  return bytes;
}

struct BadFileRow {
  const char* name;
  std::string bytes;
  std::string sentence;
};

/// `read` opens the bytes and reads all that is in them.
inline void check_bad_files(const std::vector<BadFileRow>& rows, const std::function<void(const BytesAt&)>& read) {
  std::set<std::string> seen;
  for (const BadFileRow& row : rows) {
    EXPECT_TRUE(seen.insert(row.bytes).second) << row.name << ": these bytes are in the table already";
    std::string said = "(it was read)";
    try {
      read(TextBytes("f", row.bytes));
    } catch (const BadFile& error) {
      said = error.what();
    }
    EXPECT_EQ(said, "f: " + row.sentence) << row.name;
  }
}

}  // namespace attn
