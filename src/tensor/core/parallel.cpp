#include "tensor/core/parallel.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/limits.h"

namespace attn {
namespace {

struct Stopped : std::exception {};

/// The jobs of one call of run_jobs, for however many threads come to do them.
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

  void rethrow_failure() {
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
};

// Products follow each other within microseconds, and waking a thread takes as long: so those who wait look again and
// again for that long before they sleep.
template <class Holds>
bool comes_soon(const Holds& holds) {
  constexpr int kLooks = 200;
  for (int i = 0; i < kLooks; ++i) {
    if (holds()) return true;
    std::this_thread::yield();
  }
  return false;
}

/// Threads that help with one crew at a time, and sleep in between.
class Pool {
 public:
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      ++round_;
    }
    wake_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

  /// Has the crew's jobs done by this thread and up to `helpers` others; returns when none is at work any more.
  void run(Crew& crew, int helpers) {
    const std::unique_lock turn(turn_, std::try_to_lock);
    if (!turn.owns_lock()) return crew.work(true);  // another thread has all of them
    open(crew, helpers);
    crew.work(true);
    close();
  }

 private:
  void open(Crew& crew, int helpers) {
    {
      const std::lock_guard lock(mutex_);
      grow(helpers);
      crew_ = &crew;
      places_ = helpers;
      ++round_;
    }
    wake_.notify_all();
  }

  void grow(int helpers) {
    try {
      while (static_cast<int>(helpers_.size()) < helpers) helpers_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that run do all jobs.
    }
  }

  // A helper that wakes up too late finds no place, so nobody waits for it.
  void close() {
    std::unique_lock lock(mutex_);
    places_ = 0;
    if (working_ == 0) return;
    lock.unlock();
    if (comes_soon([this] { return working_ == 0; })) return;
    lock.lock();
    done_.wait(lock, [this] { return working_ == 0; });
  }

  void help() {
    for (std::uint64_t seen = 0;;) {
      comes_soon([&] { return round_ != seen; });
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      if (ends_) return;
      if (places_ == 0) continue;
      --places_;
      ++working_;
      Crew& crew = *crew_;
      lock.unlock();
      crew.work(false);
      lock.lock();
      if (--working_ == 0) done_.notify_all();
    }
  }

  std::mutex turn_;   // held by the thread whose crew it is
  std::mutex mutex_;  // of what follows
  std::condition_variable wake_, done_;
  std::vector<std::thread> helpers_;
  Crew* crew_ = nullptr;
  int places_ = 0;                       // for helpers that have not come yet
  std::atomic<int> working_{0};          // changed under mutex_
  std::atomic<std::uint64_t> round_{0};  // changed under mutex_, whenever there is something new for helpers
  bool ends_ = false;
};

Pool& pool() {
  static Pool pool;
  return pool;
}

std::atomic<int> thread_count{1};

}  // namespace

void set_threads(int threads) { thread_count = std::max(threads, 1); }
int threads() { return thread_count; }

void StopCheck::operator()() const {
  if (is_caller_) charge(0);
  if (stop_.load(std::memory_order_relaxed)) throw Stopped{};
}

void run_jobs(std::int64_t count, int threads, const std::function<Worker()>& make_worker) {
  const auto useful = static_cast<int>(std::min<std::int64_t>(threads, count));
  Crew crew(count, make_worker);
  if (useful > 1) pool().run(crew, useful - 1);
  else crew.work(true);
  crew.rethrow_failure();
}

}  // namespace attn
