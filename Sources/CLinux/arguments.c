#include "arguments.h"

#include <stddef.h>
#ifdef LOCWATCH_STATIC
#include <stdlib.h>
#include <unistd.h>
#endif

static int count;
static char **values;

// glibc calls each function of .init_array with what main gets. A library that was preloaded may have moved the
// environment by then, so the arguments are not to be looked for in front of it.
__attribute__((constructor)) static void note_arguments(int argc, char **argv) {
  count = argc;
  values = argv;
}

int lw_argument_count(void) { return count; }

const char *lw_argument(int index) { return index >= 0 && index < count ? values[index] : NULL; }

// Only in the static program ('make static'). The Swift runtime asks /proc for the path of a static program while it starts,
// and aborts if there is none, as in a chroot, unless it knows where it is installed. This program needs nothing of
// there, and runs without /proc.
#ifdef LOCWATCH_STATIC
// Before the initializers of the runtime, which have no priority.
__attribute__((constructor(101))) static void name_runtime(void) {
  if (access("/proc/self/exe", F_OK) != 0) { setenv("SWIFT_ROOT", "/", 0); }
}
#endif
