// A library to preload: it sets a variable before main, and moves the environment to memory of zeros. A call of setenv alone
// moves it to memory of the heap, with anything in front of it.
#include <stdlib.h>

extern char **environ;

__attribute__((constructor)) static void move(void) {
  static char *moved[4096];
  setenv("LOCWATCH_MOVED", "1", 1);
  for (int index = 0; environ[index] && index < 2000; index++) { moved[2000 + index] = environ[index]; }
  environ = moved + 2000;
}
