#pragma once
// Safetensors files that must be refused, each with its sentence. The command line is held to them as well.
#include "tests/tensor/bad_file_rows.h"

namespace attn::bad_safetensors {

/// The header begins at byte 8.
inline std::string headed(const std::string& header, std::size_t data = 0) {
  return little(header.size(), 8) + header + zeros_of(data);
}
/// One tensor `a` (its first key begins at byte 14), with 8 bytes of data.
inline std::string one(const std::string& keys) { return headed("{\"a\":{" + keys + "}}", 8); }
inline std::string shaped(const std::string& shape) {
  return one(R"("dtype":"F32","data_offsets":[0,8],"shape":)" + shape);
}
inline std::string placed(const std::string& offsets) {
  return one(R"("dtype":"F32","shape":[2],"data_offsets":)" + offsets);
}
inline std::string typed(const std::string& type, const std::string& shape = "[2]") {
  return one(R"("shape":)" + shape + R"(,"data_offsets":[0,8],"dtype":)" + type);
}
/// Tensors a, b, c ... of bytes, with these offsets each.
inline std::string bytes_at(const std::vector<std::pair<int, int>>& places, std::size_t data) {
  std::string header = "{";
  char name = 'a';
  for (const auto& [begin, end] : places)
    header += (header.size() > 1 ? "," : "") + ("\"" + std::string(1, name++)) + R"(":{"dtype":"U8","shape":[)" +
              std::to_string(end - begin) + R"(],"data_offsets":[)" + std::to_string(begin) + "," +
              std::to_string(end) + "]}";
  return headed(header + "}", data);
}
inline std::string with_metadata(const std::string& metadata) { return headed("{\"__metadata__\":" + metadata + "}"); }

inline const std::string kNumbers = ", but its numbers are whole and from 0 to 2**64 - 1";
inline const std::string kKeys = " is not one of dtype, shape and data_offsets";
inline const std::string kKnown = " is not known here; known are BOOL, U8, I8, I16, I32, I64, F16, BF16, F32 and F64";
inline const std::string kTooLong = " bytes, more than the allowed 16,777,216 bytes";

// clang-format off
inline const std::vector<BadFileRow> kLengths = {
    {"empty", "", "the file ends after 0 bytes, within the length of the header (bytes 0 to 7)"},
    {"a byte", "x", "the file ends after 1 byte, within the length of the header (bytes 0 to 7)"},
    {"seven bytes", zeros_of(7), "the file ends after 7 bytes, within the length of the header (bytes 0 to 7)"},
    {"length 0", zeros_of(8), "byte 0: the header claims 0 bytes, but the shortest header is {}"},
    {"length 1", headed("{"), "byte 0: the header claims 1 byte, but the shortest header is {}"},
    {"longer than the file", little(3, 8) + "{}", "byte 0: the header claims 3 bytes, but the file has only 2 bytes after byte 7"},
    {"length without header", little(2, 8), "byte 0: the header claims 2 bytes, but the file has only 0 bytes after byte 7"},
    {"longest length, short file", little(16777216, 8) + "{}", "byte 0: the header claims 16,777,216 bytes, but the file has only 2 bytes after byte 7"},
    {"over 16 MiB", little(16777217, 8) + "{}", "byte 0: the header claims 16,777,217" + kTooLong},
    {"2**63", little(std::uint64_t{1} << 63, 8) + "{}", "byte 0: the header claims 9,223,372,036,854,775,808" + kTooLong},
    {"2**64 - 1", little(UINT64_MAX, 8) + "{}", "byte 0: the header claims 18,446,744,073,709,551,615" + kTooLong},
    {"big-endian length", from_hex("00x7 02 7b7d"), "byte 0: the header claims 144,115,188,075,855,872" + kTooLong},
    {"zip archive", from_hex("504b0304 14 00x30"), "byte 0: the header claims 85,966,670,672" + kTooLong + "; it starts like a zip archive: an .npz, or what torch.save() wrote, which holds a pickle, and reading a pickle may run code"},
    {"pickle", from_hex("80027d71 00 58 01 00x30"), "byte 0: the header claims 378,233,903,972,992" + kTooLong + "; it starts like a pickle, and reading a pickle may run code"},
    {"Git LFS", "version https://git-lfs.github.com/spec/v1\n", "byte 0: the header claims 2,336,927,755,350,992,246" + kTooLong + "; Git LFS left this in place of the file: run `git lfs pull`"},
    {"npy", from_hex("934e554d5059 01 00 76 00x30"), "byte 0: the header claims 379,676,406,402,707" + kTooLong + "; it starts like an .npy file"},
    {"GGUF", from_hex("47475546 03 00x30"), "byte 0: the header claims 14,064,895,815" + kTooLong + "; it starts like a GGUF file"},
    {"web page", "<!DOCTYPE html>", "byte 0: the header claims 5,789,751,444,030,890,300" + kTooLong + "; it starts like a web page"},
    {"HDF5", from_hex("894844460d0a1a0a 00x30"), "byte 0: the header claims 727,905,341,903,489,161" + kTooLong + "; it starts like an HDF5 file"},
    {"JSON without its length", R"({"a":{"dtype":"F32"}})", "byte 0: the header claims 7,215,465,042,616,066,683" + kTooLong},
};

inline const std::vector<BadFileRow> kJson = {
    {"a list", headed("[]"), "byte 8: the header does not begin with {"},
    {"a blank first", headed(" {}"), "byte 8: the header does not begin with {"},
    {"byte order mark", headed("\xef\xbb\xbf{}"), "byte 8: the header does not begin with {"},
    {"text", headed("header"), "byte 8: the header does not begin with {"},
    {"number", headed("12"), "byte 8: the header does not begin with {"},
    {"filled with bytes 0", little(8, 8) + "{}" + zeros_of(6), "byte 10: the header holds a byte 0, which JSON does not allow"},
    {"byte 0 and more behind", little(4, 8) + "{}" + zeros_of(1) + "x", "byte 10: the header holds a byte 0, which JSON does not allow"},
    {"byte 0 in a key", little(8, 8) + "{\"" + zeros_of(1) + "\":{}}", "byte 10: the header holds a byte 0, which JSON does not allow"},
    {"open", headed("{ "), "the header is not complete JSON: it ends at byte 9"},
    {"open string", headed("{\"abc"), "the header is not complete JSON: it ends at byte 12"},
    {"open tensor", headed(R"({"a":{)"), "the header is not complete JSON: it ends at byte 13"},
    {"open list", headed(R"({"a":{"shape":[1)"), "the header is not complete JSON: it ends at byte 23"},
    {"cut word", headed(R"({"a":tru)"), "the header is not complete JSON: it ends at byte 15"},
    {"two objects", headed("{}{}"), "byte 10: here the header stops being JSON"},
    {"text behind", headed("{} x"), "byte 11: here the header stops being JSON"},
    {"one bracket too many", headed("{}}"), "byte 10: here the header stops being JSON"},
    {"wrong bracket", headed("{]"), "byte 9: here the header stops being JSON"},
    {"comma at the end", headed(R"({"__metadata__":{},})"), "byte 27: here the header stops being JSON"},
    {"no colon", headed(R"({"a" {}})"), "byte 13: here the header stops being JSON"},
    {"no comma", headed(R"({"__metadata__":{"a":"b" "c":"d"}})"), "byte 35: here the header stops being JSON"},
    {"number as key", headed("{1:2}"), "byte 9: here the header stops being JSON"},
    {"Python's quotes", headed("{'a':1}"), "byte 9: here the header stops being JSON"},
    {"comment", headed("{/**/}"), "byte 9: here the header stops being JSON"},
    {"NaN", headed(R"({"a":NaN})"), "byte 13: here the header stops being JSON"},
    {"wrong escape", headed(R"({"\x":1})"), "byte 11: here the header stops being JSON"},
    {"half a surrogate pair", headed(R"({"\ud800":1})"), "byte 16: here the header stops being JSON"},
    {"line end in a key", headed("{\"a\nb\":1}"), "byte 11: here the header stops being JSON"},
    {"no UTF-8", headed("{\"a\xff\":1}"), "byte 11: here the header stops being JSON"},
    {"surrogate as UTF-8", headed("{\"\xed\xa0\x80\":1}"), "byte 11: here the header stops being JSON"},
    {"overlong UTF-8", headed("{\"\xc0\x80\":1}"), "byte 10: here the header stops being JSON"},
    {"leading zero", shaped("[02]"), "byte 59: here the header stops being JSON"},
    {"plus", shaped("[+2]"), "byte 58: here the header stops being JSON"},
    {"hexadecimal", shaped("[0x2]"), "byte 59: here the header stops being JSON"},
    {"comma in a list", shaped("[2,]"), "byte 60: here the header stops being JSON"},
};

inline const std::vector<BadFileRow> kKinds = {
    {"tensor null", headed(R"({"a":null})"), "tensor \"a\" is null, not an object"},
    {"tensor true", headed(R"({"a":true})"), "tensor \"a\" is true, not an object"},
    {"tensor a number", headed(R"({"a":1})"), "tensor \"a\" is a number, not an object"},
    {"tensor a negative number", headed(R"({"a":-1})"), "tensor \"a\" is a number, not an object"},
    {"tensor a float", headed(R"({"a":1.5})"), "tensor \"a\" is a number, not an object"},
    {"tensor a string", headed(R"({"a":"F32"})"), "tensor \"a\" is a string, not an object"},
    {"tensor a list", headed(R"({"a":[1]})"), "tensor \"a\" is a list, not an object"},
    {"tensor twice", headed(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{}})"), "the header has the key \"a\" twice"},
    {"tensor twice by an escape", headed(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"\u0061":{}})"), "the header has the key \"a\" twice"},
    {"metadata twice", headed(R"({"__metadata__":{},"__metadata__":{}})"), "the header has the key \"__metadata__\" twice"},
    {"metadata null", with_metadata("null"), "\"__metadata__\" is null, not an object"},
    {"metadata a list", with_metadata("[]"), "\"__metadata__\" is a list, not an object"},
    {"metadata a string", with_metadata("\"pt\""), "\"__metadata__\" is a string, not an object"},
    {"metadata with a number", with_metadata(R"({"step":3})"), "\"__metadata__\": \"step\" is a number, not a string"},
    {"metadata with a float", with_metadata(R"({"step":3.5})"), "\"__metadata__\": \"step\" is a number, not a string"},
    {"metadata with false", with_metadata(R"({"tied":false})"), "\"__metadata__\": \"tied\" is false, not a string"},
    {"metadata with null", with_metadata(R"({"x":null})"), "\"__metadata__\": \"x\" is null, not a string"},
    {"metadata with a list", with_metadata(R"({"x":[]})"), "\"__metadata__\": \"x\" is a list, not a string"},
    {"metadata with an object", with_metadata(R"({"x":{}})"), "\"__metadata__\": \"x\" is an object, not a string"},
    {"metadata key twice", with_metadata(R"({"x":"1","x":"2"})"), "\"__metadata__\": the key \"x\" is there twice"},
    {"no keys", one(""), "tensor \"a\": it has no key \"dtype\""},
    {"no dtype", one(R"("shape":[2],"data_offsets":[0,8])"), "tensor \"a\": it has no key \"dtype\""},
    {"no shape", one(R"("dtype":"F32","data_offsets":[0,8])"), "tensor \"a\": it has no key \"shape\""},
    {"no data_offsets", one(R"("dtype":"F32","shape":[2])"), "tensor \"a\": it has no key \"data_offsets\""},
    {"dtype twice", one(R"("dtype":"F32","dtype":"F32")"), "tensor \"a\": the key \"dtype\" is there twice"},
    {"shape twice", one(R"("shape":[2],"shape":[2])"), "tensor \"a\": the key \"shape\" is there twice"},
    {"data_offsets twice", one(R"("data_offsets":[0,8],"data_offsets":[0,8])"), "tensor \"a\": the key \"data_offsets\" is there twice"},
    {"other key", one(R"("stride":[1])"), "tensor \"a\": the key \"stride\"" + kKeys},
    {"key with a capital", one(R"("Dtype":"F32")"), "tensor \"a\": the key \"Dtype\"" + kKeys},
    {"empty key", one(R"("":1)"), "tensor \"a\": the key \"\"" + kKeys},
    {"__metadata__ of a tensor", one(R"("__metadata__":{})"), "tensor \"a\": the key \"__metadata__\"" + kKeys},
    {"dtype a number", typed("32"), "tensor \"a\": \"dtype\" is a number, not a string"},
    {"dtype null", typed("null"), "tensor \"a\": \"dtype\" is null, not a string"},
    {"dtype a list", typed("[\"F32\"]"), "tensor \"a\": \"dtype\" is a list, not a string"},
    {"dtype an object", typed("{}"), "tensor \"a\": \"dtype\" is an object, not a string"},
    {"shape a number", shaped("2"), "tensor \"a\": \"shape\" is a number, not a list"},
    {"shape null", shaped("null"), "tensor \"a\": \"shape\" is null, not a list"},
    {"shape a string", shaped("\"2\""), "tensor \"a\": \"shape\" is a string, not a list"},
    {"shape an object", shaped("{}"), "tensor \"a\": \"shape\" is an object, not a list"},
    {"size a string", shaped("[\"2\"]"), "tensor \"a\": \"shape\" holds a string, not only whole numbers"},
    {"size null", shaped("[null]"), "tensor \"a\": \"shape\" holds null, not only whole numbers"},
    {"size true", shaped("[2,true]"), "tensor \"a\": \"shape\" holds true, not only whole numbers"},
    {"list in the shape", shaped("[[2]]"), "tensor \"a\": \"shape\" holds a list, not only whole numbers"},
    {"object in the shape", shaped("[{}]"), "tensor \"a\": \"shape\" holds an object, not only whole numbers"},
    {"a thousand lists", shaped(std::string(1000, '[')), "tensor \"a\": \"shape\" holds a list, not only whole numbers"},
    {"negative size", shaped("[-2]"), "tensor \"a\": \"shape\" holds -2" + kNumbers},
    {"float size", shaped("[2.0]"), "tensor \"a\": \"shape\" holds 2.0" + kNumbers},
    {"exponent", shaped("[2e0]"), "tensor \"a\": \"shape\" holds 2e0" + kNumbers},
    {"size 2**64", shaped("[18446744073709551616]"), "tensor \"a\": \"shape\" holds 18446744073709551616" + kNumbers},
    {"size of 60 digits", shaped("[" + std::string(60, '7') + "]"), "tensor \"a\": \"shape\" holds " + std::string(39, '7') + "…" + kNumbers},
    {"size 2**63", shaped("[9223372036854775808]"), "tensor \"a\": \"shape\" has the size 9223372036854775808, more than 2**63 - 1"},
    {"offsets a number", placed("8"), "tensor \"a\": \"data_offsets\" is a number, not a list"},
    {"offsets an object", placed("{}"), "tensor \"a\": \"data_offsets\" is an object, not a list"},
    {"no offsets", placed("[]"), "tensor \"a\": \"data_offsets\" are not two numbers"},
    {"one offset", placed("[0]"), "tensor \"a\": \"data_offsets\" are not two numbers"},
    {"three offsets", placed("[0,4,8]"), "tensor \"a\": \"data_offsets\" has more than two numbers"},
    {"negative offset", placed("[-8,0]"), "tensor \"a\": \"data_offsets\" holds -8" + kNumbers},
    {"float offset", placed("[0,8.0]"), "tensor \"a\": \"data_offsets\" holds 8.0" + kNumbers},
    {"offset null", placed("[0,null]"), "tensor \"a\": \"data_offsets\" holds null, not only whole numbers"},
    {"offset 2**64", placed("[0,18446744073709551616]"), "tensor \"a\": \"data_offsets\" holds 18446744073709551616" + kNumbers},
    {"offsets turned around", placed("[8,0]"), "tensor \"a\": \"data_offsets\" end at 0, before they begin at 8"},
    {"escape sequence of a terminal in a name", headed("{\"\\u001b[2J\":1}"), "tensor \"␛[2J\" is a number, not an object"},
    {"right-to-left override in a name", headed("{\"a\\u202eb\":1}"), "tensor \"a<U+202E>b\" is a number, not an object"},
    {"empty name", headed("{\"\":1}"), "tensor \"\" is a number, not an object"},
    {"long name", headed("{\"" + std::string(5000, 'n') + "\":1}"), "tensor \"" + std::string(59, 'n') + "…\" is a number, not an object"},
};

inline std::string many_axes(int count) {
  std::string text = "[2";
  for (int i = 1; i < count; ++i) text += ",1";
  return text + "]";
}

inline const std::vector<BadFileRow> kPlaces = {
    {"65 axes", shaped(many_axes(65)), "tensor \"a\": \"shape\" has more than 64 sizes"},
    {"shape too small", shaped("[1]"), "tensor \"a\": \"shape\" is [1] of F32, 4 bytes, but \"data_offsets\" leave 8 bytes"},
    {"shape too large", shaped("[3]"), "tensor \"a\": \"shape\" is [3] of F32, 12 bytes, but \"data_offsets\" leave 8 bytes"},
    {"scalar", shaped("[]"), "tensor \"a\": \"shape\" is [] of F32, 4 bytes, but \"data_offsets\" leave 8 bytes"},
    {"empty shape with data", shaped("[0]"), "tensor \"a\": \"shape\" is [0] of F32, 0 bytes, but \"data_offsets\" leave 8 bytes"},
    {"wider type", typed("\"F64\""), "tensor \"a\": \"shape\" is [2] of F64, 16 bytes, but \"data_offsets\" leave 8 bytes"},
    {"narrower type", typed("\"BF16\""), "tensor \"a\": \"shape\" is [2] of BF16, 4 bytes, but \"data_offsets\" leave 8 bytes"},
    {"unknown type of known size", typed("\"U16\""), "tensor \"a\": \"shape\" is [2] of U16, 4 bytes, but \"data_offsets\" leave 8 bytes"},
    {"half a byte", typed("\"F4\"", "[17]"), "tensor \"a\": \"shape\" is [17] of F4, which is not a whole number of bytes, or too many"},
    {"bytes overflow", shaped("[9223372036854775807]"), "tensor \"a\": \"shape\" is [9223372036854775807] of F32, which is not a whole number of bytes, or too many"},
    {"product overflows", shaped("[4294967296,4294967296]"), "tensor \"a\": \"shape\" is [4294967296, 4294967296] of F32, more elements than any file can hold"},
    {"product wraps around to 2", shaped("[3,6148914691236517206]"), "tensor \"a\": \"shape\" is [3, 6148914691236517206] of F32, more elements than any file can hold"},
    {"overflow beside a 0", shaped("[0,4294967296,4294967296]"), "tensor \"a\": \"shape\" is [0, 4294967296, 4294967296] of F32, more elements than any file can hold"},
    {"no data", bytes_at({{0, 4}}, 0), "tensor \"a\": it ends at byte 4 of the data, which has only 0 bytes"},
    {"data cut by a byte", bytes_at({{0, 4}, {4, 8}}, 7), "tensor \"b\": it ends at byte 8 of the data, which has only 7 bytes"},
    {"end at 2**64 - 1", headed(R"({"a":{"dtype":"X","shape":[],"data_offsets":[0,18446744073709551615]}})", 8), "tensor \"a\": it ends at byte 18446744073709551615 of the data, which has only 8 bytes"},
    {"a byte left over", bytes_at({{0, 4}}, 5), "1 byte left over after tensor \"a\""},
    {"data without tensors", headed("{}", 3), "3 bytes left over after the header"},
    {"data after an empty tensor", bytes_at({{0, 0}}, 2), "2 bytes left over after tensor \"a\""},
    {"hole at the start", bytes_at({{1, 4}}, 4), "tensor \"a\": it begins at byte 1 of the data, which leaves 1 byte unused after the header"},
    {"hole between", bytes_at({{0, 4}, {6, 8}}, 8), "tensor \"b\": it begins at byte 6 of the data, which leaves 2 bytes unused after tensor \"a\""},
    {"hole between, later tensor first", bytes_at({{6, 8}, {0, 4}}, 8), "tensor \"a\": it begins at byte 6 of the data, which leaves 2 bytes unused after tensor \"b\""},
    {"overlap by a byte", bytes_at({{0, 4}, {3, 8}}, 8), "tensor \"b\": it begins at byte 3 of the data, but tensor \"a\" ends at byte 4: they overlap"},
    {"the same place", bytes_at({{0, 4}, {0, 4}}, 4), "tensor \"b\": it begins at byte 0 of the data, but tensor \"a\" ends at byte 4: they overlap"},
    {"one within another", bytes_at({{0, 8}, {2, 4}}, 8), "tensor \"b\": it begins at byte 2 of the data, but tensor \"a\" ends at byte 8: they overlap"},
    {"empty one within another", bytes_at({{0, 8}, {4, 4}}, 8), "tensor \"b\": it begins at byte 4 of the data, but tensor \"a\" ends at byte 8: they overlap"},
    {"float8", typed("\"F8_E4M3\"", "[8]"), "tensor \"a\": its type \"F8_E4M3\"" + kKnown},
    {"float8, the other", typed("\"F8_E5M2\"", "[2,4]"), "tensor \"a\": its type \"F8_E5M2\"" + kKnown},
    {"float4", typed("\"F4\"", "[16]"), "tensor \"a\": its type \"F4\"" + kKnown},
    {"uint16", typed("\"U16\"", "[4]"), "tensor \"a\": its type \"U16\"" + kKnown},
    {"uint32", typed("\"U32\""), "tensor \"a\": its type \"U32\"" + kKnown},
    {"uint64", typed("\"U64\"", "[1]"), "tensor \"a\": its type \"U64\"" + kKnown},
    {"complex64", typed("\"C64\"", "[1]"), "tensor \"a\": its type \"C64\"" + kKnown},
    {"type that may come", typed("\"F128\""), "tensor \"a\": its type \"F128\"" + kKnown},
    {"type in small letters", typed("\"f32\""), "tensor \"a\": its type \"f32\"" + kKnown},
    {"numpy's type", typed("\"<f4\""), "tensor \"a\": its type \"<f4\"" + kKnown},
    {"no type", typed("\"\""), "tensor \"a\": its type \"\"" + kKnown},
    {"bool of 2", little(55, 8) + R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})" + "\1\2", "byte 64 is 2, but a bool is 0 or 1"},
};
// clang-format on

}  // namespace attn::bad_safetensors
