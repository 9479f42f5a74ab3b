// What Swift's Glibc module leaves out, and what Swift does not import of it. Nothing here decides
// anything.
#ifndef EVENT_LOOP_H
#define EVENT_LOOP_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>

static inline int lw_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int lw_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline int lw_timer_create(void) {
  return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

/// Sets a timer to a reading of its clock in nanoseconds; it rings at once where that has passed.
static inline int lw_timer_set(int timer, int64_t nanoseconds) {
  const struct itimerspec due = {
      .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL);
}

/// Reports `descriptor` as `token` as long as it can be read, or written.
static inline int lw_epoll_add(int epoll, int descriptor, int writing, uint64_t token) {
  struct epoll_event event = {.events = writing ? EPOLLOUT : EPOLLIN | EPOLLRDHUP};
  event.data.u64 = token;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int lw_epoll_remove(int epoll, int descriptor) {
  struct epoll_event event = {0};
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

/// Waits, and stores the tokens of what was reported.
static inline int lw_epoll_wait(
    int epoll, uint64_t *_Nonnull tokens, int capacity, int milliseconds) {
  struct epoll_event events[64];
  const int count = epoll_wait(epoll, events, capacity < 64 ? capacity : 64, milliseconds);
  for (int index = 0; index < count; index++) { tokens[index] = events[index].data.u64; }
  return count;
}

#endif
