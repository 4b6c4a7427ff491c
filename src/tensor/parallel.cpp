#include "tensor/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/limits.h"

namespace attn {
namespace {

struct Stopped : std::exception {};

class Crew {
 public:
  Crew(std::int64_t count, const std::function<Worker()>& make_worker) : count_(count), make_worker_(make_worker) {}

  void work(bool is_caller) {
    const StopCheck check(stop_, is_caller);
    try {
      const Worker worker = make_worker_();
      for (std::int64_t job = next_++; job < count_; job = next_++) {
        check();
        worker(job, check);
      }
    } catch (...) {
      keep(std::current_exception());
    }
  }

  void start(int threads) {
    try {
      for (int i = 0; i < threads; ++i) helpers_.emplace_back([this] { work(false); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that run do all jobs.
    }
  }

  void finish() {
    for (std::thread& helper : helpers_) helper.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // A thread that was stopped because of another's failure comes later than that failure, so the first one counts.
  void keep(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    stop_ = true;
  }

  const std::int64_t count_;
  const std::function<Worker()>& make_worker_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> helpers_;
};

}  // namespace

void StopCheck::operator()() const {
  if (is_caller_) charge(0);
  if (stop_.load(std::memory_order_relaxed)) throw Stopped{};
}

void run_jobs(std::int64_t count, int threads, const std::function<Worker()>& make_worker) {
  const auto useful = static_cast<int>(std::min<std::int64_t>(threads, count));
  Crew crew(count, make_worker);
  crew.start(useful - 1);
  crew.work(true);
  crew.finish();
}

}  // namespace attn
