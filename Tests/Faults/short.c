// Shortens reads and writes, and interrupts some of them, as the kernel may. It is preloaded into locwatch
// by inject.py. SHORT_SEED chooses which calls.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

static __thread unsigned seed;

static unsigned next(void) {
  if (seed == 0) {
    const char *text = getenv("SHORT_SEED");
    seed = 2654435761u * (unsigned)(text ? atoi(text) + 1 : 1);
  }
  seed = seed * 1664525u + 1013904223u;
  return seed >> 16;
}

// Returns a length from 1 to `count`; 0 if the call is to be interrupted.
static size_t shortened(size_t count) {
  unsigned choice = next() % 8;
  if (count == 0 || choice > 4) return count;
  if (choice == 0) return 0;
  return 1 + next() % count;
}

#define REAL(name, ...) \
  static ssize_t (*real)(__VA_ARGS__); \
  if (!real) real = (ssize_t(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name); \
  size_t part = shortened(count); \
  if (count > 0 && part == 0) { \
    errno = EINTR; \
    return -1; \
  }

ssize_t read(int descriptor, void *bytes, size_t count) {
  REAL(read, int, void *, size_t)
  // An eventfd and a timerfd are read as a whole.
  return real(descriptor, bytes, count == 8 ? count : part);
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  REAL(recv, int, void *, size_t, int)
  return real(descriptor, bytes, part, flags);
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  REAL(send, int, const void *, size_t, int)
  return real(descriptor, bytes, part, flags);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  REAL(write, int, const void *, size_t)
  return real(descriptor, bytes, count == 8 ? count : part);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  REAL(pwrite, int, const void *, size_t, off_t)
  return real(descriptor, bytes, part, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  REAL(pread, int, void *, size_t, off_t)
  return real(descriptor, bytes, part, offset);
}
