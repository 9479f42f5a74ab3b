// What Swift does not import of <unistd.h>, <sys/socket.h>, <stdio.h>, <linux/tcp.h> and <spawn.h>. Nothing here
// decides anything. No header of the system that Glibc has is included: its types would be this module's.
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

/// Creates a pipe, and stores its reading and its writing end.
///
/// Returns 0, or -1 with the reason in errno.
int lw_pipe(int *_Nonnull ends, int flags);

/// Accepts a connection, whose descriptor never blocks and is not inherited, and stores the address of its peer.
///
/// The length is a socklen_t: that of the room for the address, and then that of the address. Returns the descriptor,
/// or -1 with the reason in errno.
int lw_accept(int listener, void *_Nullable address, unsigned *_Nullable length);

/// Renames a file, unless there is one of the new name.
///
/// Returns 0, or -1 with the reason in errno, which is EEXIST if there is one.
int lw_rename_new(const char *_Nonnull from, const char *_Nonnull to);

/// Has a child close its descriptors from the first one on, after what has been added before.
///
/// The actions are a posix_spawn_file_actions_t. Returns 0, or an error number.
int lw_spawn_close_from(void *_Nonnull actions, int first);

/// Gives two TCP sockets of IPv4 a secret, with which the system signs their packets as of RFC 2385. It drops each
/// packet to them that has no such signature. Nobody else can read the secret.
///
/// Returns 0, or -1 with the reason in errno: some kernels are built without it.
int lw_share_secret(int one, int other);

#endif
