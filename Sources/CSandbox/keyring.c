#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int latchkey_join_new_keyring(void) {
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 0) >= 0) return 0;
    // A system without keyrings has none to keep from the sandbox.
    return errno == ENOSYS ? 0 : errno;
}

int32_t latchkey_add_session_key(const char *name) {
    return (int32_t)syscall(SYS_add_key, "user", name, "probe", 5, KEY_SPEC_SESSION_KEYRING);
}

void latchkey_revoke_key(int32_t key) { syscall(SYS_keyctl, KEYCTL_REVOKE, key); }
