// Good .npy files: some that numpy 1.24 wrote, some made by hand. What must be refused is in npy_bad_test.cpp.
#include "tensor/io/npy.h"

#include <cmath>

#include "base/limits.h"
#include "tensor/core/read.h"
#include "tests/tensor/bad_file_rows.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

struct GoodRow {
  const char* code;  // of numpy
  const char* hex;
  const char* expected;  // print(torch.from_numpy(...)), the type and the shape
};

// The headers are as np.lib.format.write_array() made them, the blanks counted.
const GoodRow kByNumpy[] = {
    {"np.arange(6, dtype='<f4').reshape(2, 3) / 2",
     "934e554d5059010076007b276465736372273a20273c6634272c2027666f727472616e5f6f72646572273a2046616c73652c2027736861"
     "7065273a2028322c2033292c207d 20x58 0a 000000000000003f0000803f0000c03f0000004000002040",
     "float32 [2, 3] 0 0.5 1 1.5 2 2.5"},
    {"np.asfortranarray(np.arange(6, dtype='<f8').reshape(2, 3))",
     "934e554d5059010076007b276465736372273a20273c6638272c2027666f727472616e5f6f72646572273a20547275652c202773686170"
     "65273a2028322c2033292c207d 20x59 0a 00000000000000000000000000000840000000000000f03f000000000000104000000000"
     "000000400000000000001440",
     "float64 [2, 3] 0 1 2 3 4 5"},
    {"np.asfortranarray(np.arange(8, dtype='<i4').reshape(2, 2, 2))",
     "934e554d5059010076007b276465736372273a20273c6934272c2027666f727472616e5f6f72646572273a20547275652c202773686170"
     "65273a2028322c20322c2032292c207d 20x56 0a 0000000004000000020000000600000001000000050000000300000007000000",
     "int32 [2, 2, 2] 0 1 2 3 4 5 6 7"},
    {"np.array([True, False, True])",
     "934e554d5059010076007b276465736372273a20277c6231272c2027666f727472616e5f6f72646572273a2046616c73652c2027736861"
     "7065273a2028332c292c207d 20x60 0a 010001",
     "bool [3] 1 0 1"},
    {"np.array(-5, dtype='<i8')",
     "934e554d5059010076007b276465736372273a20273c6938272c2027666f727472616e5f6f72646572273a2046616c73652c2027736861"
     "7065273a2028292c207d 20x62 0a fbffffffffffffff",
     "int64 [] -5"},
    {"np.array([[1, -2]], dtype='<i4'), version=(2, 0)",
     "934e554d50590200740000007b276465736372273a20273c6934272c2027666f727472616e5f6f72646572273a2046616c73652c202773"
     "68617065273a2028312c2032292c207d 20x56 0a 01000000feffffff",
     "int32 [1, 2] 1 -2"},
    {"np.array([1, 255], dtype='u1'), version=(3, 0)",
     "934e554d50590300740000007b276465736372273a20277c7531272c2027666f727472616e5f6f72646572273a2046616c73652c202773"
     "68617065273a2028322c292c207d 20x58 0a 01ff",
     "uint8 [2] 1 255"},
    {"np.array([1, -0.5, 65504, 2**-24, np.inf, -np.inf, 0.333], dtype='<f2')",
     "934e554d5059010076007b276465736372273a20273c6632272c2027666f727472616e5f6f72646572273a2046616c73652c2027736861"
     "7065273a2028372c292c207d 20x60 0a 003c00b8ff7b0100007c00fc5435",
     "float16 [7] 1 -0.5 65504 5.9604644775390625e-08 inf -inf 0.3330078125"},
    {"np.zeros((2, 0, 3), dtype='<f4')",
     "934e554d5059010076007b276465736372273a20273c6634272c2027666f727472616e5f6f72646572273a2046616c73652c2027736861"
     "7065273a2028322c20302c2033292c207d 20x55 0a",
     "float32 [2, 0, 3]"},
};

std::string text_of(const Tensor& x) {
  std::string text = std::string(short_name(x.dtype())) + " " + shape_text(x.shape());
  for (const double value : to_doubles(x)) {
    char digits[40];
    std::snprintf(digits, sizeof digits, " %.17g", value);
    text += digits;
  }
  return text;
}

std::string read_text(const std::string& bytes) { return text_of(read_npy(TextBytes("f", bytes))); }

std::string with_header(const std::string& header, const std::string& data) {
  return "\x93NUMPY" + little(1, 2) + little(header.size(), 2) + header + data;
}

TEST(Npy, reads_what_numpy_wrote) {
  for (const GoodRow& row : kByNumpy) {
    const std::string bytes = from_hex(row.hex);
    EXPECT_EQ(bytes.size() % 64, bytes.size() - 128) << row.code;  // the header is filled up to 128 bytes
    EXPECT_EQ(read_text(bytes), row.expected) << row.code;
  }
}

TEST(Npy, headers_may_be_written_otherwise) {
  const std::string data = from_hex("0100 feff");
  for (const char* header : {"{'descr': '<i2', 'fortran_order': False, 'shape': (2,)}\n",
                             "{\"shape\":(2,),\"fortran_order\":False,\"descr\":\"<i2\"}\n",
                             "{ 'fortran_order' : True , 'descr' : '<i2' , 'shape' : ( 2 , ) , }  \n\n",
                             "{'descr': '<i2', 'fortran_order': False, 'shape': (2L,), }\n"})
    EXPECT_EQ(read_text(with_header(header, data)), "int16 [2] 1 -2") << header;
  const char* one = "{'descr': '<i1', 'fortran_order': False, 'shape': (1, 2,), }\n";
  EXPECT_EQ(read_text(with_header(one, "\x7f\x80")), "int8 [1, 2] 127 -128");
}

TEST(Npy, every_half_is_what_its_bits_say) {
  std::string data;
  for (std::uint64_t bits = 0; bits < 65536; ++bits) data += little(bits, 2);
  const std::string bytes = with_header("{'descr': '<f2', 'fortran_order': False, 'shape': (65536,), }\n", data);
  const Tensor x = read_npy(TextBytes("f", bytes));
  for (int bits = 0; bits < 65536; ++bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double expected = exponent ? std::pow(2.0, exponent - 15) * (1 + fraction / 1024.0) : fraction * std::pow(2.0, -24);
    if (exponent == 31) expected = fraction ? NAN : INFINITY;
    if (bits & 0x8000) expected = -expected;
    const float got = x.data<float>()[bits];
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(got)) << bits;
    } else {
      EXPECT_EQ(got, static_cast<float>(expected)) << bits;
      EXPECT_EQ(std::signbit(got), std::signbit(expected)) << bits;
    }
  }
}

// More elements than one block holds.
TEST(Npy, reads_in_blocks) {
  constexpr std::int64_t kCount = 300'000;
  std::string data;
  for (std::uint64_t i = 0; i < kCount; ++i) data += little(i, 4);
  const std::string bytes = with_header("{'descr': '<i4', 'fortran_order': False, 'shape': (300000,), }\n", data);
  const Tensor x = read_npy(TextBytes("f", bytes));
  for (std::int64_t i = 0; i < kCount; ++i) ASSERT_EQ(x.data<std::int64_t>()[i], i);
}

TEST(Npy, memory_is_limited) {
  Limits limits;
  limits.max_memory = 1000;
  const LimitScope scope(limits);
  const std::string bytes =
      with_header("{'descr': '|u1', 'fortran_order': False, 'shape': (1000,), }\n", zeros_of(1000));
  EXPECT_THROW(read_npy(TextBytes("f", bytes)), LimitReached);  // in memory an integer takes 8 bytes
}

}  // namespace
}  // namespace attn
