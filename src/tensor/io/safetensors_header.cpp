#include "tensor/io/safetensors_header.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "tensor/io/bad_file.h"

namespace attn {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = std::uint64_t{16} << 20;

struct TypeRow {
  std::string_view name;
  std::int64_t bits;
  std::optional<DType> dtype;
};

constexpr TypeRow kTypes[] = {{"BOOL", 8, DType::Bool},     {"U8", 8, DType::UInt8},       {"I8", 8, DType::Int8},
                              {"I16", 16, DType::Int16},    {"I32", 32, DType::Int32},     {"I64", 64, DType::Int64},
                              {"F16", 16, DType::Float16},  {"BF16", 16, DType::BFloat16}, {"F32", 32, DType::Float32},
                              {"F64", 64, DType::Float64},  {"F4", 4, std::nullopt},       {"F6_E2M3", 6, std::nullopt},
                              {"F6_E3M2", 6, std::nullopt}, {"F8_E4M3", 8, std::nullopt},  {"F8_E5M2", 8, std::nullopt},
                              {"F8_E8M0", 8, std::nullopt}, {"U16", 16, std::nullopt},     {"U32", 32, std::nullopt},
                              {"U64", 64, std::nullopt},    {"C64", 64, std::nullopt}};

const TypeRow* find_type(std::string_view name) {
  const auto row = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeRow& r) { return r.name == name; });
  return row == std::end(kTypes) ? nullptr : row;
}

/// The length that the file begins with; the header fits into the file.
std::uint64_t header_length(const BytesAt& bytes) {
  if (bytes.size() < kLengthBytes)
    throw BadFile(bytes.name(), "the file ends after " + byte_count(bytes.size()) +
                                    ", within the length of the header (bytes 0 to 7)");
  const std::string beginning = first_bytes(bytes, 32);
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<std::uint8_t>(beginning[i]);
  const std::string said = "byte 0: the header is said to have " + byte_count(length);
  if (length > kLongestHeader)
    throw BadFile(bytes.name(), said + ", more than the allowed " + byte_count(kLongestHeader) + other_kind(beginning));
  if (length > bytes.size() - kLengthBytes)
    throw BadFile(bytes.name(),
                  said + ", but the file has only " + byte_count(bytes.size() - kLengthBytes) + " after byte 7");
  if (length < 2) throw BadFile(bytes.name(), said + ", but the shortest header is {}");
  return length;
}

/// Shape and type must give the bytes that the offsets leave.
void check_length(const std::string& file, const StoredTensor& tensor) {
  const auto fail = [&](const std::string& text) -> BadFile {
    return {file, "tensor " + quoted_word(tensor.name) + ": \"shape\" is " + shape_text(tensor.shape) + " of " +
                      tensor.type + ", " + text};
  };
  const std::optional<std::int64_t> numel = checked_numel(tensor.shape);
  if (!numel) throw fail("more elements than any file can hold");
  const TypeRow* row = find_type(tensor.type);
  if (!row) return;  // of a type that came later; it is refused when the tensor is asked for
  const std::optional<std::uint64_t> needed = checked_bytes(*numel, row->bits);
  if (!needed) throw fail("which is no whole number of bytes, or too many");
  const std::uint64_t there = tensor.end - tensor.begin;
  if (*needed != there) throw fail(byte_count(*needed) + ", but \"data_offsets\" leave " + byte_count(there));
}

/// The tensors must lie one behind the other, from the first byte of the data to the last.
void check_places(const std::string& file, const std::vector<StoredTensor>& tensors, std::uint64_t size) {
  std::vector<const StoredTensor*> order;
  for (const StoredTensor& tensor : tensors) order.push_back(&tensor);
  std::sort(order.begin(), order.end(), [](const StoredTensor* a, const StoredTensor* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t end = 0;
  const StoredTensor* last = nullptr;
  const auto before = [&] {
    return last ? " after tensor " + quoted_word(last->name) : std::string(" after the header");
  };
  for (const StoredTensor* tensor : order) {
    const std::string word = "tensor " + quoted_word(tensor->name);
    if (tensor->end > size)
      throw BadFile(file, word + ": it ends at byte " + std::to_string(tensor->end) + " of the data, which has only " +
                              byte_count(size));
    if (tensor->begin < end)
      throw BadFile(file, word + ": it begins at byte " + std::to_string(tensor->begin) + " of the data, but tensor " +
                              quoted_word(last->name) + " ends at byte " + std::to_string(end) + ": they overlap");
    if (tensor->begin > end)
      throw BadFile(file, word + ": it begins at byte " + std::to_string(tensor->begin) +
                              " of the data, which leaves " + byte_count(tensor->begin - end) + " unused" + before());
    end = tensor->end;
    last = tensor;
  }
  if (end != size) throw BadFile(file, byte_count(size - end) + " too many" + before());
}

// ---- the JSON of the header ----

constexpr std::string_view kMetadata = "__metadata__";

/// The events of nlohmann's parser: nothing is built that the format does not have, keys that occur twice are seen, and
/// no nesting is followed deeper than the format's three levels. The levels are: 0 outside, 1 in the header, 2 in an
/// entry of it, 3 in the list of one of a tensor's keys.
class Reader : public nlohmann::json_sax<nlohmann::json> {
 public:
  Reader(const std::string& file, std::string_view text, std::size_t begin) : file_(file), text_(text), begin_(begin) {}

  SafetensorsHeader take() { return std::move(header_); }

  bool start_object(std::size_t) override {
    if (level_ >= 2) wrong("an object");
    ++level_;
    if (level_ == 2) start_entry();
    return true;
  }
  bool end_object() override {
    if (level_ == 2 && !in_metadata()) end_tensor();
    --level_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (level_ != 2 || in_metadata() || inner_ == "dtype") wrong("a list");
    ++level_;
    return true;
  }
  bool end_array() override {
    --level_;
    return true;
  }
  bool key(string_t& word) override {
    if (level_ == 1) {
      if (!names_.insert(word).second) fail("the header has the key " + quoted_word(word) + " twice");
      outer_ = word;
      return true;
    }
    if (!in_metadata() && word != "dtype" && word != "shape" && word != "data_offsets")
      fail(entry() + ": the key " + quoted_word(word) + " is not one of dtype, shape and data_offsets");
    if (!inner_names_.insert(word).second) fail(entry() + ": the key " + quoted_word(word) + " is there twice");
    inner_ = word;
    return true;
  }
  bool string(string_t& word) override {
    if (level_ != 2 || (!in_metadata() && inner_ != "dtype")) wrong("a string");
    if (in_metadata()) header_.metadata.emplace_back(inner_, word);
    if (!in_metadata()) tensor_.type = word;
    return true;
  }
  bool number_unsigned(number_unsigned_t number) override {
    if (level_ != 3) wrong("a number");
    if (inner_ == "data_offsets") {
      if (offsets_ == 2) fail(place() + " has more than two numbers");
      (offsets_++ == 0 ? tensor_.begin : tensor_.end) = number;
      return true;
    }
    if (number > INT64_MAX) fail(place() + " has the size " + std::to_string(number) + ", more than 2**63 - 1");
    if (tensor_.shape.size() == kMostAxes) fail(place() + " has more than " + std::to_string(kMostAxes) + " sizes");
    tensor_.shape.push_back(static_cast<std::int64_t>(number));
    return true;
  }
  bool number_integer(number_integer_t number) override { not_whole(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& word) override { not_whole(word); }
  bool boolean(bool value) override { wrong(value ? "true" : "false"); }
  bool null() override { wrong("null"); }
  bool binary(binary_t&) override { wrong("bytes"); }  // JSON as text has none

  bool parse_error(std::size_t read, const std::string&, const nlohmann::detail::exception&) override {
    // `read` counts the byte that is wrong, or the end as if it were one.
    const std::size_t at = begin_ + (read > 0 ? read - 1 : 0);
    if (at >= text_.size()) fail("the header is no whole JSON: it ends at byte " + std::to_string(text_.size() - 1));
    fail("byte " + std::to_string(at) + ": here the header stops being JSON");
  }

 private:
  bool in_metadata() const { return outer_ == kMetadata; }
  std::string entry() const { return in_metadata() ? quoted_word(kMetadata) : "tensor " + quoted_word(outer_); }
  std::string place() const { return entry() + ": " + quoted_word(inner_); }

  [[noreturn]] void fail(const std::string& text) const { throw BadFile(file_, text); }
  /// A value of another kind than the place has.
  [[noreturn]] void wrong(const std::string& found) const {
    if (level_ == 0) fail("the header is " + found + ", not an object");
    if (level_ == 1) fail(entry() + " is " + found + ", not an object");
    if (in_metadata()) fail(place() + " is " + found + ", not a string");
    if (inner_ == "dtype") fail(place() + " is " + found + ", not a string");
    if (level_ == 2) fail(place() + " is " + found + ", not a list");
    fail(place() + " holds " + found + ", not only whole numbers");
  }
  [[noreturn]] void not_whole(const std::string& number) const {
    if (level_ != 3) wrong("a number");
    fail(place() + " holds " + elide(number, 40) + ", but its numbers are whole and from 0 to 2**64 - 1");
  }

  void start_entry() {
    inner_names_.clear();
    tensor_ = {};
    tensor_.name = outer_;
    offsets_ = 0;
  }
  void end_tensor() {
    for (const char* needed : {"dtype", "shape", "data_offsets"})
      if (!inner_names_.contains(needed)) fail(entry() + ": it has no key " + quoted_word(needed));
    if (offsets_ != 2) fail(entry() + ": \"data_offsets\" are not two numbers");
    if (tensor_.begin > tensor_.end)
      fail(entry() + ": \"data_offsets\" end at " + std::to_string(tensor_.end) + ", before they begin at " +
           std::to_string(tensor_.begin));
    header_.tensors.push_back(std::move(tensor_));
  }

  const std::string& file_;
  std::string_view text_;
  std::size_t begin_;
  SafetensorsHeader header_;
  int level_ = 0;
  std::string outer_, inner_;                  // the keys that lead here
  std::set<std::string> names_, inner_names_;  // no hashes: strangers could choose keys that collide
  StoredTensor tensor_;
  int offsets_ = 0;
};

/// `text` is the file's beginning, its JSON from byte `begin` on. Offsets are still those within the data.
SafetensorsHeader parse_safetensors_json(const std::string& file, std::string_view text, std::size_t begin) {
  const std::string_view json = text.substr(begin);
  if (json[0] != '{')
    throw BadFile(file, "byte " + std::to_string(begin) + ": the header does not begin with {" + other_kind(text));
  // nlohmann takes a byte 0 for the end of its input, and would not look at what follows.
  const std::size_t zero = json.find('\0');
  if (zero != std::string_view::npos)
    throw BadFile(file, "byte " + std::to_string(begin + zero) + ": the header holds a byte 0, which JSON has not");
  Reader reader(file, text, begin);
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  return reader.take();
}

}  // namespace

std::string_view safetensors_type(DType dtype) {
  // Every DType has a row.
  return std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeRow& r) { return r.dtype == dtype; })->name;
}

std::optional<DType> dtype_of_safetensors(std::string_view type) {
  const TypeRow* row = find_type(type);
  return row ? row->dtype : std::nullopt;
}

SafetensorsHeader read_safetensors_header(const BytesAt& bytes) {
  const std::uint64_t length = header_length(bytes), data = kLengthBytes + length;
  SafetensorsHeader header;
  {
    const std::string text = first_bytes(bytes, data);
    header = parse_safetensors_json(bytes.name(), text, kLengthBytes);
  }
  for (const StoredTensor& tensor : header.tensors) check_length(bytes.name(), tensor);
  check_places(bytes.name(), header.tensors, bytes.size() - data);
  for (StoredTensor& tensor : header.tensors) {
    tensor.begin += data;
    tensor.end += data;
  }
  return header;
}

}  // namespace attn
