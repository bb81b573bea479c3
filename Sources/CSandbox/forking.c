#define _GNU_SOURCE
#include "inside.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t latchkey_fork(unsigned long flags) { return (pid_t)syscall(SYS_clone, flags, 0, 0, 0, 0); }

int latchkey_wait_for(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, __WALL) < 0)
        if (errno != EINTR) return errno;
    if (!WIFEXITED(status)) return ECHILD;
    return WEXITSTATUS(status);
}

void *latchkey_shared_memory(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

int latchkey_run_forked(unsigned long flags, int (*body)(void *), void *context) {
    // A handler of this process must not run in the other one.
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &former);
    pid_t process = latchkey_fork(flags);
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        // The copy of this process's memory is open to no other process, whatever namespaces it enters.
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        _exit(body(context));
    }
    int code = process < 0 ? errno : latchkey_wait_for(process);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    return code;
}
