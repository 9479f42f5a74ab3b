// Runs a command at fixed addresses, and writes its page faults, and the memory at its end that it has written and shares
// with no other process, in KiB, to a file.
// Usage: memory FILE COMMAND…
#include <signal.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long dirty_memory(pid_t process) {
  char text[256];
  snprintf(text, sizeof text, "/proc/%d/smaps_rollup", process);
  FILE *file = fopen(text, "r");
  long size = -1;
  while (file && fgets(text, sizeof text, file)) { sscanf(text, "Private_Dirty: %ld kB", &size); }
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
  long dirty = -1;
  int status = 0, has_begun = 0;
  struct rusage usage;
  while (child > 0 && wait4(child, &status, 0, &usage) == child && WIFSTOPPED(status)) {
    long passed_on = WSTOPSIG(status);
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
      dirty = dirty_memory(child);
      passed_on = 0;
    } else if (!has_begun && passed_on == SIGTRAP) {
      // The program has taken the place of this one, and has run no instruction.
      ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL);
      has_begun = 1;
      passed_on = 0;
    }
    ptrace(PTRACE_CONT, child, NULL, passed_on);
  }
  FILE *file = dirty < 0 ? NULL : fopen(argv[1], "w");
  if (!file) { return 1; }
  fprintf(file, "%ld %ld\n", usage.ru_minflt, dirty);
  fclose(file);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
