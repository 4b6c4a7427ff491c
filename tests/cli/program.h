#pragma once
// Runs the program as a shell would: arguments, standard streams, environment; gives what it wrote and how it ended.
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

using Words = std::vector<std::string>;
using Environment = std::map<std::string, std::string>;

/// What a standard stream of the program is.
enum class Stream {
  Pipe,       // read to its end by the test; as standard input: the text of Conditions::input
  Null,       // /dev/null
  Full,       // /dev/full
  Closed,     // no file descriptor
  Directory,  // a folder
  Broken,     // a pipe whose reader has left
  Unread      // a pipe whose reader is there and does not read
};

struct Conditions {
  Stream in = Stream::Null;
  Stream out = Stream::Pipe;
  Stream err = Stream::Pipe;
  std::string input;
  /// The whole environment. The numbers of large products are those of the level that every processor has.
  Environment environment = {
      {"HOME", "/nonexistent"}, {"LANG", "C.UTF-8"}, {"TERM", "xterm"}, {"ATTN_TUTOR_CPU", "baseline"}};
  std::string program;        // run instead of attn-tutor; found on the PATH of `environment`
  std::string folder;         // the working folder; empty: that of the test
  bool no_arguments = false;  // argv is empty, without a name of the program
  long address_space = 0;     // bytes; 0: not limited
  long stack = 0;             // bytes; 0: not limited
  long file_size = 0;         // bytes that a file may grow to; 0: not limited
  long descriptors = 0;       // that may be open; 0: not limited
  bool interrupt = false;     // SIGINT is sent, soon after the program has a handler for it
  int interrupt_after = 0;    // the same, after that many milliseconds
  bool keep_input = false;    // the program's input does not end before the program does
};

struct Ended {
  int code = -1;  // exit code; -1 when a signal ended it
  int signal = 0;
  bool hung = false;  // had to be killed
  long peak = 0;      // bytes of memory that it had at most
  std::string out;
  std::string err;
};

Ended run_program(const Words& arguments, const Conditions& conditions = {});

/// What the program prints when all is well: with the exit code 0 and nothing on standard error.
std::string out_of(const Words& arguments, const Conditions& conditions = {});

/// For execve(): the texts, which stay where they are, and a null.
inline std::vector<char*> pointers(Words& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

inline const std::string kPython = "/usr/bin/python3";
bool has_torch();

/// The bytes of a file; none where it cannot be read.
inline std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The length in bytes of the longest of the lines, which end with `end`.
std::size_t longest_line(const std::string& text, std::string_view end = "\n");

/// The names of the lessons in lessons/, translations not counted: the number, or the word of one without.
std::vector<std::string> lesson_names();

/// A file for one test, gone afterwards.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name, const std::string& text = {});
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string folder_;
  std::string path_;
};

}  // namespace attn
