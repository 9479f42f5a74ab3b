// What Swift does not import of <linux/filter.h>. Nothing here decides anything. No header of the system that
// Glibc has is included: its types would be this module's.
#ifndef PEERS_H
#define PEERS_H

#include <stdint.h>

/// Has the system drop each packet to a TCP socket of IPv4 that does not come from a port of 127.0.0.1.
///
/// Returns 0, or -1 with the reason in errno.
int lw_admit_only(int descriptor, uint16_t port);

#endif
