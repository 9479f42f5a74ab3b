// Runs a command at fixed addresses, and writes its page faults, and the memory that it has written and that is its own at
// its end, in KiB, to a file.
// Usage: memory FILE COMMAND…
#include <signal.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long written_memory(pid_t process) {
  char text[256];
  snprintf(text, sizeof text, "/proc/%d/smaps_rollup", process);
  FILE *file = fopen(text, "r");
  long size = -1;
  while (file && fgets(text, sizeof text, file)) { sscanf(text, "Anonymous: %ld kB", &size); }
  if (file) { fclose(file); }
  return size;
}

int main(int argc, char **argv) {
  const pid_t child = argc > 2 ? fork() : -1;
  if (child == 0) {
    personality(ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  long written = -1;
  int status = 0, has_begun = 0;
  struct rusage usage;
  while (child > 0 && wait4(child, &status, 0, &usage) == child && WIFSTOPPED(status)) {
    long passed_on = WSTOPSIG(status);
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
      written = written_memory(child);
      passed_on = 0;
    } else if (!has_begun && passed_on == SIGTRAP) {
      // The command was executed, and none of its instructions has run.
      ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL);
      has_begun = 1;
      passed_on = 0;
    }
    ptrace(PTRACE_CONT, child, NULL, passed_on);
  }
  FILE *file = written < 0 ? NULL : fopen(argv[1], "w");
  if (!file) { return 1; }
  fprintf(file, "%ld %ld\n", usage.ru_minflt, written);
  fclose(file);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
