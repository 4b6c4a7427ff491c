#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/limits.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  Files() : folder_(testing::TempDir() + "attn_files_" + std::to_string(getpid())) {
    std::filesystem::create_directory(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    return folder_ + "/" + name;
  }

  static std::string failure(const std::string& path, std::int64_t limit) {
    try {
      read_file(path, limit);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  std::string folder_;
};

TEST_F(Files, ReadsBytesAsTheyAre) {
  const std::string bytes("a\r\n\0\xff", 5);
  EXPECT_EQ(read_file(write("a", bytes), 5), bytes);
  EXPECT_EQ(read_file(write("empty", ""), 0), "");
}

TEST_F(Files, RefusesWhatIsTooLargeOrNoFile) {
  EXPECT_THAT(failure(write("a", "123456"), 5), HasSubstr("larger than"));
  EXPECT_THAT(failure("/dev/zero", 1000), HasSubstr("larger than"));
  EXPECT_THAT(failure(folder_, 5), HasSubstr("is a folder"));
  EXPECT_THAT(failure(folder_ + "/none", 5), HasSubstr("No such file"));
}

TEST_F(Files, ReadsAPipe) {
  const std::string path = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << "through"; });
  EXPECT_TRUE(is_file(path));
  EXPECT_EQ(read_file(path, 100), "through");
  writer.join();
}

TEST_F(Files, AnInterruptEndsTheWaitForAPipe) {
  const std::string path = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread interrupter([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    request_interrupt();
  });
  EXPECT_THROW(read_file(path, 100), LimitReached);
  interrupter.join();
  clear_interrupt();
}

TEST_F(Files, AnInterruptEndsTheWaitForAReader) {
  const std::string path = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread interrupter([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    request_interrupt();
  });
  EXPECT_THROW(write_file(path, "text"), LimitReached);
  interrupter.join();
  clear_interrupt();
  std::string through;
  std::thread reader([&] { std::getline(std::ifstream(path), through); });
  write_file(path, "text\n");
  reader.join();
  EXPECT_EQ(through, "text");
}

TEST_F(Files, AnInterruptEndsTheReadingOfALargeFileAlone) {
  const std::string large = write("large", std::string(3 << 20, 'a')), small = write("small", "a");
  request_interrupt();
  EXPECT_THROW(read_file(large, 10 << 20), LimitReached);
  EXPECT_EQ(read_file(small, 100), "a");
  clear_interrupt();
}

TEST_F(Files, StateChangesWithTheFile) {
  const std::string path = write("a", "1");
  const auto state = file_state(path);
  ASSERT_TRUE(state);
  EXPECT_EQ(file_state(path), state);
  write("a", "12");
  EXPECT_NE(file_state(path), state);
  std::filesystem::rename(write("b", "1"), path);
  EXPECT_NE(file_state(path), state);
  EXPECT_FALSE(file_state(folder_));
  EXPECT_FALSE(file_state(folder_ + "/none"));
}

TEST_F(Files, ListsAFolder) {
  write("b.md", "");
  write("a.md", "");
  write("c.txt", "");
  ASSERT_EQ(mkfifo((folder_ + "/endless.md").c_str(), 0600), 0);
  EXPECT_THAT(list_folder(folder_, ".md"), ElementsAre("a.md", "b.md"));
  EXPECT_THROW(list_folder(folder_ + "/none", ".md"), FileError);
  EXPECT_TRUE(is_file(folder_ + "/a.md"));
  EXPECT_FALSE(is_file(folder_));
  EXPECT_FALSE(is_file(folder_ + "/none"));
}

std::string write_failure(const std::string& path, const std::string& text) {
  try {
    write_file(path, text);
  } catch (const WriteError& error) {
    return error.what();
  }
  return "";
}

TEST_F(Files, AreWrittenWhole) {
  write_file(folder_ + "/new", std::string("a\0b", 3));
  EXPECT_EQ(read_file(folder_ + "/new", 10), std::string("a\0b", 3));
  write_file(folder_ + "/new", "");
  EXPECT_EQ(read_file(folder_ + "/new", 10), "");
}

TEST_F(Files, KeepTheirPermissionsAndLinks) {
  namespace fs = std::filesystem;
  const std::string path = write("old", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("old", folder_ + "/link");
  write_file(folder_ + "/link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ + "/link"));
  EXPECT_EQ(read_file(path, 10), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("nothing", folder_ + "/dangling");
  EXPECT_THAT(write_failure(folder_ + "/dangling", "x"), HasSubstr("a link to nothing"));
}

TEST_F(Files, SayWhyTheyCannotBeWritten) {
  EXPECT_THAT(write_failure("/dev/full", "x"), HasSubstr("No space left on device"));
  EXPECT_EQ(write_failure("/dev/null", "x"), "") << "a device is written directly";
  EXPECT_THAT(write_failure(folder_, "x"), HasSubstr("is a folder"));
  EXPECT_THAT(write_failure(folder_ + "/no/file", "x"), HasSubstr("No such file or directory"));
  EXPECT_THAT(write_failure(write("file", "") + "/below", "x"), HasSubstr("Not a directory"));
}

// A limit on the size of files stands for the disk that fills up half way.
TEST_F(Files, OfTwoWaysToFailNeitherHarmsTheOldFile) {
  const std::string path = write("old", "old text");
  const auto child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1 << 16, 1 << 16};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string failure = write_failure(path, std::string(1 << 20, 'x'));
    _exit(failure.find("File too large") == std::string::npos ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path, 100), "old text");
  EXPECT_THAT(list_folder(folder_, ""), ElementsAre("old")) << "no half of a file is left";
  if (geteuid() != 0) {  // root may write everywhere
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_THAT(write_failure(path, "x"), HasSubstr("Permission denied"));
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    EXPECT_EQ(read_file(path, 100), "old text");
  }
}

}  // namespace
}  // namespace attn
