// The header is read by a parser of its own for the few Python literals that numpy writes there: strings without
// escapes, True and False, and a tuple of whole numbers.
#include "tensor/io/npy.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "tensor/io/bad_file.h"
#include "tensor/io/stored_elements.h"
#include "tensor/layout.h"

namespace attn {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestNpyHeader = 10'000;

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> is_fortran;
  std::optional<Shape> shape;
};

/// Reads the dict. `begin_` is the place of the header in the file, so that errors name the byte of the file.
class HeaderParser {
 public:
  HeaderParser(std::string file, std::string_view text, std::size_t begin)
      : file_(std::move(file)), text_(text), begin_(begin) {}

  Header parse() {
    expect('{', "the header is a dict, which begins with {");
    while (!accept('}')) {
      entry();
      if (accept('}')) break;
      expect(',', "a comma or } follows an entry of the header");
    }
    skip_blanks();
    if (at_ != text_.size()) fail("nothing but blanks follows the dict of the header");
    if (!header_.descr) missing("descr");
    if (!header_.is_fortran) missing("fortran_order");
    if (!header_.shape) missing("shape");
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    throw BadFile(file_, "byte " + std::to_string(begin_ + at_) + ": " + rule + ", but here is " + found());
  }
  std::string found() const { return at_ < text_.size() ? quoted_word(text_.substr(at_, 1)) : "the end of the header"; }
  [[noreturn]] void missing(std::string_view key) const {
    throw BadFile(file_, "the header has no key " + quoted_word(key));
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    return ++at_, true;
  }
  void expect(char wanted, const char* rule) {
    if (!accept(wanted)) fail(rule);
  }
  bool accept_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    return at_ += word.size(), true;
  }

  std::string string(const char* rule) {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') fail(rule);
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("this string ends before the header does");
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    const std::size_t escape = inside.find_first_of("\\\n");
    if (escape != std::string_view::npos) {
      at_ += 1 + escape;
      fail("a string of the header has neither escapes nor line ends");
    }
    at_ = end + 1;
    return std::string(inside);
  }

  void entry() {
    skip_blanks();
    const std::size_t start = at_;
    const std::string key = string("a key of the header is a string");
    expect(':', "a colon follows a key of the header");
    if (key == "descr") return put(header_.descr, key, descr());
    if (key == "fortran_order") return put(header_.is_fortran, key, boolean());
    if (key == "shape") return put(header_.shape, key, tuple());
    throw BadFile(file_, "byte " + std::to_string(begin_ + start) + ": the header has the key " + quoted_word(key) +
                             ", but only descr, fortran_order and shape are its keys");
  }
  template <class T>
  void put(std::optional<T>& place, const std::string& key, T value) {
    if (place) throw BadFile(file_, "the header has the key " + quoted_word(key) + " twice");
    place = std::move(value);
  }

  std::string descr() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[')
      throw BadFile(file_, "\"descr\" is a list of fields, but arrays of records are not known here");
    return string("\"descr\" is a string, as '<f4'");
  }
  bool boolean() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) fail("\"fortran_order\" is True or False");
    return false;
  }
  Shape tuple() {
    expect('(', "\"shape\" is a tuple, as (3, 4)");
    Shape shape;
    bool has_comma = true;
    while (!accept(')')) {
      if (!has_comma) fail("a comma or ) follows a size");
      if (shape.size() == kMostAxes) fail("an array has at most " + std::to_string(kMostAxes) + " axes");
      shape.push_back(size());
      has_comma = accept(',');
    }
    if (shape.size() == 1 && !has_comma) {
      --at_;
      fail("a tuple of one size has a comma, as (3,)");
    }
    return shape;
  }
  std::int64_t size() {
    skip_blanks();
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    if (begin == end || *begin < '0' || *begin > '9') fail("a size is a whole number from 0");
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error != std::errc()) fail("a size is at most 2**63 - 1");
    if (*begin == '0' && stop != begin + 1) fail("a size does not begin with 0");
    at_ += static_cast<std::size_t>(stop - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // written by Python 2
    return number;
  }

  std::string file_;
  std::string_view text_;
  std::size_t begin_;
  std::size_t at_ = 0;
  Header header_;
};

struct NpyType {
  std::string_view code;  // kind and size
  DType dtype;
};
constexpr NpyType kNpyTypes[] = {{"b1", DType::Bool},    {"u1", DType::UInt8},   {"i1", DType::Int8},
                                 {"i2", DType::Int16},   {"i4", DType::Int32},   {"i8", DType::Int64},
                                 {"f2", DType::Float16}, {"f4", DType::Float32}, {"f8", DType::Float64}};

struct ForeignType {
  std::string_view beginning;
  std::string_view name;
};
constexpr ForeignType kForeign[] = {{"u2", "uint16"},        {"u4", "uint32"},         {"u8", "uint64"},
                                    {"f12", "float96"},      {"f16", "float128"},      {"c8", "complex64"},
                                    {"c16", "complex128"},   {"c", "complex numbers"}, {"U", "text"},
                                    {"S", "byte strings"},   {"a", "byte strings"},    {"V", "records"},
                                    {"M", "points in time"}, {"m", "spans of time"}};

constexpr std::string_view kKnownTypes =
    "known are bool, uint8, int8, int16, int32, int64, float16, float32 and float64";

DType dtype_of_descr(const std::string& file, const std::string& descr) {
  const auto fail = [&](const std::string& reason) -> BadFile {
    return {file, "\"descr\" is " + quoted_word(descr) + ", " + reason};
  };
  const char order = descr.empty() ? ' ' : descr[0];
  const bool has_order = order != ' ' && std::string_view("<>|=").find(order) != std::string_view::npos;
  const std::string_view code = std::string_view(descr).substr(has_order ? 1 : 0);
  if (code.starts_with("O"))
    throw fail("Python objects: they are stored as a pickle, and reading a pickle may run code");
  for (const ForeignType& row : kForeign)
    if (code.starts_with(row.beginning)) throw fail(std::string(row.name) + ", but " + std::string(kKnownTypes));
  const auto row =
      std::find_if(std::begin(kNpyTypes), std::end(kNpyTypes), [&](const NpyType& r) { return r.code == code; });
  if (row == std::end(kNpyTypes)) throw fail("which is no type; " + std::string(kKnownTypes));
  if (order == '>') throw fail("big-endian, but only little-endian is known here");
  if (order != '<' && (order != '|' || size_of(row->dtype) != 1))
    throw fail("which does not say the order of the bytes, as \"<" + std::string(code) + "\" does");
  return row->dtype;
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | static_cast<std::uint8_t>(bytes[i]);
  return number;
}

struct Place {
  std::size_t begin = 0, end = 0;  // of the header
};

/// Magic, version and length of the header.
Place header_place(const BytesAt& bytes, const std::string& beginning) {
  const std::string& file = bytes.name();
  const auto size_text = [&] { return "the file ends after " + byte_count(bytes.size()); };
  if (!beginning.starts_with(kMagic)) {
    if (kMagic.starts_with(beginning)) throw BadFile(file, size_text() + ", within the magic word of .npy");
    throw BadFile(file, "this is no .npy file: its first six bytes are not \\x93NUMPY" + other_kind(beginning));
  }
  if (beginning.size() < 8) throw BadFile(file, size_text() + ", before the version is told (bytes 6 and 7)");
  const int major = static_cast<std::uint8_t>(beginning[6]), minor = static_cast<std::uint8_t>(beginning[7]);
  if (major < 1 || major > 3 || minor != 0)
    throw BadFile(file, "bytes 6 and 7: version " + std::to_string(major) + "." + std::to_string(minor) +
                            " of .npy is not known, only 1.0, 2.0 and 3.0");
  const std::size_t begin = major == 1 ? 10 : 12;
  if (beginning.size() < begin)
    throw BadFile(file,
                  size_text() + ", before the header's length is told (bytes 8 to " + std::to_string(begin - 1) + ")");
  const std::uint64_t length = little_endian(std::string_view(beginning).substr(8, begin - 8));
  if (length > kLongestNpyHeader)
    throw BadFile(file, "byte 8: the header is said to have " + byte_count(length) + ", more than the allowed " +
                            byte_count(kLongestNpyHeader));
  if (length > bytes.size() - begin)
    throw BadFile(file, "byte 8: the header is said to have " + byte_count(length) + ", but the file has only " +
                            byte_count(bytes.size() - begin) + " after byte " + std::to_string(begin - 1));
  return {begin, begin + static_cast<std::size_t>(length)};
}

/// The header must be followed by exactly its array.
void check_size(const BytesAt& bytes, const Place& place, const Header& header, DType dtype) {
  const auto fail = [&](const std::string& text) -> BadFile {
    return {bytes.name(),
            "\"shape\" is " + shape_text(*header.shape) + " of " + std::string(short_name(dtype)) + ", " + text};
  };
  const std::optional<std::int64_t> numel = checked_numel(*header.shape);
  const std::optional<std::uint64_t> needed = numel ? checked_bytes(*numel, 8 * size_of(dtype)) : std::nullopt;
  if (!needed) throw fail("more than any file can hold");
  const std::uint64_t there = bytes.size() - place.end;
  if (*needed == there) return;
  throw fail(byte_count(*needed) + ", but the file has " + byte_count(there) +
             " after its header, which ends at byte " + std::to_string(place.end - 1));
}

}  // namespace

Tensor read_npy(const BytesAt& bytes) {
  const std::string beginning = first_bytes(bytes, 12 + kLongestNpyHeader);
  const Place place = header_place(bytes, beginning);
  const std::string_view text = std::string_view(beginning).substr(place.begin, place.end - place.begin);
  if (!text.ends_with('\n'))
    throw BadFile(bytes.name(), "byte " + std::to_string(place.end - 1) + ": the header does not end with a line end");
  const Header header = HeaderParser(bytes.name(), text, place.begin).parse();
  const DType dtype = dtype_of_descr(bytes.name(), *header.descr);
  check_size(bytes, place, header, dtype);
  Shape shape = *header.shape;
  if (!*header.is_fortran) return read_elements(bytes, place.end, std::move(shape), dtype);
  // Fortran order is the row-major order of the axes turned around.
  std::reverse(shape.begin(), shape.end());
  const Tensor turned = read_elements(bytes, place.end, shape, dtype);
  Shape strides = contiguous_strides(shape);
  std::reverse(strides.begin(), strides.end());
  return contiguous(turned.as_strided(*header.shape, std::move(strides), 0));
}

}  // namespace attn
