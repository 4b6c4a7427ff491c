// Standard streams that are closed, full or broken; signals; little memory.
#include <gmock/gmock.h>

#include <csignal>

#include "tests/cli/program.h"

namespace attn {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

Conditions with(Stream in, Stream out, Stream err) {
  Conditions conditions;
  conditions.in = in;
  conditions.out = out;
  conditions.err = err;
  return conditions;
}

const Words kPrinting[] = {{"list"},       {"lesson", "1"}, {"lesson", "1", "--shapes"}, {"eval", "1"}, {"ops"},
                           {"check", "1"}, {"--help"},      {"lesson", "--help"},        {"--version"}};

TEST(Output, ThatCannotBeWrittenIsAnError) {
  for (const Words& words : kPrinting) {
    const Ended full = run_program(words, with(Stream::Null, Stream::Full, Stream::Pipe));
    EXPECT_EQ(full.code, 4) << words[0];
    EXPECT_EQ(full.err, "attn-tutor: standard output: No space left on device\n") << words[0];
    const Ended closed = run_program(words, with(Stream::Null, Stream::Closed, Stream::Pipe));
    EXPECT_EQ(closed.code, 4) << words[0];
    EXPECT_EQ(closed.err, "attn-tutor: standard output: Bad file descriptor\n") << words[0];
  }
}

TEST(Output, NothingIsPrintedNothingIsWrong) {
  EXPECT_EQ(run_program({"eval", "x = 1"}, with(Stream::Null, Stream::Full, Stream::Pipe)).code, 0);
}

TEST(Output, AllThreeStreamsClosed) {
  EXPECT_EQ(run_program({"lesson", "1"}, with(Stream::Closed, Stream::Closed, Stream::Closed)).code, 4);
  EXPECT_EQ(run_program({"--version"}, with(Stream::Closed, Stream::Closed, Stream::Closed)).code, 4);
  EXPECT_EQ(run_program({"nonsense"}, with(Stream::Closed, Stream::Closed, Stream::Closed)).code, 2);
}

TEST(Output, AReaderThatLeavesEndsTheProgramQuietly) {
  const Ended ended = run_program({"lesson", "1"}, with(Stream::Null, Stream::Broken, Stream::Pipe));
  EXPECT_TRUE(ended.signal == SIGPIPE || ended.code == 0) << ended.code;
  EXPECT_EQ(ended.err, "");
}

TEST(Errors, StandardErrorMayBeMissing) {
  for (const Stream err : {Stream::Closed, Stream::Full}) {
    EXPECT_EQ(run_program({"lesson", "99"}, with(Stream::Null, Stream::Pipe, err)).code, 2);
    EXPECT_EQ(run_program({"eval", "1/0"}, with(Stream::Null, Stream::Pipe, err)).code, 1);
    const Ended fine = run_program({"eval", "1"}, with(Stream::Null, Stream::Pipe, err));
    EXPECT_EQ(fine.code, 0);
    EXPECT_EQ(fine.out, "1\n");
  }
}

TEST(Input, IsOnlyReadWhenAskedFor) {
  for (const Stream in : {Stream::Closed, Stream::Null, Stream::Directory}) {
    const Ended ended = run_program({"eval", "1"}, with(in, Stream::Pipe, Stream::Pipe));
    EXPECT_EQ(ended.code, 0);
    EXPECT_EQ(ended.out, "1\n");
  }
}

TEST(Input, ThatHoldsNoLesson) {
  const std::pair<Stream, const char*> cases[] = {
      {Stream::Closed, "<stdin>:1:1: format: a lesson needs a title"},
      {Stream::Null, "<stdin>:1:1: format: a lesson needs a title"},
      {Stream::Pipe, "<stdin>:1:1: format: a lesson needs a title"},
      {Stream::Directory, "attn-tutor: standard input: Is a directory\n"},
  };
  for (const auto& [in, message] : cases) {
    const Ended ended = run_program({"lesson", "-"}, with(in, Stream::Pipe, Stream::Pipe));
    EXPECT_EQ(ended.code, 3) << message;
    EXPECT_THAT(ended.err, HasSubstr(message));
    EXPECT_EQ(ended.out, "") << message;
  }
}

TEST(Process, NoArgumentsAtAll) {
  Conditions conditions;
  conditions.no_arguments = true;
  const Ended ended = run_program({}, conditions);
  EXPECT_EQ(ended.signal, 0);
  // Newer kernels put an empty name in; then it is a call without a command.
  EXPECT_THAT(ended.code, AnyOf(0, 2));
}

TEST(Process, AnEmptyEnvironment) {
  Conditions conditions;
  conditions.environment = {};
  EXPECT_EQ(run_program({"lesson", "1"}, conditions).code, 0);
}

TEST(Process, AnInterruptStopsALongRun) {
  Conditions conditions;
  conditions.interrupt = true;
  const Ended ended = run_program({"eval", "for i in range(10 ** 12):\n  i"}, conditions);
  EXPECT_FALSE(ended.hung);
  EXPECT_EQ(ended.code, 130) << "signal " << ended.signal;
  EXPECT_THAT(ended.err, HasSubstr("interrupt"));
}

TEST(Process, AnInterruptEndsTheWaitForInput) {
  Conditions conditions = with(Stream::Pipe, Stream::Pipe, Stream::Pipe);
  conditions.interrupt = true;
  conditions.keep_input = true;
  conditions.input = "# T\n";
  const Ended ended = run_program({"lesson", "-"}, conditions);
  EXPECT_FALSE(ended.hung);
  EXPECT_EQ(ended.code, 130) << "signal " << ended.signal;
  EXPECT_EQ(ended.err, "attn-tutor: interrupted\n");
}

TEST(Process, AnInterruptEndsTheWaitForAReader) {
  const Words printing[] = {
      {"eval", "'a\\n' * 10 ** 6"}, {"ops", "--markdown"}, {"export", "1", "--format", "html", "-o", "-"}};
  for (const Words& words : printing) {
    for (const Stream err : {Stream::Pipe, Stream::Unread}) {
      Conditions conditions = with(Stream::Null, Stream::Unread, err);
      conditions.interrupt = true;
      const Ended ended = run_program(words, conditions);
      EXPECT_FALSE(ended.hung) << words[0];
      EXPECT_EQ(ended.code, 130) << words[0] << " signal " << ended.signal;
      EXPECT_EQ(ended.err, err == Stream::Pipe ? "attn-tutor: interrupted\n" : "") << words[0];
    }
  }
}

// What is said of the interrupt would wait for the same reader.
TEST(Process, AnInterruptEndsTheWaitForAReaderOfBothStreams) {
  Conditions conditions = with(Stream::Null, Stream::Unread, Stream::Pipe);
  conditions.program = "sh";
  conditions.environment["PATH"] = "/usr/bin:/bin";
  conditions.interrupt = true;
  const TemporaryFile program("a.py", "for i in range(30000): print('x' * 100)\n");
  const Ended ended =
      run_program({"-c", "exec '" ATTN_BINARY "' run --plain '" + program.path() + "' 2>&1"}, conditions);
  EXPECT_FALSE(ended.hung);
  EXPECT_EQ(ended.code, 130) << "signal " << ended.signal;
}

TEST(Process, AnInterruptStopsALargeProduct) {
  Conditions conditions;
  conditions.interrupt = true;
  const Ended ended =
      run_program({"eval", "x = torch.ones(4000, 4000)\nfor i in range(10 ** 6):\n  y = x @ x"}, conditions);
  EXPECT_FALSE(ended.hung);
  EXPECT_EQ(ended.code, 130) << "signal " << ended.signal;
}

#if !defined(ATTN_SANITIZED)  // which needs terabytes of addresses
TEST(Process, LittleMemory) {
  for (const long megabytes : {64, 128, 200, 400}) {
    Conditions conditions;
    conditions.address_space = megabytes << 20;
    const Ended ended = run_program({"eval", "torch.zeros(10000, 10000)"}, conditions);
    EXPECT_EQ(ended.code, 5) << megabytes << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("the system has no 400000000 bytes left"));
    conditions.address_space = megabytes << 20;
    EXPECT_EQ(run_program({"eval", "torch.zeros(2)"}, conditions).out, "tensor([0., 0.])\n[2]  float32\n") << megabytes;
  }
}

TEST(Process, ASmallStack) {
  for (const long kilobytes : {128, 256}) {
    Conditions conditions;
    conditions.stack = kilobytes << 10;
    EXPECT_EQ(run_program({"eval", "1"}, conditions).code, 0) << kilobytes;
    EXPECT_EQ(run_program({"eval", "f = lambda n: f(n + 1)\nf(0)"}, conditions).code, 1) << kilobytes;
  }
}

// Without room for a large stack of its own the program runs on the one it was given.
TEST(Process, ASmallStackAndLittleMemory) {
  Conditions conditions;
  conditions.stack = 256 << 10;
  conditions.address_space = 48 << 20;
  const Ended ended = run_program({"eval", std::string(150, '(') + "1" + std::string(150, ')')}, conditions);
  EXPECT_EQ(ended.signal, 0) << ended.err;
  EXPECT_THAT(ended.code, AnyOf(0, 5));
}
#endif

}  // namespace
}  // namespace attn
