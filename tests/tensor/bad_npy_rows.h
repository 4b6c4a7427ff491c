#pragma once
// .npy files that must be refused, each with its sentence. The command line is held to them as well.
#include "tests/tensor/bad_file_rows.h"

namespace attn::bad_npy {

inline const std::string kMagic = "\x93NUMPY";
inline const std::string kPickle = "; it starts like a pickle, and reading a pickle may run code";
inline const std::string kNoNpy = "this is not an .npy file: its first six bytes are not \\x93NUMPY";
inline const std::string kKnown = "known are bool, uint8 to uint32, int8 to int64, float16, float32 and float64";
inline const std::string kObjects = "Python objects: they are stored as a pickle, and reading a pickle may run code";

/// Version 1.0 with that header, which begins at byte 10.
inline std::string headed(const std::string& header, const std::string& data = "") {
  return kMagic + little(1, 2) + little(header.size(), 2) + header + data;
}
inline std::string typed(const std::string& descr, const std::string& data = zeros_of(8)) {
  return headed("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,), }\n", data);
}
inline std::string shaped(const std::string& shape, const std::string& data = "") {
  return headed("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n", data);
}

// clang-format off
inline const std::vector<BadFileRow> kBeginnings = {
    {"empty", "", "the file ends after 0 bytes, within the magic word of .npy"},
    {"one byte", kMagic.substr(0, 1), "the file ends after 1 byte, within the magic word of .npy"},
    {"five bytes", kMagic.substr(0, 5), "the file ends after 5 bytes, within the magic word of .npy"},
    {"magic only", kMagic, "the file ends after 6 bytes, before the version (bytes 6 and 7)"},
    {"half a version", kMagic + "\1", "the file ends after 7 bytes, before the version (bytes 6 and 7)"},
    {"no length, 1.0", kMagic + little(1, 2), "the file ends after 8 bytes, before the header's length (bytes 8 to 9)"},
    {"half a length, 1.0", kMagic + little(1, 2) + "\x10", "the file ends after 9 bytes, before the header's length (bytes 8 to 9)"},
    {"no length, 2.0", kMagic + little(2, 2), "the file ends after 8 bytes, before the header's length (bytes 8 to 11)"},
    {"three quarters of a length, 2.0", kMagic + little(2, 2) + zeros_of(3), "the file ends after 11 bytes, before the header's length (bytes 8 to 11)"},
    {"two bytes of a length, 3.0", kMagic + little(3, 2) + zeros_of(2), "the file ends after 10 bytes, before the header's length (bytes 8 to 11)"},
    {"version 0.0", kMagic + zeros_of(20), "bytes 6 and 7: version 0.0 of .npy is not known, only 1.0, 2.0 and 3.0"},
    {"version 4.0", kMagic + "\4" + zeros_of(20), "bytes 6 and 7: version 4.0 of .npy is not known, only 1.0, 2.0 and 3.0"},
    {"version 1.1", kMagic + "\1\1" + zeros_of(20), "bytes 6 and 7: version 1.1 of .npy is not known, only 1.0, 2.0 and 3.0"},
    {"version 255.255", kMagic + "\xff\xff" + zeros_of(20), "bytes 6 and 7: version 255.255 of .npy is not known, only 1.0, 2.0 and 3.0"},
    {"no magic", "1 2 3\n4 5 6\n", kNoNpy},
    {"small letters", "\x93numpy" + little(1, 2) + zeros_of(20), kNoNpy},
    {"magic later", " " + kMagic + little(1, 2), kNoNpy},
    {"empty but for a line end", "\n", kNoNpy},
    {"zip archive", std::string("PK\x03\x04") + zeros_of(40), kNoNpy + "; it starts like a zip archive: an .npz, or what torch.save() wrote, which holds a pickle, and reading a pickle may run code"},
    {"pickle 2", "\x80\x02}q\1.", kNoNpy + kPickle},
    {"pickle 3", "\x80\x03}q\1.", kNoNpy + kPickle},
    {"pickle 4", "\x80\x04\x95\1", kNoNpy + kPickle},
    {"pickle 5", "\x80\x05\x95\1", kNoNpy + kPickle},
    {"Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", kNoNpy + "; Git LFS left this in place of the file: run `git lfs pull`"},
    {"HDF5", "\x89HDF\r\n\x1a\n", kNoNpy + "; it starts like an HDF5 file"},
    {"GGUF", std::string("GGUF") + little(3, 4), kNoNpy + "; it starts like a GGUF file"},
    {"web page", "<!DOCTYPE html><html></html>", kNoNpy + "; it starts like a web page"},
    {"page without doctype", "<html></html>", kNoNpy + "; it starts like a web page"},
    {"header over 10,000", kMagic + little(1, 2) + little(10'001, 2) + std::string(10'001, ' '), "byte 8: the header claims 10,001 bytes, more than the allowed 10,000 bytes"},
    {"header of 65,535", kMagic + little(1, 2) + little(65'535, 2), "byte 8: the header claims 65,535 bytes, more than the allowed 10,000 bytes"},
    {"header of 4 GiB", kMagic + little(2, 2) + little(0xffffffff, 4), "byte 8: the header claims 4,294,967,295 bytes, more than the allowed 10,000 bytes"},
    {"header cut by a byte", kMagic + little(1, 2) + little(58, 2) + std::string(57, ' '), "byte 8: the header claims 58 bytes, but the file has only 57 bytes after byte 9"},
    {"header cut off, 2.0", kMagic + little(2, 2) + little(10'000, 4), "byte 8: the header claims 10,000 bytes, but the file has only 0 bytes after byte 11"},
    {"header cut off, 3.0", kMagic + little(3, 2) + little(2, 4) + "{", "byte 8: the header claims 2 bytes, but the file has only 1 byte after byte 11"},
    {"no header", headed(""), "byte 9: the header does not end with a line end"},
    {"no line end", headed("{}"), "byte 11: the header does not end with a line end"},
    {"no line end, but data", headed("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "\n\n\n\n"), "byte 66: the header does not end with a line end"},
    {"blanks only", headed("   \n"), "byte 14: the header is a dict, which begins with {, but here is the end of the header"},
};

inline const std::vector<BadFileRow> kHeaders = {
    {"a list", headed("[1]\n"), "byte 10: the header is a dict, which begins with {, but here is \"[\""},
    {"bytes 0", headed(zeros_of(3) + "\n"), "byte 10: the header is a dict, which begins with {, but here is \"␀\""},
    {"empty dict", headed("{}\n"), "the header has no key \"descr\""},
    {"no fortran_order", headed("{'descr': '<f4', 'shape': (1,)}\n"), "the header has no key \"fortran_order\""},
    {"no shape", headed("{'descr': '<f4', 'fortran_order': False}\n"), "the header has no key \"shape\""},
    {"no descr", headed("{'fortran_order': False, 'shape': (1,)}\n"), "the header has no key \"descr\""},
    {"open dict", headed("{\n"), "byte 12: a key of the header is a string, but here is the end of the header"},
    {"dict open behind an entry", headed("{'descr': '<f4'\n"), "byte 26: a comma or } follows an entry of the header, but here is the end of the header"},
    {"dict open behind a comma", headed("{'descr': '<f4',\n"), "byte 27: a key of the header is a string, but here is the end of the header"},
    {"comma first", headed("{,}\n"), "byte 11: a key of the header is a string, but here is \",\""},
    {"two commas", headed("{'descr': '<f4',, }\n"), "byte 26: a key of the header is a string, but here is \",\""},
    {"no comma", headed("{'descr': '<f4' 'shape': ()}\n"), "byte 26: a comma or } follows an entry of the header, but here is \"'\""},
    {"no colon", headed("{'descr' '<f4'}\n"), "byte 19: a colon follows a key of the header, but here is \"'\""},
    {"bare key", headed("{descr: '<f4'}\n"), "byte 11: a key of the header is a string, but here is \"d\""},
    {"number as key", headed("{1: '<f4'}\n"), "byte 11: a key of the header is a string, but here is \"1\""},
    {"other key", headed("{'order': 'C'}\n"), "byte 11: the header has the key \"order\", but only descr, fortran_order and shape are its keys"},
    {"key with a capital", headed("{'Descr': 'C'}\n"), "byte 11: the header has the key \"Descr\", but only descr, fortran_order and shape are its keys"},
    {"empty key", headed("{'': 'C'}\n"), "byte 11: the header has the key \"\", but only descr, fortran_order and shape are its keys"},
    {"descr twice", headed("{'descr': '<f4', 'descr': '<f4'}\n"), "the header has the key \"descr\" twice"},
    {"fortran_order twice", headed("{'fortran_order': True, 'fortran_order': True}\n"), "the header has the key \"fortran_order\" twice"},
    {"shape twice", headed("{'shape': (), 'shape': ()}\n"), "the header has the key \"shape\" twice"},
    {"behind the dict", headed("{'descr': '<f4', 'fortran_order': False, 'shape': (0,)} x\n"), "byte 66: nothing but blanks follows the dict of the header, but here is \"x\""},
    {"two dicts", headed("{}{}\n"), "byte 12: nothing but blanks follows the dict of the header, but here is \"{\""},
    {"open string", headed("{'descr\n"), "byte 11: this string ends before the header does, but here is \"'\""},
    {"escape", headed("{'desc\\x72': 1}\n"), "byte 16: a string of the header has neither escapes nor line ends, but here is \"\\\""},
    {"line end in a string", headed("{'descr': '<f\n4'}\n"), "byte 23: a string of the header has neither escapes nor line ends, but here is \"\n\""},
    {"tab", headed("{\t'descr': '<f4'}\n"), "byte 11: a key of the header is a string, but here is \"\t\""},
    {"descr None", headed("{'descr': None}\n"), "byte 20: \"descr\" is a string, as '<f4', but here is \"N\""},
    {"descr a call", headed("{'descr': __import__('os').system('x')}\n"), "byte 20: \"descr\" is a string, as '<f4', but here is \"_\""},
    {"descr of bytes", headed("{'descr': b'<f4'}\n"), "byte 20: \"descr\" is a string, as '<f4', but here is \"b\""},
    {"records", headed("{'descr': [('a', '<f4'), ('b', '<i4')]}\n"), "\"descr\" is a list of fields, but arrays of records are not known here"},
    {"fortran_order 0", headed("{'fortran_order': 0}\n"), "byte 28: \"fortran_order\" is True or False, but here is \"0\""},
    {"fortran_order false", headed("{'fortran_order': false}\n"), "byte 28: \"fortran_order\" is True or False, but here is \"f\""},
    {"fortran_order a string", headed("{'fortran_order': 'False'}\n"), "byte 28: \"fortran_order\" is True or False, but here is \"'\""},
    {"Falsehood", headed("{'fortran_order': Falsehood}\n"), "byte 33: a comma or } follows an entry of the header, but here is \"h\""},
    {"shape a list", headed("{'shape': [2]}\n"), "byte 20: \"shape\" is a tuple, as (3, 4), but here is \"[\""},
    {"shape a number", headed("{'shape': 2}\n"), "byte 20: \"shape\" is a tuple, as (3, 4), but here is \"2\""},
    {"shape in brackets", headed("{'shape': (2)}\n"), "byte 22: a tuple of one size has a comma, as (3,), but here is \")\""},
    {"shape open", headed("{'shape': (2,\n"), "byte 24: a size is a whole number from 0, but here is the end of the header"},
    {"negative size", headed("{'shape': (2, -1)}\n"), "byte 24: a size is a whole number from 0, but here is \"-\""},
    {"plus", headed("{'shape': (+2,)}\n"), "byte 21: a size is a whole number from 0, but here is \"+\""},
    {"float size", headed("{'shape': (2.0,)}\n"), "byte 22: a comma or ) follows a size, but here is \".\""},
    {"exponent", headed("{'shape': (2e3,)}\n"), "byte 22: a comma or ) follows a size, but here is \"e\""},
    {"underscore", headed("{'shape': (2_0,)}\n"), "byte 22: a comma or ) follows a size, but here is \"_\""},
    {"hexadecimal", headed("{'shape': (0x2,)}\n"), "byte 22: a comma or ) follows a size, but here is \"x\""},
    {"sum", headed("{'shape': (1 + 1,)}\n"), "byte 23: a comma or ) follows a size, but here is \"+\""},
    {"leading zero", headed("{'shape': (02,)}\n"), "byte 21: a size does not begin with 0, but here is \"0\""},
    {"lone comma", headed("{'shape': (,)}\n"), "byte 21: a size is a whole number from 0, but here is \",\""},
    {"two commas in shape", headed("{'shape': (1,,2)}\n"), "byte 23: a size is a whole number from 0, but here is \",\""},
    {"tuple in a tuple", headed("{'shape': ((1,),)}\n"), "byte 21: a size is a whole number from 0, but here is \"(\""},
    {"size None", headed("{'shape': (None,)}\n"), "byte 21: a size is a whole number from 0, but here is \"N\""},
    {"size 2**63", headed("{'shape': (9223372036854775808,)}\n"), "byte 21: a size is at most 2**63 - 1, but here is \"9\""},
    {"size of forty digits", headed("{'shape': (" + std::string(40, '7') + ",)}\n"), "byte 21: a size is at most 2**63 - 1, but here is \"7\""},
};

inline std::string many_axes(int count) {
  std::string text = "(";
  for (int i = 0; i < count; ++i) text += "1,";
  return text + ")";
}

inline const std::vector<BadFileRow> kArrays = {
    {"65 axes", headed("{'shape': " + many_axes(65) + "}\n"), "byte 149: an array has at most 64 axes, but here is \"1\""},
    {"big-endian float", typed(">f4"), "\"descr\" is \">f4\", big-endian, but only little-endian is known here"},
    {"big-endian int", typed(">i8", zeros_of(16)), "\"descr\" is \">i8\", big-endian, but only little-endian is known here"},
    {"native order", typed("=f4"), "\"descr\" is \"=f4\", which does not say the order of the bytes, as \"<f4\" does"},
    {"no order", typed("f4"), "\"descr\" is \"f4\", which does not say the order of the bytes, as \"<f4\" does"},
    {"no order for many bytes", typed("|i4"), "\"descr\" is \"|i4\", which does not say the order of the bytes, as \"<i4\" does"},
    {"no order for a byte", typed("u1", zeros_of(2)), "\"descr\" is \"u1\", which does not say the order of the bytes, as \"<u1\" does"},
    {"objects", typed("|O", "\x80\x03]q"), "\"descr\" is \"|O\", " + kObjects},
    {"objects of 8 bytes", typed("|O8"), "\"descr\" is \"|O8\", " + kObjects},
    {"uint64", typed("<u8"), "\"descr\" is \"<u8\", uint64, but " + kKnown},
    {"float128", typed("<f16"), "\"descr\" is \"<f16\", float128, but " + kKnown},
    {"float96", typed("<f12"), "\"descr\" is \"<f12\", float96, but " + kKnown},
    {"complex64", typed("<c8"), "\"descr\" is \"<c8\", complex64, but " + kKnown},
    {"complex128", typed("<c16"), "\"descr\" is \"<c16\", complex128, but " + kKnown},
    {"big-endian complex", typed(">c16"), "\"descr\" is \">c16\", complex128, but " + kKnown},
    {"text", typed("<U5"), "\"descr\" is \"<U5\", text, but " + kKnown},
    {"byte strings", typed("|S3"), "\"descr\" is \"|S3\", byte strings, but " + kKnown},
    {"bfloat16 of ml_dtypes", typed("|V2", zeros_of(4)), "\"descr\" is \"|V2\", records, but " + kKnown},
    {"dates", typed("<M8[D]"), "\"descr\" is \"<M8[D]\", points in time, but " + kKnown},
    {"durations", typed("<m8[ns]"), "\"descr\" is \"<m8[ns]\", spans of time, but " + kKnown},
    {"type of no size", typed("<f"), "\"descr\" is \"<f\", which is not a type; " + kKnown},
    {"size 3", typed("<f3"), "\"descr\" is \"<f3\", which is not a type; " + kKnown},
    {"name of a type", typed("float32"), "\"descr\" is \"float32\", which is not a type; " + kKnown},
    {"empty descr", typed(""), "\"descr\" is \"\", which is not a type; " + kKnown},
    {"order only", typed("<"), "\"descr\" is \"<\", which is not a type; " + kKnown},
    {"subarray", typed("(2,)<f4"), "\"descr\" is \"(2,)<f4\", which is not a type; " + kKnown},
    {"blank behind the type", typed("<f4 "), "\"descr\" is \"<f4 \", which is not a type; " + kKnown},
    {"escape sequence of a terminal", typed("\x1b[2J"), "\"descr\" is \"␛[2J\", which is not a type; " + kKnown},
    {"no UTF-8", typed("<\xff"), "\"descr\" is \"<\xef\xbf\xbd\", which is not a type; " + kKnown},
    {"long descr", typed(std::string(300, 'x')), "\"descr\" is \"" + std::string(59, 'x') + "…\", which is not a type; " + kKnown},
    {"no data", shaped("(2,)"), "\"shape\" is [2] of float32, 8 bytes, but the file has 0 bytes after its header, which ends at byte 67"},
    {"a byte too few", shaped("(2,)", zeros_of(7)), "\"shape\" is [2] of float32, 8 bytes, but the file has 7 bytes after its header, which ends at byte 67"},
    {"a byte too many", shaped("(2,)", zeros_of(9)), "\"shape\" is [2] of float32, 8 bytes, but the file has 9 bytes after its header, which ends at byte 67"},
    {"scalar without data", shaped("()"), "\"shape\" is [] of float32, 4 bytes, but the file has 0 bytes after its header, which ends at byte 65"},
    {"data of an empty array", shaped("(0,)", "x"), "\"shape\" is [0] of float32, 0 bytes, but the file has 1 byte after its header, which ends at byte 67"},
    {"two arrays in a file", shaped("(1,)", zeros_of(4) + shaped("(1,)", zeros_of(4))), "\"shape\" is [1] of float32, 4 bytes, but the file has 76 bytes after its header, which ends at byte 67"},
    {"a tebibyte", shaped("(1048576, 262144)"), "\"shape\" is [1048576, 262144] of float32, 1,099,511,627,776 bytes, but the file has 0 bytes after its header, which ends at byte 80"},
    {"bytes overflow", shaped("(9223372036854775807,)"), "\"shape\" is [9223372036854775807] of float32, more than any file can hold"},
    {"product overflows", shaped("(4294967296, 4294967296)"), "\"shape\" is [4294967296, 4294967296] of float32, more than any file can hold"},
    {"product wraps around to 0", shaped("(4294967296, 4294967296, 4)"), "\"shape\" is [4294967296, 4294967296, 4] of float32, more than any file can hold"},
    {"overflow beside a 0", shaped("(0, 4294967296, 4294967296)"), "\"shape\" is [0, 4294967296, 4294967296] of float32, more than any file can hold"},
    {"bool of 2", typed("|b1", "\1\2"), "byte 69 is 2, but a bool is 0 or 1"},
    {"bool of 255", typed("|b1", "\xff\1"), "byte 68 is 255, but a bool is 0 or 1"},
};
// clang-format on

}  // namespace attn::bad_npy
