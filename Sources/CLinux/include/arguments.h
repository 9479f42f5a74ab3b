// The arguments of this process, as the C library hands them to functions that run before main. Nothing here
// decides anything.
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

/// Returns how many arguments there are, the command's own name included.
int lw_argument_count(void);

/// Returns an argument, which stays where it is as long as the process lives; null at the count, and beyond it.
const char *_Nullable lw_argument(int index);

#endif
