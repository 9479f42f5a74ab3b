// The program's own malloc() goes before the C library's, also for the libraries that it loads, and
// hands on to it by the names under which glibc offers it for this.
#include "allocation_counter.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

// A sanitizer has malloc() for itself.
long allocations_of_this_thread(void) { return -1; }

#else

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// The initial-exec model asks for no memory itself.
static __thread long count __attribute__((tls_model("initial-exec")));

long allocations_of_this_thread(void) { return count; }

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count++;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

#ifdef REPORT_AT_EXIT
// Built as a library and preloaded, it says how often the main thread asked.
__attribute__((destructor)) static void report(void) {
  const char *path = getenv("ALLOCATIONS");
  FILE *file = path == NULL ? NULL : fopen(path, "w");
  if (file == NULL) { return; }
  fprintf(file, "%ld\n", count);
  fclose(file);
}
#endif

#endif
