// What the kernel says about the threads of this process. Where there is no /proc, nothing is known.
#define _GNU_SOURCE
#include "CVirtualTime.h"
#include <stdbool.h>

#ifdef __linux__
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Reads the beginning of a file; false if that is not possible.
static bool read_file(const char *name, char *text, int size) {
  FILE *file = fopen(name, "re");
  if (!file) return false;
  size_t count = fread(text, 1, (size_t)size - 1, file);
  fclose(file);
  text[count] = 0;
  return count > 0;
}

static bool read_of_thread(int thread, const char *name, char *text, int size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/%s", thread, name);
  return read_file(path, text, size);
}

int vt_thread(void) {
  static __thread int thread;
  if (!thread) thread = (int)syscall(SYS_gettid);
  return thread;
}

bool vt_waits_for_thread(int thread) {
  char text[256];
  // Containers may hide the system call.
  if (!read_of_thread(thread, "syscall", text, sizeof text)) return vt_ticks_if_waiting(thread) >= 0;
  return text[0] >= '0' && text[0] <= '9' && atol(text) == SYS_futex;
}

long vt_ticks_if_waiting(int thread) {
  char text[512];
  if (!read_of_thread(thread, "stat", text, sizeof text)) return -1;
  // The name of the thread, in parentheses, can contain anything.
  const char *end = strrchr(text, ')');
  char state;
  unsigned long user, kernel;
  if (!end || sscanf(end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &kernel) != 3)
    return -1;
  return state == 'S' || state == 'D' ? (long)(user + kernel) : -1;
}

bool vt_is_debugged(void) {
  char text[4096];
  if (!read_file("/proc/self/status", text, sizeof text)) return false;
  const char *tracer = strstr(text, "TracerPid:");
  return tracer && atol(tracer + strlen("TracerPid:")) != 0;
}
#else
int vt_thread(void) { return 0; }
bool vt_waits_for_thread(int thread) { return thread < 0; }
long vt_ticks_if_waiting(int thread) { return thread < 0 ? 0 : -1; }
bool vt_is_debugged(void) { return false; }
#endif
