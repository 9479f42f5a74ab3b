// What Swift does not import of <linux/tcp.h>. Nothing here decides anything. No header of the system that
// Glibc has is included: its types would be this module's.
#ifndef PEERS_H
#define PEERS_H

/// Gives two TCP sockets of IPv4 a secret, with which the system signs their packets as of RFC 2385. It drops each
/// packet to them that has no such signature. Nobody else can read the secret.
///
/// Returns 0, or -1 with the reason in errno: some kernels are built without it.
int lw_share_secret(int one, int other);

#endif
