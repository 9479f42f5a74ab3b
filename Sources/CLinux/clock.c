#include "clock.h"

#include <sys/timex.h>

int lw_clock_state(int *status, int64_t *maximum_error) {
  struct timex clock = {0};
  int state = adjtimex(&clock);
  *status = clock.status;
  *maximum_error = clock.maxerror;
  return state;
}
