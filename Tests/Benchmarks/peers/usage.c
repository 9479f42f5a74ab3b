// Runs a command, and prints its CPU and wall time in seconds and its resident memory at its most in
// KiB. A parent as large as Python would be counted: a child starts as its copy.
#include <stdio.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int argc, char **argv) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  const pid_t child = argc > 1 ? vfork() : -1;
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) { return 1; }
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%d %f %f %ld\n", status, seconds(usage.ru_utime) + seconds(usage.ru_stime),
         (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) / 1e9, usage.ru_maxrss);
  return 0;
}
