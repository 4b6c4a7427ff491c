// The header is read by a parser of its own for the few Python literals that numpy writes there: strings without
// escapes, True and False, and a tuple of whole numbers.
#include "tensor/io/npy.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "tensor/io/bad_file.h"
#include "tensor/io/stored_elements.h"
#include "tensor/ops/layout.h"
#include "text/say.h"

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
    expect('{', "npy.rule.dict");
    while (!accept('}')) {
      entry();
      if (accept('}')) break;
      expect(',', "npy.rule.entry");
    }
    skip_blanks();
    if (at_ != text_.size()) fail("npy.rule.rest");
    if (!header_.descr) missing("descr");
    if (!header_.is_fortran) missing("fortran_order");
    if (!header_.shape) missing("shape");
    return std::move(header_);
  }

 private:
  /// `rule` is the id of a sentence.
  [[noreturn]] void fail(std::string_view rule) const {
    const std::string found = at_ < text_.size() ? quoted_word(text_.substr(at_, 1)) : say("npy.end");
    const std::string broken = say(rule, {{"open", "{"}, {"close", "}"}, {"axes", std::to_string(kMostAxes)}});
    throw BadFile(file_, say("npy.rule", {{"byte", std::to_string(begin_ + at_)}, {"rule", broken}, {"found", found}}));
  }
  [[noreturn]] void missing(std::string_view key) const {
    throw BadFile(file_, say("npy.missing", {{"key", quoted_word(key)}}));
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    return ++at_, true;
  }
  void expect(char wanted, std::string_view rule) {
    if (!accept(wanted)) fail(rule);
  }
  bool accept_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    return at_ += word.size(), true;
  }

  std::string string(std::string_view rule) {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') fail(rule);
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("npy.rule.open_string");
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    const std::size_t escape = inside.find_first_of("\\\n");
    if (escape != std::string_view::npos) {
      at_ += 1 + escape;
      fail("npy.rule.escape");
    }
    at_ = end + 1;
    return std::string(inside);
  }

  void entry() {
    skip_blanks();
    const std::size_t start = at_;
    const std::string key = string("npy.rule.key");
    expect(':', "npy.rule.colon");
    if (key == "descr") return put(header_.descr, key, descr());
    if (key == "fortran_order") return put(header_.is_fortran, key, boolean());
    if (key == "shape") return put(header_.shape, key, tuple());
    throw BadFile(file_, say("npy.key", {{"byte", std::to_string(begin_ + start)}, {"key", quoted_word(key)}}));
  }
  template <class T>
  void put(std::optional<T>& place, const std::string& key, T value) {
    if (place) throw BadFile(file_, say("bad_file.key_twice", {{"key", quoted_word(key)}}));
    place = std::move(value);
  }

  std::string descr() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[') throw BadFile(file_, say("npy.fields"));
    return string("npy.rule.descr");
  }
  bool boolean() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) fail("npy.rule.order");
    return false;
  }
  Shape tuple() {
    expect('(', "npy.rule.tuple");
    Shape shape;
    bool has_comma = true;
    while (!accept(')')) {
      if (!has_comma) fail("npy.rule.size");
      if (shape.size() == kMostAxes) fail("npy.rule.axes");
      shape.push_back(size());
      has_comma = accept(',');
    }
    if (shape.size() == 1 && !has_comma) {
      --at_;
      fail("npy.rule.one_size");
    }
    return shape;
  }
  std::int64_t size() {
    skip_blanks();
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    if (begin == end || *begin < '0' || *begin > '9') fail("npy.rule.whole");
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error != std::errc()) fail("npy.rule.large");
    if (*begin == '0' && stop != begin + 1) fail("npy.rule.zero");
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
constexpr NpyType kNpyTypes[] = {{"b1", DType::Bool},    {"u1", DType::UInt8},  {"i1", DType::Int8},
                                 {"i2", DType::Int16},   {"u2", DType::UInt16}, {"i4", DType::Int32},
                                 {"u4", DType::UInt32},  {"i8", DType::Int64},  {"f2", DType::Float16},
                                 {"f4", DType::Float32}, {"f8", DType::Float64}};

struct ForeignType {
  std::string_view beginning;
  std::string_view name;  // numpy's, or the id of what it holds
};
constexpr ForeignType kForeign[] = {{"u8", "uint64"},          {"f12", "float96"},      {"f16", "float128"},
                                    {"c8", "complex64"},       {"c16", "complex128"},   {"c", "npy.type.complex"},
                                    {"U", "npy.type.text"},    {"S", "npy.type.bytes"}, {"a", "npy.type.bytes"},
                                    {"V", "npy.type.records"}, {"M", "npy.type.times"}, {"m", "npy.type.spans"}};

DType dtype_of_descr(const std::string& file, const std::string& descr) {
  const auto fail = [&](const std::string& reason) -> BadFile {
    return {file, say("npy.descr", {{"descr", quoted_word(descr)}, {"reason", reason}})};
  };
  const char order = descr.empty() ? ' ' : descr[0];
  const bool has_order = order != ' ' && std::string_view("<>|=").find(order) != std::string_view::npos;
  const std::string_view code = std::string_view(descr).substr(has_order ? 1 : 0);
  if (code.starts_with("O")) throw fail(say("npy.descr.objects"));
  for (const ForeignType& row : kForeign) {
    if (!code.starts_with(row.beginning)) continue;
    const std::string type = row.name.starts_with("npy.") ? say(row.name) : std::string(row.name);
    throw fail(say("npy.descr.foreign", {{"type", type}, {"known", say("npy.known")}}));
  }
  const auto row =
      std::find_if(std::begin(kNpyTypes), std::end(kNpyTypes), [&](const NpyType& r) { return r.code == code; });
  if (row == std::end(kNpyTypes)) throw fail(say("npy.descr.no_type", {{"known", say("npy.known")}}));
  if (order == '>') throw fail(say("npy.descr.big_endian"));
  if (order != '<' && (order != '|' || size_of(row->dtype) != 1))
    throw fail(say("npy.descr.no_order", {{"code", std::string(code)}}));
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
  const std::string size = byte_count(bytes.size());
  if (!beginning.starts_with(kMagic)) {
    if (kMagic.starts_with(beginning)) throw BadFile(file, say("npy.ends.magic", {{"size", size}}));
    throw BadFile(file, say("npy.no_magic") + other_kind(beginning));
  }
  if (beginning.size() < 8) throw BadFile(file, say("npy.ends.version", {{"size", size}}));
  const int major = static_cast<std::uint8_t>(beginning[6]), minor = static_cast<std::uint8_t>(beginning[7]);
  if (major < 1 || major > 3 || minor != 0)
    throw BadFile(file, say("npy.version", {{"version", std::to_string(major) + "." + std::to_string(minor)}}));
  const std::size_t begin = major == 1 ? 10 : 12;
  if (beginning.size() < begin)
    throw BadFile(file, say("npy.ends.length", {{"size", size}, {"last", std::to_string(begin - 1)}}));
  const std::uint64_t length = little_endian(std::string_view(beginning).substr(8, begin - 8));
  if (length > kLongestNpyHeader)
    throw BadFile(file, say("bad_file.long_header",
                            {{"byte", "8"}, {"length", byte_count(length)}, {"most", byte_count(kLongestNpyHeader)}}));
  if (length > bytes.size() - begin)
    throw BadFile(file, say("bad_file.cut_header", {{"byte", "8"},
                                                    {"length", byte_count(length)},
                                                    {"left", byte_count(bytes.size() - begin)},
                                                    {"last", std::to_string(begin - 1)}}));
  return {begin, begin + static_cast<std::size_t>(length)};
}

/// The header must be followed by exactly its array.
void check_size(const BytesAt& bytes, const Place& place, const Header& header, DType dtype) {
  const auto fail = [&](const std::string& reason) -> BadFile {
    return {bytes.name(),
            say("npy.shape",
                {{"shape", shape_text(*header.shape)}, {"type", std::string(short_name(dtype))}, {"reason", reason}})};
  };
  const std::optional<std::int64_t> numel = checked_numel(*header.shape);
  const std::optional<std::uint64_t> needed = numel ? checked_bytes(*numel, 8 * size_of(dtype)) : std::nullopt;
  if (!needed) throw fail(say("npy.shape.large"));
  const std::uint64_t there = bytes.size() - place.end;
  if (*needed == there) return;
  throw fail(
      say("npy.shape.bytes",
          {{"needed", byte_count(*needed)}, {"there", byte_count(there)}, {"last", std::to_string(place.end - 1)}}));
}

}  // namespace

Tensor read_npy(const BytesAt& bytes) {
  const std::string beginning = first_bytes(bytes, 12 + kLongestNpyHeader);
  const Place place = header_place(bytes, beginning);
  const std::string_view text = std::string_view(beginning).substr(place.begin, place.end - place.begin);
  if (!text.ends_with('\n'))
    throw BadFile(bytes.name(), say("npy.line_end", {{"byte", std::to_string(place.end - 1)}}));
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
