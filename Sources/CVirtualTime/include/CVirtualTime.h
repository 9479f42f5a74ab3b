// What virtual time needs of Swift's runtime and of the kernel, and Swift does not import. Nothing here decides
// anything. No header of the system is included: its types would be this module's, and other systems lack it.
#ifndef CVIRTUALTIME_H
#define CVIRTUALTIME_H

/// Returns the world whose job the current thread runs; null outside of virtual time.
void *_Nullable vt_world(void);

/// Sets that world.
void vt_enter(void *_Nullable world);

/// Sets the executor that each new task of a world prefers, as the two words of an UnownedTaskExecutor, and what is
/// called in a world before a task enters an actor, and after `Task.cancel()` and `Task.immediate`.
void vt_set_hooks(unsigned long executor, unsigned long witnesses, void (*_Nonnull point)(void));

/// Returns how many tasks prefer that executor since they were created.
long vt_task_count(void);

/// Whether the current thread is in `Task.cancel()`.
_Bool vt_is_cancelling(void);

/// Whether the current job runs on no actor.
_Bool vt_is_outside_of_actors(void);

/// Whether other jobs wait for the actor on which the current job runs. It reads the private fields of an actor.
_Bool vt_actor_has_more(void);

/// Returns the number that the kernel has given to the current thread.
int vt_thread(void);

/// Whether a thread of this process waits for another one, for example for a lock.
_Bool vt_waits_for_thread(int thread);

/// Returns how much processor time a thread of this process has used, in ticks of the kernel; -1 unless it waits in the
/// kernel.
long vt_ticks_if_waiting(int thread);

/// Whether a debugger has stopped this process, or could.
_Bool vt_is_debugged(void);

#endif
