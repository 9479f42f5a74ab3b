#include "arguments.h"

#include <stddef.h>

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
