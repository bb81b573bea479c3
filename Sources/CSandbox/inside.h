#ifndef LATCHKEY_CSANDBOX_INSIDE_H
#define LATCHKEY_CSANDBOX_INSIDE_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

/// Forks without the handlers that libraries have for forks. No other thread's `wait` meets the process, because its end sends no signal.
pid_t latchkey_fork(unsigned long flags);

/// Waits for the end of a process from `latchkey_fork`. Returns 0 if it exited with status 0, or else an error number.
int latchkey_wait_for(pid_t process);

/// Returns memory of zeros that a forked process shares with this one; a null pointer if there is none.
void *latchkey_shared_memory(size_t size);

/// Runs `body` in a forked process, with all signals blocked, and waits for it. Returns 0 if it returned 0, or else an error number.
int latchkey_run_forked(unsigned long flags, int (*body)(void *), void *context);

#endif
