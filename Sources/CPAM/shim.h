#pragma once
#include <security/pam_appl.h>
#include <string.h>

// Overwrites the remains of a passcode of this many bytes that the calls before this one left: on the stack below the caller,
// which the next thread reuses, and in the registers through which it was copied, which the dynamic linker may save on the
// stack.
__attribute__((noinline, unused)) static void latchkey_wipe_traces(unsigned int stack, unsigned int length) {
    char *space = __builtin_alloca(stack + 2048);
    explicit_bzero(space, stack + 2048);
    // Zeroes on the same way; a string is copied with its end.
    for (volatile unsigned int size = length; size <= length + 1; size++) {
        memcpy(space, space + 1024, size);
        __asm__ volatile("" : : "r"(space) : "memory");
    }
}
