// Functions of Swift's runtime, in front of those that the runtime has. They are weak: in a program with a static
// standard library, the runtime's own are called, and virtual time is not available. The declarations are those of
// swift/Runtime/Concurrency.h, which are stable.
#define _GNU_SOURCE
#include "CVirtualTime.h"
#include <dlfcn.h>
#include <stddef.h>

#define SWIFTCC __attribute__((swiftcall))
#define WEAK __attribute__((weak))

struct executor {
  uintptr_t identity, witnesses;
};

static __thread void *world;
static struct executor preferred;
static long task_count;

void *vt_world(void) { return world; }
void vt_enter(void *new_world) { world = new_world; }
long vt_task_count(void) { return __atomic_load_n(&task_count, __ATOMIC_RELAXED); }

void vt_prefer(uintptr_t executor, uintptr_t witnesses) {
  preferred = (struct executor){executor, witnesses};
}

// swift/ABI/TaskOptions.h: what a task is created with. The kind is the low byte of the flags.
enum { KIND_GROUP = 1, KIND_ASYNC_LET = 3, KIND_UNOWNED_EXECUTOR = 5, KIND_OWNED_EXECUTOR = 6 };
struct option {
  size_t flags;
  struct option *parent;
  struct executor executor;
};

// Whether a task neither has a parent, whose executor it inherits, nor is created for an executor.
static bool is_free(const struct option *option) {
  for (; option; option = option->parent) {
    switch (option->flags & 0xff) {
    case KIND_GROUP: case KIND_ASYNC_LET: case KIND_UNOWNED_EXECUTOR: case KIND_OWNED_EXECUTOR: return false;
    }
  }
  return true;
}

struct task_and_context {
  void *task, *context;
};
typedef SWIFTCC struct task_and_context create(size_t, struct option *, const void *, void *, void *);

WEAK SWIFTCC struct task_and_context swift_task_create(
    size_t flags, struct option *options, const void *type, void *entry, void *context) {
  static create *original;
  if (!original) original = (create *)dlsym(RTLD_NEXT, "swift_task_create");
  struct option preference = {KIND_UNOWNED_EXECUTOR, options, preferred};
  if (world && preferred.identity && is_free(options)) {
    options = &preference;
    __atomic_fetch_add(&task_count, 1, __ATOMIC_RELAXED);
  }
  return original(flags, options, type, entry, context);
}

extern SWIFTCC struct executor swift_task_getCurrentExecutor(void);
bool vt_is_outside_of_actors(void) { return swift_task_getCurrentExecutor().identity == 0; }

bool vt_actor_has_more(void) {
  struct executor executor = swift_task_getCurrentExecutor();
  const uintptr_t *words = (const uintptr_t *)executor.identity;
  // Of an actor without an executor of its own: the jobs that have arrived, and those that are sorted already.
  return words && executor.witnesses == 0 && (words[5] || words[8]);
}
