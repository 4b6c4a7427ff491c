// A library to be preloaded: makes one chosen call fail, so that tests can let every one fail in turn.
//
//   ATTN_FAIL_WRITE=n    the n-th call that writes to a file: write, writev, fsync, fchmod, close, mkostemp, rename
//   ATTN_FAIL_HOW=...    with that errno; 0: a write takes one byte only (not all of it)
//   ATTN_FAIL_KILL=9     the program gets that signal at that call
//   ATTN_FAIL_ALL=1      counts the standard streams too
//   ATTN_FAIL_READ=n     the n-th read() in main() fails
//   ATTN_FAIL_MEMORY=n   the n-th allocation of main() fails, and every one behind it; main() begins with signal()
//   ATTN_FAIL_START=1    counts allocations before main() too
//   ATTN_FAIL_THREADS=1  no thread can be made
//   ATTN_FAIL_CLOCK=s    the wall clock says that many seconds since 1970, and jumps back at every second look
//   ATTN_FAIL_MARK=PATH  made when a call was let fail: without it there were fewer than n
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<long> writes{0}, reads{0}, allocations{0};
std::atomic<bool> is_in_main{false};

long number(const char* name) {
  const char* text = std::getenv(name);
  return text ? std::atol(text) : 0;
}

void leave_mark() {
  const char* path = std::getenv("ATTN_FAIL_MARK");
  if (!path) return;
  const long descriptor = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0600);
  if (descriptor >= 0) syscall(SYS_close, descriptor);
}

/// Whether this call is the one. Standard streams count when they are asked for.
bool is_chosen(int descriptor) {
  if (descriptor >= 0 && descriptor < 3 && number("ATTN_FAIL_ALL") == 0) return false;
  const long chosen = number("ATTN_FAIL_WRITE");
  if (chosen == 0 || ++writes != chosen) return false;
  leave_mark();
  if (const long signal = number("ATTN_FAIL_KILL"); signal != 0) {
    kill(getpid(), static_cast<int>(signal));
    sleep(5);  // another thread may be the one that gets it
  }
  return true;
}

int fail() {
  const long how = number("ATTN_FAIL_HOW");
  errno = how == 0 ? EIO : static_cast<int>(how);
  return -1;
}

bool writes_to(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// libedit writes to what it allocates without a look at whether it got anything; nothing outside of it can mend that.
bool is_in_libedit(void* caller) {
  Dl_info where{};
  return dladdr(caller, &where) != 0 && std::strstr(where.dli_fname, "libedit") != nullptr;
}

/// glibc ends the program when it has no memory to note what a thread does at its end.
bool is_for_end_of_thread(void* caller) {
  Dl_info where{};
  return dladdr(caller, &where) != 0 && where.dli_sname &&
         std::strcmp(where.dli_sname, "__cxa_thread_atexit_impl") == 0;
}

bool is_out_of_memory(void* caller) {
  static const long chosen = number("ATTN_FAIL_MEMORY");
  if (chosen == 0 || !is_in_main) return false;
  const long count = ++allocations;
  if (count == chosen) leave_mark();
  return count >= chosen && !is_in_libedit(caller) && !is_for_end_of_thread(caller);
}

// The library is loaded last before the program's own code.
__attribute__((constructor)) void begin() { is_in_main = number("ATTN_FAIL_START") != 0; }

void* refused() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  if (is_chosen(descriptor)) {
    if (number("ATTN_FAIL_HOW") != 0) return fail();
    size = size > 0 ? 1 : 0;
  }
  return syscall(SYS_write, descriptor, bytes, size);
}

ssize_t read(int descriptor, void* bytes, std::size_t size) {
  static const long chosen = number("ATTN_FAIL_READ");
  if (chosen == 0 || !is_in_main || ++reads != chosen) return syscall(SYS_read, descriptor, bytes, size);
  leave_mark();
  return fail();
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (is_chosen(descriptor)) return fail();
  return syscall(SYS_writev, descriptor, parts, count);
}

int fsync(int descriptor) { return is_chosen(descriptor) ? fail() : static_cast<int>(syscall(SYS_fsync, descriptor)); }

int fchmod(int descriptor, mode_t mode) {
  return is_chosen(descriptor) ? fail() : static_cast<int>(syscall(SYS_fchmod, descriptor, mode));
}

int close(int descriptor) {
  const long flags = syscall(SYS_fcntl, descriptor, F_GETFL);
  const int result = static_cast<int>(syscall(SYS_close, descriptor));
  return flags >= 0 && writes_to(static_cast<int>(flags)) && is_chosen(descriptor) ? fail() : result;
}

int mkostemp(char* name, int flags) {
  static auto* const real = next<int(char*, int)>("mkostemp");
  return is_chosen(-1) ? fail() : real(name, flags);
}

int rename(const char* from, const char* to) {
  return is_chosen(-1) ? fail() : static_cast<int>(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}

sighandler_t signal(int number, sighandler_t handler) {
  is_in_main = true;
  static auto* const real = next<sighandler_t(int, sighandler_t)>("signal");
  return real(number, handler);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  static auto* const real = next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return number("ATTN_FAIL_THREADS") != 0 ? EAGAIN : real(thread, attributes, function, argument);
}

int clock_gettime(clockid_t clock, timespec* out) {
  const long told = number("ATTN_FAIL_CLOCK");
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, out));
  static std::atomic<long> looks{0};
  if (told != 0 && clock == CLOCK_REALTIME) out->tv_sec = told - 3600 * (looks++ % 2);
  return result;
}

void* malloc(std::size_t size) {
  return is_out_of_memory(__builtin_return_address(0)) ? refused() : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  return is_out_of_memory(__builtin_return_address(0)) ? refused() : __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t size) {
  return is_out_of_memory(__builtin_return_address(0)) ? refused() : __libc_realloc(old, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return is_out_of_memory(__builtin_return_address(0)) ? refused() : __libc_memalign(alignment, size);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  if (is_out_of_memory(__builtin_return_address(0))) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

}  // extern "C"
