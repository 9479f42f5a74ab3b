// What a client written with libgps's own functions does: wait, read, print.
#include <gps.h>
#include <stdio.h>

int main(int argc, char **argv) {
  struct gps_data_t gps;
  if (argc < 2 || gps_open("127.0.0.1", argv[1], &gps) != 0) { return 1; }
  gps_stream(&gps, WATCH_ENABLE | WATCH_JSON, NULL);
  while (gps_waiting(&gps, 5000000) && gps_read(&gps, NULL, 0) != -1) {
    if ((gps.set & MODE_SET) == 0 || gps.fix.mode < MODE_2D) { continue; }
    printf("%.9f %.9f %.3f\n", gps.fix.latitude, gps.fix.longitude, gps.fix.altHAE);
    fflush(stdout);
    gps.set = 0;
  }
  gps_close(&gps);
  return 0;
}
