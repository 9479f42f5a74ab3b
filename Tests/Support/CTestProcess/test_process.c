#include "test_process.h"

#include <signal.h>

// A write to what nobody reads fails with EPIPE, as in the command. Tests run side by side, so that none of them can
// change this for itself alone.
__attribute__((constructor)) static void ignore_pipe_signal(void) { signal(SIGPIPE, SIG_IGN); }
