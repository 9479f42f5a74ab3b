#define _GNU_SOURCE

#include "descriptors.h"

#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

int lw_pipe(int *ends, int flags) { return pipe2(ends, flags); }

int lw_accept(int listener, void *address, unsigned *length) {
  return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int lw_rename_new(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int lw_spawn_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int lw_share_secret(int one, int other) {
  enum { LENGTH = 32 };
  // The prefix of no bits is that of all addresses.
  struct tcp_md5sig secret = {.tcpm_flags = TCP_MD5SIG_FLAG_PREFIX, .tcpm_keylen = LENGTH};
  ((struct sockaddr *)&secret.tcpm_addr)->sa_family = AF_INET;
  if (getrandom(secret.tcpm_key, LENGTH, 0) != LENGTH) return -1;
  if (setsockopt(one, IPPROTO_TCP, TCP_MD5SIG_EXT, &secret, sizeof secret) != 0) return -1;
  return setsockopt(other, IPPROTO_TCP, TCP_MD5SIG_EXT, &secret, sizeof secret);
}
