// libgps's own decoder, for the tests that hold ours against it. The product
// does not call it: it can loop for ever (five devices in one report, a path of
// 128 bytes), and up to 3.27.5 it takes lines that were cut off.
#ifndef GPS_UNPACK_SHIMS_H
#define GPS_UNPACK_SHIMS_H

#include <gps.h>
#include <stddef.h>
#include <string.h>

#if GPSD_API_MAJOR_VERSION < 11
#error "locwatch needs libgps 3.22 (API 11) or newer"
#endif

#pragma clang assume_nonnull begin

/// gps_unpack() into an empty struct: libgps only ever adds to `set`, and keeps
/// what the line before left. Its first parameter became `const` in 3.25.
static inline int lw_unpack(char *line, struct gps_data_t *gps) {
  memset(gps, 0, sizeof(*gps));
  return gps_unpack(line, gps);
}

// Swift imports C arrays as tuples; these hand out pointers instead.
static inline const char *lw_unpacked_path(const struct devconfig_t *device) {
  return device->path;
}
static inline const char *lw_unpacked_driver(const struct devconfig_t *device) {
  return device->driver;
}
static inline const char *lw_unpacked_subtype(const struct devconfig_t *device) {
  return device->subtype;
}
static inline const char *lw_unpacked_subtype1(const struct devconfig_t *device) {
  return device->subtype1;
}
static inline const char *lw_unpacked_datum(const struct gps_data_t *gps) {
  return gps->fix.datum;
}
static inline const char *lw_unpacked_release(const struct gps_data_t *gps) {
  return gps->version.release;
}
static inline const char *lw_unpacked_rev(const struct gps_data_t *gps) {
  return gps->version.rev;
}
static inline const char *lw_unpacked_error(const struct gps_data_t *gps) { return gps->error; }
static inline const char *lw_unpacked_watched(const struct gps_data_t *gps) {
  return gps->policy.devpath;
}
static inline const struct satellite_t *lw_unpacked_satellite(
    const struct gps_data_t *gps, size_t index) {
  return &gps->skyview[index];
}
static inline const struct devconfig_t *lw_unpacked_device(
    const struct gps_data_t *gps, size_t index) {
  return &gps->devices.list[index];
}

// Function-like or typed macros, which Swift does not import.
static inline size_t lw_unpacked_most_satellites(void) { return MAXCHANNELS; }
static inline size_t lw_unpacked_most_devices(void) { return MAXUSERDEVS; }
static inline gps_mask_t lw_unpacked_has_devices(void) { return DEVICELIST_SET; }

#pragma clang assume_nonnull end
#endif
