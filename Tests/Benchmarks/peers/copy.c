// Copies what gpsd sends, with one epoll_wait, one recv and one write for each report, and does nothing else.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv) {
  static char buffer[65536];
  static const char watch[] = "?WATCH={\"enable\":true,\"json\":true};\n";
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (argc < 2) { return 1; }
  address.sin_port = htons((unsigned short)atoi(argv[1]));
  int daemon = socket(AF_INET, SOCK_STREAM, 0), events = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  if (connect(daemon, (struct sockaddr *)&address, sizeof address) != 0
      || send(daemon, watch, strlen(watch), 0) < 0
      || epoll_ctl(events, EPOLL_CTL_ADD, daemon, &event) != 0) { return 1; }
  while (epoll_wait(events, &event, 1, 5000) > 0) {
    ssize_t count = recv(daemon, buffer, sizeof buffer, 0);
    if (count <= 0 || write(1, buffer, (size_t)count) != count) { return 1; }
  }
  return 0;
}
