// What Swift does not import of <sys/timex.h>. Nothing here decides anything. No header of the system that
// Glibc has is included: its types would be this module's.
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/// Stores the flags of the kernel's clock, and by how many microseconds it can be wrong. It changes nothing.
///
/// Returns the state of the clock, or -1 if the kernel does not tell.
int lw_clock_state(int *_Nonnull status, int64_t *_Nonnull maximum_error);

#endif
