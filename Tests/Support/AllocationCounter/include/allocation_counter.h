// Counts what a thread asks of malloc().
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// How often this thread has asked for memory, or for more of it, since it began; -1 under a
/// sanitizer, which has malloc() for itself.
long allocations_of_this_thread(void);

#endif
