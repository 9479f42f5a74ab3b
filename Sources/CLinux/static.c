// Only in the static program ('make static'). The Swift runtime asks /proc for the path of a static program while it starts,
// and aborts if there is none, as in a chroot, unless it knows where it is installed. This program needs nothing of
// there, and runs without /proc.
#ifdef LOCWATCH_STATIC
#include <stdlib.h>
#include <unistd.h>

// Before the initializers of the runtime, which have no priority.
__attribute__((constructor(101))) static void name_runtime(void) {
  if (access("/proc/self/exe", F_OK) != 0) { setenv("SWIFT_ROOT", "/", 0); }
}
#endif
