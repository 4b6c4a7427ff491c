// Bytes at any place of a file or text.
#include "base/file_bytes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <vector>

#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

struct Folder {
  Folder() : path(fs::temp_directory_path() / ("attn_file_bytes_" + std::to_string(::getpid()))) {
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
  fs::path path;
};

std::string part(const BytesAt& bytes, std::uint64_t offset, std::size_t size) {
  std::string text(size, '?');
  bytes.read_at(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

std::string refusal(const std::string& path) {
  try {
    const FileBytes bytes(path);
  } catch (const FileError& error) {
    return std::string(error.what()).substr(path.size());
  }
  return "(opened)";
}

std::string reading(const BytesAt& bytes, std::size_t size) {
  try {
    return part(bytes, 0, size);
  } catch (const FileError& error) {
    return error.what();
  }
}

void check_parts(const BytesAt& bytes) {
  EXPECT_EQ(bytes.size(), 6u);
  EXPECT_EQ(part(bytes, 0, 6), "abcdef");
  EXPECT_EQ(part(bytes, 4, 2), "ef");
  EXPECT_EQ(part(bytes, 6, 0), "");
  EXPECT_EQ(first_bytes(bytes, 2), "ab");
  EXPECT_EQ(first_bytes(bytes, 100), "abcdef");
  EXPECT_THROW(part(bytes, 5, 2), std::out_of_range);
  EXPECT_THROW(part(bytes, 7, 0), std::out_of_range);
  EXPECT_THROW(part(bytes, UINT64_MAX, 2), std::out_of_range);
}

TEST(FileBytes, parts_of_a_file_and_of_a_text) {
  const Folder folder;
  const FileBytes file(folder.file("a", "abcdef"));
  check_parts(file);
  check_parts(TextBytes("t", "abcdef"));
  EXPECT_EQ(FileBytes(folder.file("empty", "")).size(), 0u);
}

TEST(FileBytes, what_is_no_file) {
  const Folder folder;
  EXPECT_EQ(refusal((folder.path / "missing").string()), ": No such file or directory");
  EXPECT_EQ(refusal(folder.path.string()), ": is a folder");
  const std::string pipe = (folder.path / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal(pipe), ": is no regular file");
  EXPECT_EQ(refusal("/dev/zero"), ": is no regular file");
}

TEST(FileBytes, file_that_is_cut_while_it_is_open) {
  const Folder folder;
  const std::string path = folder.file("a", "abcdef");
  const FileBytes file(path);
  fs::resize_file(path, 3);
  EXPECT_EQ(reading(file, 6), path + ": became shorter while it was read");
  EXPECT_EQ(reading(file, 3), path + ": was written to after it was opened");
}

// Others may cut a mapped file, write to it, put another in its place or take it away: what is mapped stays.
TEST(FileBytes, what_is_mapped_stays_as_it_was) {
  const Folder folder;
  const std::string large(std::size_t{35} << 20, 'a');
  const auto cut = [](const std::string& path) { fs::resize_file(path, 3); };
  const auto written = [](const std::string& path) { std::ofstream(path, std::ios::binary) << "short"; };
  const auto changed = [](const std::string& path) {
    std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << "b";
  };
  const auto replaced = [&](const std::string& path) { fs::rename(folder.file("new", "other"), path); };
  const auto removed = [](const std::string& path) { fs::remove(path); };
  for (const std::function<void(const std::string&)>& change :
       std::initializer_list<std::function<void(const std::string&)>>{cut, written, changed, replaced, removed}) {
    const std::string path = folder.file("large", large);
    auto file = std::make_unique<FileBytes>(path);
    const std::shared_ptr<const std::byte> bytes = file->mapped_at(1);
    if (!bytes) GTEST_SKIP() << "no leases here";
    change(path);
    file.reset();
    const std::string_view held(reinterpret_cast<const char*>(bytes.get()), large.size() - 1);
    EXPECT_EQ(held, large.substr(1));
    change(folder.file("large", large));  // and again, when nobody waits for it
  }
}

TEST(FileBytes, only_large_files_are_mapped) {
  const Folder folder;
  EXPECT_EQ(FileBytes(folder.file("a", "abcdef")).mapped_at(0), nullptr);
  EXPECT_EQ(TextBytes("t", "abcdef").mapped_at(0), nullptr);
}

// Whoever writes to it makes a copy of it: one that is larger than memory may be is read.
TEST(FileBytes, only_what_fits_into_memory_is_mapped) {
  const Folder folder;
  const std::string path = folder.file("large", std::string(std::size_t{3} << 20, 'a'));
  Limits limits;
  limits.max_memory = std::int64_t{2} << 20;
  const LimitScope scope(limits);
  EXPECT_EQ(FileBytes(path).mapped_at(0), nullptr);
}

// Each has its own lease; beyond those that are kept track of, files are read.
TEST(FileBytes, many_mapped_files) {
  const Folder folder;
  const std::string large(std::size_t{1} << 20, 'a');
  std::vector<std::shared_ptr<const std::byte>> mapped;
  for (int i = 0; i < 10; ++i) mapped.push_back(FileBytes(folder.file(std::to_string(i), large)).mapped_at(0));
  for (int i = 0; i < 10; ++i) folder.file(std::to_string(i), "b");
  for (const auto& bytes : mapped)
    if (bytes) EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(bytes.get()), large.size()), large);
  EXPECT_EQ(mapped.back(), nullptr);
}

TEST(FileBytes, files_of_a_folder) {
  const Folder folder;
  folder.file("a", "abcdef");
  const FileOpener open = files_of_folder(folder.path.string());
  for (const char* name : {"a", "./a", "sub/../a"}) EXPECT_EQ(open(name)->size(), 6u) << name;
  const std::string outside = (folder.path / "a").string();
  for (const std::string& name : {outside, std::string("/dev/zero"), std::string(".."), std::string("../a"),
                                  std::string("sub/../../a"), std::string("a\0b", 3)}) {
    try {
      open(name);
      ADD_FAILURE() << name << " was opened";
    } catch (const FileError& error) {
      EXPECT_EQ(error.what(),
                visible(name) + ": only files in the program's folder, and in folders below it, are read");
    }
  }
  EXPECT_THROW(open("missing"), FileError);
  EXPECT_THROW(open(""), FileError);  // the folder itself
}

}  // namespace
}  // namespace attn
