#include "base/sha256.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes)
    for (const int shift : {4, 0}) out += "0123456789abcdef"[(static_cast<unsigned char>(c) >> shift) & 15];
  return out;
}

// From FIPS 180-4's examples, and of lengths around the end of a block (sha256sum).
TEST(Sha256, GivesTheKnownDigests) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1000000, 'a'))), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4648, section 10.
TEST(Base64, PadsToFours) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\xfe\0", 3)), "//4A");
}

TEST(Base64, ComesBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(i * 37);
  }
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "====", "Z===", "Zm=v", "Zm9v\n", "Zm9-", "Zm\xc3\xa9",
                           "=Zg=", "Zh==", "Zm9="})  // the last two have bits that no byte takes
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace attn
