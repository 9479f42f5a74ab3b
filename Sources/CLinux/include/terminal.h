// What has to be C: the functions that a signal handler calls, and what Swift does not import of
// <sys/signalfd.h>. Nothing here decides anything. No header of the system that Glibc has is included: its
// types would be this module's.
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// The longest text that lw_screen_begin() takes.
enum { lw_maximum_leaving = 64 };

/// Notes how to restore the terminal: the mode to set, a struct termios, and the text to write. The first
/// call installs handlers of all signals that end a process, which restore the terminal and then let the
/// signal take its course. For a crash, that includes the handlers that were installed before.
void lw_screen_begin(int terminal, const void *mode, const char *leaving, size_t length);

/// Forgets how to restore the terminal, because that was done.
void lw_screen_end(void);

/// Restores the terminal unless that was done. It is safe to call in a signal handler.
void lw_screen_restore(void);

/// Stops this process as SIGTSTP does, and returns when it continues. SIGTSTP must be blocked.
void lw_stop(void);

/// Returns a non-blocking descriptor that is readable when one of these blocked signals, a sigset_t, has
/// arrived; -1 if none is left.
int lw_signals_open(const void *signals);

/// Returns the number of the next signal that has arrived; 0 if there is none.
int lw_signals_read(int descriptor);

#pragma clang assume_nonnull end
#endif
