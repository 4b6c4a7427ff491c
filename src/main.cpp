// The program: a thread with a large stack for the evaluator's recursion, Ctrl-C as a request to stop, a sentence for
// what nobody catches, and the command line.
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>

#include "base/limits.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "engine/runner.h"
#include "stepper/terminal.h"
#include "tensor/core/memory.h"

namespace {

constexpr std::size_t kStackSize = std::size_t{64} << 20;

struct Job {
  int argc;
  char** argv;
  std::size_t stack;
  int code = 70;
};

void* run(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  job.code = attn::run_command_line(job.argc, job.argv, job.stack);
  return nullptr;
}

// Of the thread that main() runs on.
std::size_t own_stack() {
  rlimit limit{};
  const bool known = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return known ? static_cast<std::size_t>(limit.rlim_cur) : std::size_t{8} << 20;
}

// The first Ctrl-C asks the run to stop; the next one ends the program.
void on_interrupt(int) {
  attn::ends_with_the_run = true;
  attn::request_interrupt();
  std::signal(SIGINT, SIG_DFL);
}

// Ctrl-C also throws away what the terminal has not read yet, and nothing but a signal wakes a thread that was waiting
// to write there: so signals must reach the thread that works.
void leave_signals_to_others() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

bool is_out_of_memory() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
  }
  return false;
}

// Memory may run out where nothing may be thrown: before main(), and in functions of libraries that promise not to.
[[noreturn]] void on_terminate() {
  attn::restore_terminal();
  if (is_out_of_memory()) {
    attn::report_no_memory();
    _exit(attn::kLimit);
  }
  attn::write_error("attn-tutor: this is a mistake in attn-tutor itself; please report it with what you typed\n");
  _exit(attn::kOurBug);
}

// This file is linked first, so what other files make before main() is made with this handler in place.
[[maybe_unused]] const std::terminate_handler handler_before = std::set_terminate(on_terminate);

}  // namespace

int main(int argc, char** argv) {
  attn::guard_standard_streams();
  attn::keep_freed_memory();
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of write(), which has its sentence
  Job job{argc, argv, kStackSize};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  const bool has_thread =
      pthread_attr_setstacksize(&attributes, kStackSize) == 0 && pthread_create(&thread, &attributes, run, &job) == 0;
  if (has_thread) {
    leave_signals_to_others();
    pthread_join(thread, nullptr);
  } else {
    job.stack = own_stack();  // no room for another one
    run(&job);
  }
  return job.code;
}
