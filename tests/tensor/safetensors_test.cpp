// Good safetensors files: made by hand, byte by byte, and by our own writer.
#include "tensor/io/safetensors.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/limits.h"
#include "tensor/core/read.h"
#include "tensor/io/bad_file.h"
#include "tests/tensor/bad_file_rows.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

using Values = std::vector<double>;

std::string headed(const std::string& header, const std::string& data = "") {
  return little(header.size(), 8) + header + data;
}
std::shared_ptr<const BytesAt> text_bytes(std::string_view text) { return std::make_shared<TextBytes>("f", text); }

Tensor read_one(const std::string& type, const std::string& shape, const std::string& data) {
  const std::string bytes = headed(R"({"a":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":[0,)" +
                                       std::to_string(data.size()) + "]}}",
                                   data);
  const SafetensorsFile file(text_bytes(bytes));
  Tensor one = file.read(*file.find("a"));
  to_doubles(one);  // reads it, while the bytes are there
  return one;
}

/// The tests run more than once at the same time.
std::string own_name(std::string_view what) { return fmt::format("attn_{}_{}.safetensors", what, ::getpid()); }

// A large file is mapped: its tensors are of it without being copied, and a write goes to a copy.
TEST(Safetensors, tensors_of_a_mapped_file) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / own_name("mapped");
  Tensor first = Tensor::empty({1 << 18}, DType::Float32);
  for (std::int64_t i = 0; i < first.numel(); ++i) first.mutable_data<float>()[i] = static_cast<float>(i);
  std::ofstream(path, std::ios::binary) << safetensors_bytes({{"a", first}, {"b", first}});
  {
    const SafetensorsFile file(std::make_shared<FileBytes>(path.string()));
    Tensor a = file.read(*file.find("a"));
    const Tensor view = a.as_strided({2}, {1}, 5), again = file.read(*file.find("a")), b = file.read(*file.find("b"));
    a.mutable_data<float>()[6] = -1;
    std::ofstream(path, std::ios::binary) << "another file";
    EXPECT_EQ(to_doubles(view), (Values{5, -1}));
    EXPECT_EQ(to_doubles(again)[6], 6);
    if (b.storage().buffer->is_mapped()) EXPECT_EQ(to_doubles(b).back(), (1 << 18) - 1);
  }
  std::filesystem::remove(path);
}

TEST(Safetensors, reads_every_type) {
  struct Row {
    const char* type;
    const char* hex;
    DType dtype;
    Values expected;
  };
  const double inf = INFINITY;
  const std::vector<Row> rows = {
      {"BOOL", "00 01", DType::Bool, {0, 1}},
      {"U8", "00 ff", DType::UInt8, {0, 255}},
      {"I8", "7f 80", DType::Int8, {127, -128}},
      {"I16", "0100 0080", DType::Int16, {1, -32768}},
      {"I32", "ffffff7f 00000080", DType::Int32, {2147483647, -2147483648.0}},
      {"I64", "0100000000000000 ffx8", DType::Int64, {1, -1}},
      {"F16", "003c 0100", DType::Float16, {1, 0x1p-24}},
      {"F16", "ff7b 00fc", DType::Float16, {65504, -inf}},
      {"BF16", "803f 49c0", DType::BFloat16, {1, -3.140625}},
      {"BF16", "0100 807f", DType::BFloat16, {0x1p-133, inf}},
      {"F32", "0000803f 000020c0", DType::Float32, {1, -2.5}},
      {"F64", "000000000000f03f 000000000000f07f", DType::Float64, {1, inf}},
  };
  for (const Row& row : rows) {
    const Tensor x = read_one(row.type, "[2]", from_hex(row.hex));
    EXPECT_EQ(x.dtype(), row.dtype) << row.type;
    EXPECT_EQ(to_doubles(x), row.expected) << row.type << " " << row.hex;
  }
  EXPECT_TRUE(std::isnan(to_doubles(read_one("BF16", "[1]", from_hex("c07f")))[0]));
}

TEST(Safetensors, shapes) {
  EXPECT_EQ(read_one("U8", "[]", "\7").shape(), Shape{});
  EXPECT_EQ(read_one("U8", "[0]", "").shape(), Shape{0});
  EXPECT_EQ(read_one("U8", "[3,0,5]", "").shape(), (Shape{3, 0, 5}));
  EXPECT_EQ(tensor_repr(read_one("I32", "[2,2]", from_hex("01000000 02000000 03000000 04000000"))),
            "tensor([[1, 2],\n        [3, 4]], dtype=torch.int32)");
}

TEST(Safetensors, header_by_hand) {
  // Blanks, the tensors not in the order of the data, empty ones between, metadata, names of any kind.
  const std::string bytes = headed(
      "{ \"b.weight\" : {\"shape\":[1],\"dtype\":\"I64\",\"data_offsets\":[2,10]},\n"
      "\"empty\":{\"dtype\":\"F32\",\"shape\":[0,4],\"data_offsets\":[2,2]},"
      "\"\\uac00 \xf0\x9f\x98\x80\":{\"data_offsets\":[0,2],\"dtype\":\"U8\",\"shape\":[2]},"
      "\"__metadata__\":{\"format\":\"pt\",\"\":\"\"},"
      "\"odd\":{\"dtype\":\"F8_E4M3\",\"shape\":[3],\"data_offsets\":[10,13]}}   ",
      from_hex("0708 2a 00x7 010203"));
  const SafetensorsFile file(text_bytes(bytes));
  std::string names;
  for (const StoredTensor& tensor : file.tensors()) names += tensor.name + "|" + tensor.type + shape_text(tensor.shape);
  EXPECT_EQ(names, "b.weight|I64[1]empty|F32[0, 4]\xea\xb0\x80 \xf0\x9f\x98\x80|U8[2]odd|F8_E4M3[3]");
  EXPECT_EQ(file.metadata(), (std::vector<std::pair<std::string, std::string>>{{"format", "pt"}, {"", ""}}));
  EXPECT_EQ(to_doubles(file.read(*file.find("b.weight"))), Values{42});
  EXPECT_EQ(to_doubles(file.read(*file.find("\xea\xb0\x80 \xf0\x9f\x98\x80"))), (Values{7, 8}));
  EXPECT_EQ(file.find("a"), nullptr);
  EXPECT_EQ(file.find("__metadata__"), nullptr);
  EXPECT_THROW(file.read(*file.find("odd")), BadFile);  // only now: the others could be read
}

TEST(Safetensors, nothing_in_it) {
  EXPECT_TRUE(SafetensorsFile(text_bytes(headed("{}"))).tensors().empty());
  EXPECT_TRUE(SafetensorsFile(text_bytes(headed("{\"__metadata__\":{}}    "))).tensors().empty());
}

TEST(Safetensors, reads_what_the_writer_wrote) {
  TensorsByName tensors = {{"half", counting({2, 3}, DType::Float16)},
                           {"brain", counting({5}, DType::BFloat16)},
                           {"float", floats({1.5F, -0.0F, INFINITY, NAN}, {2, 2})},
                           {"double", doubles({0.1, 1e300}, {2, 1})},
                           {"flag", bools({true, false, true}, {3})},
                           {"none", counting({0, 7})},
                           {"turned", counting({2, 3}).as_strided({3, 2}, {1, 3}, 0)},
                           {"long", ints({INT64_MAX, INT64_MIN}, {2})}};
  for (const DType type : {DType::UInt8, DType::Int8, DType::Int16, DType::Int32})
    tensors.emplace_back(name_of(type), counting({4}, type));
  const std::string bytes = safetensors_bytes(tensors, {{"format", "pt"}});
  const SafetensorsFile file(text_bytes(bytes));
  ASSERT_EQ(file.tensors().size(), tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(file.tensors()[i].name, tensors[i].first);
    const Tensor back = file.read(file.tensors()[i]);
    EXPECT_EQ(tensor_repr(back), tensor_repr(tensors[i].second)) << tensors[i].first;
  }
  EXPECT_TRUE(std::signbit(to_doubles(file.read(*file.find("float")))[1]));
  EXPECT_EQ(file.metadata().at(0).second, "pt");
}

TEST(Safetensors, longest_header) {
  std::string header = "{\"__metadata__\":{\"a\":\"";
  header += std::string((std::size_t{16} << 20) - header.size() - 3, 'x') + "\"}}";
  EXPECT_EQ(SafetensorsFile(text_bytes(headed(header))).metadata().size(), 1u);
  EXPECT_THROW(SafetensorsFile(text_bytes(headed(header + " "))), BadFile);
}

/// Text of which it is noted how much was read.
struct CountedBytes : TextBytes {
  using TextBytes::TextBytes;
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override {
    count += bytes.size();
    TextBytes::read_at(offset, bytes);
  }
  mutable std::size_t count = 0;
};

TEST(Safetensors, a_tensor_is_read_when_it_is_looked_at) {
  const std::string bytes =
      safetensors_bytes({{"a", counting({100, 10})}, {"b", counting({50})}, {"c", bools({true}, {1})}});
  const auto counted = std::make_shared<CountedBytes>("f", bytes);
  Tensor a, b, rows;
  {
    const SafetensorsFile file(counted);
    counted->count = 0;
    a = file.read(*file.find("a"));
    b = file.read(*file.find("b"));
    rows = file.read_rows(*file.find("a"), 3, 5);
  }
  const Tensor kept = b.snapshot(), view = b.as_strided({2}, {25}, 0);
  EXPECT_EQ(counted->count, 0u) << "shapes and views need no elements";
  EXPECT_EQ(rows.shape(), (Shape{2, 10}));
  EXPECT_EQ(to_doubles(rows)[0], 30);
  EXPECT_EQ(counted->count, 2u * 10 * 4);
  *b.mutable_data<float>() = 7;
  EXPECT_EQ(to_doubles(view), (Values{7, 25}));
  EXPECT_EQ(to_doubles(kept)[0], 0);
  EXPECT_EQ(counted->count, 2u * 10 * 4 + 50 * 4) << "once, though a snapshot shares it";
}

TEST(Safetensors, what_cannot_be_read_is_told_each_time_it_is_looked_at) {
  const std::string bytes = headed(R"({"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})", "\2");
  const std::int64_t memory = live_memory();
  {
    const SafetensorsFile file(text_bytes(bytes));
    const Tensor a = file.read(*file.find("a"));
    EXPECT_THROW(a.data<bool>(), BadFile);
    EXPECT_THROW(a.data<bool>(), BadFile);
  }
  EXPECT_EQ(live_memory(), memory);
}

// A file of 1 TB, of which nearly all is a hole on the disk: only what is asked for may be read.
TEST(Safetensors, file_larger_than_memory) {
  const std::uint64_t size = std::uint64_t{1} << 40;
  const std::string path = (std::filesystem::temp_directory_path() / own_name("large")).string();
  const std::string header = R"({"large":{"dtype":"U8","shape":[)" + std::to_string(size - 4) +
                             R"(],"data_offsets":[4,)" + std::to_string(size) +
                             R"(]},"small":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  std::ofstream(path, std::ios::binary) << headed(header, from_hex("0000c03f"));
  std::error_code refused;
  std::filesystem::resize_file(path, 8 + header.size() + size, refused);
  if (!refused) {
    const SafetensorsFile file(std::make_shared<FileBytes>(path));
    EXPECT_EQ(to_doubles(file.read(*file.find("small"))), Values{1.5});
    const Tensor large = file.read(*file.find("large"));
    EXPECT_EQ(large.shape(), Shape{static_cast<std::int64_t>(size - 4)});
    EXPECT_THROW(large.data<std::int64_t>(), LimitReached);
    EXPECT_EQ(to_doubles(file.read_rows(*file.find("large"), 5, 8)), (Values{0, 0, 0}));
  }
  std::filesystem::remove(path);
  if (refused) GTEST_SKIP() << "no file of this size can be made here";
}

}  // namespace
}  // namespace attn
