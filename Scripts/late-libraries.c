// Loads C libraries when their first function is called, instead of when the program starts. `latchkey get` needs none of them, and
// loading them takes longer than everything else that it does.
//
// Scripts/late-libraries writes the lists that this file includes. They define each function of these libraries that the program
// calls, as a jump through a table. At first, each place of the table leads to code that loads the library and fills the table.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef __x86_64__
#error "Scripts/build-release leaves late loading out on other processors"
#endif

enum { PAGE = 4096 };

// The table is constant data, which the loader of the system makes read-only, and has its pages to itself.
#define SLOT_COUNT ((LATE_FUNCTIONS * sizeof(void *) + PAGE - 1) / PAGE * PAGE / sizeof(void *))
#define FUNCTION(number, library, name) extern char late_first_##name[] __attribute__((visibility("hidden")));
#include "functions.h"
#undef FUNCTION
#define FUNCTION(number, library, name) [number] = late_first_##name,
__attribute__((visibility("hidden"), used, aligned(PAGE), section(".data.rel.ro.late"))) const void *late_slots[SLOT_COUNT] = {
#include "functions.h"
};
#undef FUNCTION

// One function: the jump, and what happens at the first call. The registers of all arguments are kept, but not those of floating
// numbers, in which no function here takes one: a part of a key may be in them, which must not get on the stack.
#define FUNCTION(number, library, name)                                                                                       \
    __asm__(".text\n.globl " #name "\n.hidden " #name "\n.type " #name ", @function\n.p2align 4\n" #name ":\n"              \
            ".cfi_startproc\nendbr64\njmp *(late_slots + 8 * " #number ")(%rip)\n"                                           \
            ".globl late_first_" #name "\n.hidden late_first_" #name "\nlate_first_" #name ":\nendbr64\n"                   \
            "push %rax\n.cfi_adjust_cfa_offset 8\npush %rdi\n.cfi_adjust_cfa_offset 8\n"                                     \
            "push %rsi\n.cfi_adjust_cfa_offset 8\npush %rdx\n.cfi_adjust_cfa_offset 8\n"                                     \
            "push %rcx\n.cfi_adjust_cfa_offset 8\npush %r8\n.cfi_adjust_cfa_offset 8\n"                                      \
            "push %r9\n.cfi_adjust_cfa_offset 8\nmov $" #library ", %edi\ncall late_load\n"                                  \
            "pop %r9\n.cfi_adjust_cfa_offset -8\npop %r8\n.cfi_adjust_cfa_offset -8\n"                                       \
            "pop %rcx\n.cfi_adjust_cfa_offset -8\npop %rdx\n.cfi_adjust_cfa_offset -8\n"                                     \
            "pop %rsi\n.cfi_adjust_cfa_offset -8\npop %rdi\n.cfi_adjust_cfa_offset -8\n"                                     \
            "pop %rax\n.cfi_adjust_cfa_offset -8\n"                                                                           \
            "jmp *(late_slots + 8 * " #number ")(%rip)\n.cfi_endproc\n.size " #name ", . - " #name "\n");
#include "functions.h"
#undef FUNCTION

static const struct {
    int library;
    const char *name;
} functions[] = {
#define FUNCTION(number, library, name) {library, #name},
#include "functions.h"
#undef FUNCTION
};

static const char *const libraries[] = {
#define LIBRARY(name) name,
#include "libraries.h"
#undef LIBRARY
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_loaded[LIBRARIES];

// Ends the program as the loader of the system does if it misses a library.
static _Noreturn void fail(const char *library) {
    const char *why = dlerror();
    fprintf(stderr, "latchkey: %s cannot be loaded: %s. Install the package that has it\n", library, why ? why : "unknown");
    _exit(127);
}

// Loads a library, and fills its places in the table. The table is writable only meanwhile.
__attribute__((visibility("hidden"), used)) void late_load(int library) {
    int code = errno;
    pthread_mutex_lock(&lock);
    if (!is_loaded[library]) {
        // As the loader does it: all functions are bound now, and PAM's modules find them.
        void *handle = dlopen(libraries[library], RTLD_NOW | RTLD_GLOBAL);
        if (handle == NULL) fail(libraries[library]);
        if (mprotect(late_slots, sizeof late_slots, PROT_READ | PROT_WRITE) != 0) fail(libraries[library]);
        for (int number = 0; number < LATE_FUNCTIONS; number++) {
            if (functions[number].library != library) continue;
            const void *found = dlsym(handle, functions[number].name);
            if (found == NULL) fail(libraries[library]);
            __atomic_store_n(&late_slots[number], found, __ATOMIC_RELEASE);
        }
        if (mprotect(late_slots, sizeof late_slots, PROT_READ) != 0) fail(libraries[library]);
        is_loaded[library] = 1;
    }
    pthread_mutex_unlock(&lock);
    errno = code;
}

// A process that will hold keys calls this first (CLinux), so that nothing is loaded while keys are in registers. It never serves a
// page, so it does without the web server, which brings many libraries along.
void latchkey_load_libraries(void) {
    for (int library = 0; library < LIBRARIES; library++) {
        if (strncmp(libraries[library], "libmicrohttpd", 13) != 0) late_load(library);
    }
}
