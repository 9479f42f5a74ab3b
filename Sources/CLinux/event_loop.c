#include "event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>

int lw_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
int lw_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
int lw_timer_create(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int lw_timer_set(int timer, int64_t nanoseconds) {
  const struct itimerspec due = {
      .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL);
}

int lw_epoll_add(int epoll, int descriptor, int interest, uint64_t token) {
  // A hang-up is always reported.
  static const uint32_t events[] = {
      EPOLLIN | EPOLLRDHUP, EPOLLOUT, 0, EPOLLIN | EPOLLRDHUP | EPOLLOUT, EPOLLRDHUP};
  struct epoll_event event = {.events = events[interest]};
  event.data.u64 = token;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int lw_epoll_remove(int epoll, int descriptor) {
  struct epoll_event event = {0};
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

int lw_epoll_wait(int epoll, uint64_t *_Nonnull tokens, int capacity, int milliseconds) {
  struct epoll_event events[64];
  const int count = epoll_wait(epoll, events, capacity < 64 ? capacity : 64, milliseconds);
  for (int index = 0; index < count; index++) { tokens[index] = events[index].data.u64; }
  return count;
}
