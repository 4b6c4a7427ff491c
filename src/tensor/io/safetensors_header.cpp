#include "tensor/io/safetensors_header.h"

#include <algorithm>
#include <iterator>

#include "tensor/io/bad_file.h"
#include "tensor/io/safetensors_json.h"

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
