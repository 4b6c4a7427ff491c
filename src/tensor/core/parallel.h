#pragma once
// Jobs 0, 1, ... on a few threads. Which thread takes which job is left to chance, so jobs must be independent and what
// each computes must not depend on the number of threads.
#include <atomic>
#include <cstdint>
#include <functional>

namespace attn {

/// What a job calls now and then in a long loop; it throws when the run is to stop (limit, interrupt, failed job).
class StopCheck {
 public:
  StopCheck(const std::atomic<bool>& stop, bool is_caller) : stop_(stop), is_caller_(is_caller) {}
  void operator()() const;

 private:
  const std::atomic<bool>& stop_;
  bool is_caller_;  // limits and interrupts belong to the thread that called run_jobs
};

/// Threads that long work may use; at least 1.
void set_threads(int threads);
int threads();

/// Takes one job. Each thread has a Worker of its own, so it may keep scratch memory in it.
using Worker = std::function<void(std::int64_t job, const StopCheck& check)>;

/// Runs jobs 0 .. count - 1, each once, on at most `threads` threads (the caller's is one of them).
///   Errors: the first exception of any job, after all threads have ended; LimitReached on interrupt.
void run_jobs(std::int64_t count, int threads, const std::function<Worker()>& make_worker);

}  // namespace attn
