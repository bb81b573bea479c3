// Argon2 with little memory, in place of libsodium's function of this name: in the process of the tests, which has it in
// its program, and in the copy of the command that tests run, which loads it as a library (GuessCost.swift).
//
// A guess of the passcode of a real vault takes 256 MiB and half a second of a processor, and the tests make hundreds.

#include <stdbool.h>
#include <stddef.h>

int crypto_pwhash_argon2id(
    unsigned char *out, unsigned long long out_count, const char *passcode, unsigned long long passcode_count,
    const unsigned char *salt, unsigned long long passes, size_t memory, int algorithm);

/// True while this thread has to pay the whole cost.
_Thread_local bool latchkey_stretches_genuinely = false;

int crypto_pwhash(
    unsigned char *out, unsigned long long out_count, const char *passcode, unsigned long long passcode_count,
    const unsigned char *salt, unsigned long long passes, size_t memory, int algorithm) {
    static const size_t least = 8192;
    if (!latchkey_stretches_genuinely && memory > least) memory = least;
    return crypto_pwhash_argon2id(
        out, out_count, passcode, passcode_count, salt, passes, memory, algorithm);
}
