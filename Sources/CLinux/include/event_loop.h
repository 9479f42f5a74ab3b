// The parts of epoll, eventfd and timerfd that Swift's Glibc module leaves out or does not import. Nothing here
// decides anything. No header of the system that Glibc has is included: its types would be this module's.
#ifndef EVENT_LOOP_H
#define EVENT_LOOP_H

#include <stdint.h>

int lw_epoll_create(void);
int lw_eventfd_create(void);
int lw_timer_create(void);

/// Sets a timer to a reading of its clock in nanoseconds; it rings at once where that has passed.
int lw_timer_set(int timer, int64_t nanoseconds);

/// Reports `descriptor` as `token` as long as it can be read (0 or 3) or written (1 or 3), its other side is gone (2),
/// or sends nothing more (4).
int lw_epoll_add(int epoll, int descriptor, int interest, uint64_t token);

int lw_epoll_remove(int epoll, int descriptor);

/// Waits, and stores the tokens of what was reported.
int lw_epoll_wait(int epoll, uint64_t *_Nonnull tokens, int capacity, int milliseconds);

#endif
