// What Swift does not import of <unistd.h>. Nothing here decides anything. No header of the system that
// Glibc has is included: its types would be this module's.
#ifndef PIPE_H
#define PIPE_H

/// Creates a pipe, and stores its reading and its writing end.
///
/// Returns 0, or -1 with the reason in errno.
int lw_pipe(int *_Nonnull ends, int flags);

#endif
