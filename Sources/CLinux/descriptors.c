#define _GNU_SOURCE

#include "descriptors.h"

#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

int lw_pipe(int *ends, int flags) { return pipe2(ends, flags); }

int lw_accept(int listener, void *address, unsigned *length) {
  return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int lw_spawn_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
