// Preloaded into a program: sends it the signal EARLY_SIGNAL when it asks for a limit, which is soon after the
// beginning of main. A signal that strace injects would be for one thread only.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit) {
  static int is_sent;
  const char *number = getenv("EARLY_SIGNAL");
  if (!is_sent++ && number) { kill(getpid(), atoi(number)); }
  return prlimit(0, resource, NULL, limit);
}
