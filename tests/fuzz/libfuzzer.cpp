// The entry of libFuzzer for one target, ATTN_FUZZ_TARGET. An input may take one second of the processor's time: the
// clock on the wall, which libFuzzer's -timeout reads, would tell of other programs on a busy machine.
#include <sys/time.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace attn {
void ATTN_FUZZ_TARGET(std::string_view bytes);
}

namespace {

constexpr int kSeconds = 1;

// libFuzzer keeps the input of a program that aborts, and prints where it was.
void out_of_time(int) { std::abort(); }

void set_clock(int seconds) {
  const itimerval time = {.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &time, nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto handler = std::signal(SIGPROF, out_of_time);
  if (handler == SIG_ERR) return -1;
  set_clock(kSeconds);
  attn::ATTN_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  set_clock(0);
  return 0;
}
