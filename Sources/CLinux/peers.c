#include "peers.h"

#include <linux/filter.h>
#include <sys/socket.h>

int lw_admit_only(int descriptor, uint16_t port) {
  // A packet begins with the header of TCP here, whose first field is the port that it comes from.
  struct sock_filter instructions[] = {
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, port, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)SKF_NET_OFF + 12),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x7f000001, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  const struct sock_fprog program = {
      .len = sizeof instructions / sizeof *instructions, .filter = instructions};
  return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}
