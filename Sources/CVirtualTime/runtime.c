// Functions of Swift's runtime, in front of those that the runtime has. They are weak: in a program with a static
// standard library, the runtime's own are called, and virtual time is not available. The declarations are those of
// swift/Runtime/Concurrency.h, which are stable.
#define _GNU_SOURCE
#include "CVirtualTime.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFTCC __attribute__((swiftcall))
#define ASYNCCC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))
#define WEAK __attribute__((weak))
#define TEXT(label) #label
#define PREFIX(prefix) TEXT(prefix)
// The name of a symbol for the linker.
#define SYMBOL(name) __asm__(PREFIX(__USER_LABEL_PREFIX__) name)

struct executor {
  uintptr_t identity, witnesses;
};

static __thread void *world;
static __thread int cancellations;
static struct executor preferred;
static void (*point)(void);
static long task_count;

void *vt_world(void) { return world; }
void vt_enter(void *new_world) { world = new_world; }
long vt_task_count(void) { return __atomic_load_n(&task_count, __ATOMIC_RELAXED); }
bool vt_is_cancelling(void) { return cancellations > 0; }

void vt_set_hooks(unsigned long executor, unsigned long witnesses, void (*new_point)(void)) {
  preferred = (struct executor){executor, witnesses};
  point = new_point;
}

static void pass_point(void) {
  if (world && point && !cancellations) point();
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

typedef SWIFTCC void immediate(void *, uintptr_t, uintptr_t);

WEAK SWIFTCC void swift_task_immediate(void *task, uintptr_t executor, uintptr_t witnesses) {
  static immediate *original;
  if (!original) original = (immediate *)dlsym(RTLD_NEXT, "swift_task_immediate");
  original(task, executor, witnesses);
  pass_point();
}

extern SWIFTCC void swift_task_cancel(void *task);

// Task.cancel().
WEAK SWIFTCC void vt_cancel(void *task) SYMBOL("$sScT6cancelyyF");
SWIFTCC void vt_cancel(void *task) {
  cancellations++;
  swift_task_cancel(task);
  cancellations--;
  pass_point();
}

extern SWIFTCC struct executor swift_task_getCurrentExecutor(void);
typedef ASYNCCC void switch_executor(CONTEXT void *, void *, uintptr_t, uintptr_t);
static switch_executor *original_switch;

static void before_switch(uintptr_t executor) {
  if (!original_switch) original_switch = (switch_executor *)dlsym(RTLD_NEXT, "swift_task_switch");
  if (world && executor && swift_task_getCurrentExecutor().identity != executor) pass_point();
}

WEAK ASYNCCC void swift_task_switch(
    CONTEXT void *context, void *resume, uintptr_t executor, uintptr_t witnesses) {
  before_switch(executor);
  __attribute__((musttail)) return original_switch(context, resume, executor, witnesses);
}

bool vt_is_outside_of_actors(void) { return swift_task_getCurrentExecutor().identity == 0; }

bool vt_actor_has_more(void) {
  struct executor executor = swift_task_getCurrentExecutor();
  const uintptr_t *words = (const uintptr_t *)executor.identity;
  // Of an actor without an executor of its own: the jobs that have arrived, and those that are sorted already.
  return words && executor.witnesses == 0 && (words[5] || words[8]);
}

// Sets and dictionaries of equal values have the same order in each process, as with SWIFT_DETERMINISTIC_HASHING=1: a
// schedule would otherwise not repeat what code does that iterates over them.
struct hashing {
  uint64_t seeds[2];
  bool is_deterministic;
};

__attribute__((constructor)) static void hash_deterministically(void) {
  struct hashing *hashing = dlsym(RTLD_DEFAULT, "_swift_stdlib_Hashing_parameters");
  if (hashing) *hashing = (struct hashing){{0, 0}, true};
}
