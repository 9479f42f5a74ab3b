#include "peers.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>

int lw_share_secret(int one, int other) {
  enum { LENGTH = 32 };
  // The prefix of no bits is that of all addresses.
  struct tcp_md5sig secret = {.tcpm_flags = TCP_MD5SIG_FLAG_PREFIX, .tcpm_keylen = LENGTH};
  ((struct sockaddr *)&secret.tcpm_addr)->sa_family = AF_INET;
  if (getrandom(secret.tcpm_key, LENGTH, 0) != LENGTH) return -1;
  if (setsockopt(one, IPPROTO_TCP, TCP_MD5SIG_EXT, &secret, sizeof secret) != 0) return -1;
  return setsockopt(other, IPPROTO_TCP, TCP_MD5SIG_EXT, &secret, sizeof secret);
}
