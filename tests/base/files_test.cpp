#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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
  EXPECT_THAT(list_folder(folder_, ".md"), ElementsAre("a.md", "b.md"));
  EXPECT_THROW(list_folder(folder_ + "/none", ".md"), FileError);
  EXPECT_TRUE(is_file(folder_ + "/a.md"));
  EXPECT_FALSE(is_file(folder_));
  EXPECT_FALSE(is_file(folder_ + "/none"));
}

}  // namespace
}  // namespace attn
