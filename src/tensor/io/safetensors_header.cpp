#include "tensor/io/safetensors_header.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "tensor/io/bad_file.h"
#include "text/say.h"

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
    throw BadFile(bytes.name(), say("safetensors.ends", {{"size", byte_count(bytes.size())}}));
  const std::string beginning = first_bytes(bytes, 32);
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<std::uint8_t>(beginning[i]);
  if (length > kLongestHeader)
    throw BadFile(bytes.name(),
                  say("bad_file.long_header",
                      {{"byte", "0"}, {"length", byte_count(length)}, {"most", byte_count(kLongestHeader)}}) +
                      other_kind(beginning));
  if (length > bytes.size() - kLengthBytes)
    throw BadFile(bytes.name(), say("bad_file.cut_header", {{"byte", "0"},
                                                            {"length", byte_count(length)},
                                                            {"left", byte_count(bytes.size() - kLengthBytes)},
                                                            {"last", "7"}}));
  if (length < 2)
    throw BadFile(bytes.name(), say("safetensors.short_header", {{"length", byte_count(length)}, {"shortest", "{}"}}));
  return length;
}

/// Shape and type must give the bytes that the offsets leave.
void check_length(const std::string& file, const StoredTensor& tensor) {
  const auto fail = [&](const std::string& reason) -> BadFile {
    return {file, say("safetensors.shape", {{"name", quoted_word(tensor.name)},
                                            {"shape", shape_text(tensor.shape)},
                                            {"type", tensor.type},
                                            {"reason", reason}})};
  };
  const std::optional<std::int64_t> numel = checked_numel(tensor.shape);
  if (!numel) throw fail(say("safetensors.shape.large"));
  const TypeRow* row = find_type(tensor.type);
  if (!row) return;  // of a type that came later; it is refused when the tensor is asked for
  const std::optional<std::uint64_t> needed = checked_bytes(*numel, row->bits);
  if (!needed) throw fail(say("safetensors.shape.part"));
  const std::uint64_t there = tensor.end - tensor.begin;
  if (*needed != there)
    throw fail(say("safetensors.shape.bytes", {{"needed", byte_count(*needed)}, {"there", byte_count(there)}}));
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
    return last ? say("safetensors.after", {{"name", quoted_word(last->name)}}) : say("safetensors.after_header");
  };
  for (const StoredTensor* tensor : order) {
    const std::string name = quoted_word(tensor->name), begin = std::to_string(tensor->begin);
    if (tensor->end > size)
      throw BadFile(file, say("safetensors.beyond",
                              {{"name", name}, {"end", std::to_string(tensor->end)}, {"size", byte_count(size)}}));
    if (tensor->begin < end)
      throw BadFile(
          file,
          say("safetensors.overlap",
              {{"name", name}, {"begin", begin}, {"other", quoted_word(last->name)}, {"end", std::to_string(end)}}));
    if (tensor->begin > end)
      throw BadFile(
          file, say("safetensors.gap",
                    {{"name", name}, {"begin", begin}, {"gap", byte_count(tensor->begin - end)}, {"place", before()}}));
    end = tensor->end;
    last = tensor;
  }
  if (end != size)
    throw BadFile(file, say("safetensors.rest", {{"rest", byte_count(size - end)}, {"place", before()}}));
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
    if (level_ >= 2) wrong(say("safetensors.found.object"));
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
    if (level_ != 2 || in_metadata() || inner_ == "dtype") wrong(say("safetensors.found.list"));
    ++level_;
    return true;
  }
  bool end_array() override {
    --level_;
    return true;
  }
  bool key(string_t& word) override {
    if (level_ == 1) {
      if (!names_.insert(word).second) fail(say("bad_file.key_twice", {{"key", quoted_word(word)}}));
      outer_ = word;
      return true;
    }
    if (!in_metadata() && word != "dtype" && word != "shape" && word != "data_offsets")
      fail(say("safetensors.key", {{"entry", entry()}, {"key", quoted_word(word)}}));
    if (!inner_names_.insert(word).second)
      fail(say("safetensors.key_twice", {{"entry", entry()}, {"key", quoted_word(word)}}));
    inner_ = word;
    return true;
  }
  bool string(string_t& word) override {
    if (level_ != 2 || (!in_metadata() && inner_ != "dtype")) wrong(say("safetensors.found.string"));
    if (in_metadata()) header_.metadata.emplace_back(inner_, word);
    if (!in_metadata()) tensor_.type = word;
    return true;
  }
  bool number_unsigned(number_unsigned_t number) override {
    if (level_ != 3) wrong(say("safetensors.found.number"));
    if (inner_ == "data_offsets") {
      if (offsets_ == 2) fail(say("safetensors.offsets.many", {{"place", place()}}));
      (offsets_++ == 0 ? tensor_.begin : tensor_.end) = number;
      return true;
    }
    if (number > INT64_MAX) fail(say("safetensors.size", {{"place", place()}, {"size", std::to_string(number)}}));
    if (tensor_.shape.size() == kMostAxes)
      fail(say("safetensors.sizes", {{"place", place()}, {"most", std::to_string(kMostAxes)}}));
    tensor_.shape.push_back(static_cast<std::int64_t>(number));
    return true;
  }
  bool number_integer(number_integer_t number) override { not_whole(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& word) override { not_whole(word); }
  bool boolean(bool value) override { wrong(value ? "true" : "false"); }
  bool null() override { wrong("null"); }
  bool binary(binary_t&) override { wrong(say("safetensors.found.bytes")); }  // JSON as text has none

  bool parse_error(std::size_t read, const std::string&, const nlohmann::detail::exception&) override {
    // `read` counts the byte that is wrong, or the end as if it were one.
    const std::size_t at = begin_ + (read > 0 ? read - 1 : 0);
    if (at >= text_.size()) fail(say("safetensors.json_ends", {{"byte", std::to_string(text_.size() - 1)}}));
    fail(say("safetensors.no_json", {{"byte", std::to_string(at)}}));
  }

 private:
  bool in_metadata() const { return outer_ == kMetadata; }
  std::string entry() const {
    return in_metadata() ? quoted_word(kMetadata) : say("safetensors.tensor", {{"name", quoted_word(outer_)}});
  }
  std::string place() const { return entry() + ": " + quoted_word(inner_); }

  [[noreturn]] void fail(const std::string& text) const { throw BadFile(file_, text); }
  /// A value of another kind than the place has.
  [[noreturn]] void wrong(const std::string& found) const {
    if (level_ == 0) fail(say("safetensors.no_object", {{"place", say("safetensors.header")}, {"found", found}}));
    if (level_ == 1) fail(say("safetensors.no_object", {{"place", entry()}, {"found", found}}));
    if (in_metadata() || inner_ == "dtype") fail(say("safetensors.no_string", {{"place", place()}, {"found", found}}));
    fail(say(level_ == 2 ? "safetensors.no_list" : "safetensors.no_numbers", {{"place", place()}, {"found", found}}));
  }
  [[noreturn]] void not_whole(const std::string& number) const {
    if (level_ != 3) wrong(say("safetensors.found.number"));
    fail(say("safetensors.not_whole", {{"place", place()}, {"number", elide(number, 40)}}));
  }

  void start_entry() {
    inner_names_.clear();
    tensor_ = {};
    tensor_.name = outer_;
    offsets_ = 0;
  }
  void end_tensor() {
    for (const char* needed : {"dtype", "shape", "data_offsets"})
      if (!inner_names_.contains(needed))
        fail(say("safetensors.missing", {{"entry", entry()}, {"key", quoted_word(needed)}}));
    if (offsets_ != 2) fail(say("safetensors.offsets.few", {{"entry", entry()}}));
    if (tensor_.begin > tensor_.end)
      fail(say("safetensors.offsets.order",
               {{"entry", entry()}, {"end", std::to_string(tensor_.end)}, {"begin", std::to_string(tensor_.begin)}}));
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
    throw BadFile(file,
                  say("safetensors.no_brace", {{"byte", std::to_string(begin)}, {"open", "{"}}) + other_kind(text));
  // nlohmann takes a byte 0 for the end of its input, and would not look at what follows.
  const std::size_t zero = json.find('\0');
  if (zero != std::string_view::npos)
    throw BadFile(file, say("safetensors.zero", {{"byte", std::to_string(begin + zero)}}));
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
