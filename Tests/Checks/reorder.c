// A library to preload: it lets the jobs of the global queues begin in another order, which a seed draws.
// Serial queues keep their order. Usage: REORDER_SEED=1 LD_PRELOAD=reorder.so PROGRAM
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

typedef void (*job_t)(void *);
typedef void (*async_t)(void *, void *, job_t);
typedef void *(*global_t)(intptr_t, uintptr_t);

enum { CLASSES = 6, JOBS = 4096 };
static const unsigned classes[CLASSES] = {0x21, 0x19, 0x15, 0x11, 0x09, 0};

static struct queue {
  void *queue;
  struct { void *context; job_t job; } jobs[JOBS];
  unsigned count;
} queues[CLASSES];
static async_t original;
static uint64_t seed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) {
  original = (async_t)dlsym(RTLD_NEXT, "dispatch_async_f");
  global_t global = (global_t)dlsym(RTLD_DEFAULT, "dispatch_get_global_queue");
  const char *text = getenv("REORDER_SEED");
  seed = text ? strtoull(text, NULL, 10) : 0;
  for (int i = 0; i < CLASSES; i++) queues[i].queue = global(classes[i], 0);
}

// Runs one of the jobs that wait for the queue, whichever it was made for.
static void run_any(void *argument) {
  struct queue *queue = argument;
  pthread_mutex_lock(&lock);
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  unsigned place = (unsigned)(seed >> 33) % queue->count;
  void *context = queue->jobs[place].context;
  job_t job = queue->jobs[place].job;
  queue->jobs[place] = queue->jobs[--queue->count];
  pthread_mutex_unlock(&lock);
  job(context);
}

void dispatch_async_f(void *target, void *context, job_t job) {
  pthread_once(&once, prepare);
  for (int i = 0; i < CLASSES; i++) {
    struct queue *queue = &queues[i];
    if (queue->queue != target) continue;
    pthread_mutex_lock(&lock);
    int fits = queue->count < JOBS;
    if (fits) {
      queue->jobs[queue->count].context = context;
      queue->jobs[queue->count++].job = job;
    }
    pthread_mutex_unlock(&lock);
    if (fits) { original(target, queue, run_any); return; }
    break;
  }
  original(target, context, job);
}
