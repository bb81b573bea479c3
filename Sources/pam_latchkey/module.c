// pam_latchkey: passes the login password to the agent that holds the keys of the user's vault.
//
//   auth      keeps the password for the session, in locked memory; asks for nothing and unlocks nothing
//   setcred   passes it to the agent if a screen locker renews the credentials
//   session   passes it to the agent when the session begins; says so when it ends
//   password  passes the old and the new one to the agent, once the stack has changed it; keeps them for the session if there is
//             no agent yet
//
// The module never decides about a login: every function returns PAM_IGNORE. Its arguments:
//
//   debug        says in the log how each request went
//   exe=PATH     the program that has to listen at the socket
//   socket=PATH  another socket, for tests; not in a program with the rights of another user
#define _GNU_SOURCE
#include <pwd.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <security/pam_modutil.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <syslog.h>

#include "courier.h"

#ifndef LATCHKEY_PROGRAM
#define LATCHKEY_PROGRAM "/usr/libexec/latchkey/latchkey-agent"
#endif

#define EXPORTED __attribute__((visibility("default")))

// The longest password that the module passes on, and the longest name of a user. No passcode of a vault is longer.
enum { LONGEST_PASSWORD = 512, LONGEST_NAME = 256 };

// The secret part of a request about a changed password is the length of the old one as a big-endian number, the old one, and the
// new one.
enum { LENGTH = 4, LONGEST_SECRET = LENGTH + 2 * LONGEST_PASSWORD };

// The names of what is kept: the password of a login, and two passwords of a change that no agent knows of.
static const char login_name[] = "latchkey_password";
static const char change_name[] = "latchkey_change";

struct stash {
    char user[LONGEST_NAME + 1];
    size_t length;
    unsigned char secret[LONGEST_SECRET];
};

struct arguments {
    bool debug;
    const char *program;
    const char *socket;
};

static struct arguments read_arguments(int argc, const char **argv) {
    struct arguments arguments = {.program = LATCHKEY_PROGRAM};
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "debug") == 0) arguments.debug = true;
        if (strncmp(argv[i], "exe=/", 5) == 0) arguments.program = argv[i] + 4;
        if (strncmp(argv[i], "socket=/", 8) == 0 && getauxval(AT_SECURE) == 0) arguments.socket = argv[i] + 7;
    }
    return arguments;
}

// MARK: - Locked memory

static void *locked_memory(size_t length) {
    void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    if (mlock(memory, length) != 0 || madvise(memory, length, MADV_DONTDUMP) != 0) {
        munmap(memory, length);
        return NULL;
    }
    return memory;
}

static void wipe(void *memory, size_t length) {
    if (memory == NULL) return;
    explicit_bzero(memory, length);
    munmap(memory, length);
}

static void wipe_stash(pam_handle_t *handle, void *data, int status) {
    (void)handle;
    (void)status;
    wipe(data, sizeof(struct stash));
}

// Wipes what is kept under a name, if there is anything.
static void forget(pam_handle_t *handle, const char *name) { pam_set_data(handle, name, NULL, NULL); }

static void forget_all(pam_handle_t *handle) {
    forget(handle, login_name);
    forget(handle, change_name);
}

// Returns a text of PAM if it has a length that is allowed; NULL if not.
static const char *item(pam_handle_t *handle, int kind, size_t longest) {
    const void *found = NULL;
    if (pam_get_item(handle, kind, &found) != PAM_SUCCESS || found == NULL) return NULL;
    size_t length = strnlen(found, longest + 1);
    return length > 0 && length <= longest ? found : NULL;
}

// MARK: - Requests

static enum courier_outcome deliver(
    pam_handle_t *handle, const struct arguments *arguments, const char *user, const char *head, const void *secret,
    size_t length) {
    struct passwd *entry = pam_modutil_getpwnam(handle, user);
    if (entry == NULL) return COURIER_NOT_THE_USER;
    char path[64];
    snprintf(path, sizeof path, "/run/user/%lu/latchkey/agent.socket", (unsigned long)entry->pw_uid);
    struct courier_errand errand = {
        .user = entry->pw_uid,
        .group = entry->pw_gid,
        .socket = arguments->socket != NULL ? arguments->socket : path,
        .program = arguments->program,
        .head = head,
        .secret = secret,
        .secret_length = length,
    };
    enum courier_outcome outcome = courier_run(&errand);
    if (arguments->debug) pam_syslog(handle, LOG_DEBUG, "%s: %s", head, courier_words(outcome));
    return outcome;
}

// Keeps a secret for the session of a user.
static void keep(pam_handle_t *handle, const char *name, const char *user, const void *secret, size_t length) {
    struct stash *stash = locked_memory(sizeof *stash);
    if (stash == NULL) {
        forget(handle, name);
        return;
    }
    memcpy(stash->user, user, strlen(user) + 1);
    stash->length = length;
    memcpy(stash->secret, secret, length);
    if (pam_set_data(handle, name, stash, wipe_stash) != PAM_SUCCESS) wipe(stash, sizeof *stash);
}

// Passes a secret that is kept to the agent of the same user, once.
static void pass(pam_handle_t *handle, const struct arguments *arguments, const char *name, const char *head) {
    const void *data = NULL;
    if (pam_get_data(handle, name, &data) != PAM_SUCCESS || data == NULL) return;
    const struct stash *stash = data;
    const char *user = item(handle, PAM_USER, LONGEST_NAME);
    // sudo begins the session of another user with the password of this one.
    if (user != NULL && strcmp(user, stash->user) == 0) deliver(handle, arguments, user, head, stash->secret, stash->length);
    forget(handle, name);
}

// Passes on what `pam_sm_authenticate` and `pam_sm_chauthtok` kept. The agent gets a changed password first, because the other
// request has the new one.
static void pass_all(pam_handle_t *handle, const struct arguments *arguments) {
    pass(handle, arguments, change_name, "{\"do\":\"follow-login-password\"}");
    pass(handle, arguments, login_name, "{\"do\":\"unlock-at-login\"}");
}

// Replaces the password that is kept, because the user had to change it during the login.
static void renew(pam_handle_t *handle, const char *user, const char *password) {
    const void *data = NULL;
    if (pam_get_data(handle, login_name, &data) != PAM_SUCCESS || data == NULL) return;
    keep(handle, login_name, user, password, strlen(password));
}

// MARK: - What PAM calls

static bool has(int flags, unsigned flag) { return ((unsigned)flags & flag) != 0; }

EXPORTED int pam_sm_authenticate(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)flags;
    (void)argc;
    (void)argv;
    forget_all(handle);
    const char *user = item(handle, PAM_USER, LONGEST_NAME);
    // A fingerprint, a key or an automatic login leaves no password.
    const char *password = item(handle, PAM_AUTHTOK, LONGEST_PASSWORD);
    if (user == NULL || password == NULL) return PAM_IGNORE;
    keep(handle, login_name, user, password, strlen(password));
    return PAM_IGNORE;
}

EXPORTED int pam_sm_setcred(pam_handle_t *handle, int flags, int argc, const char **argv) {
    struct arguments arguments = read_arguments(argc, argv);
    if (has(flags, PAM_REINITIALIZE_CRED) || has(flags, PAM_REFRESH_CRED)) pass_all(handle, &arguments);
    if (has(flags, PAM_DELETE_CRED)) forget_all(handle);
    return PAM_IGNORE;
}

EXPORTED int pam_sm_open_session(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)flags;
    struct arguments arguments = read_arguments(argc, argv);
    pass_all(handle, &arguments);
    return PAM_IGNORE;
}

// The agent decides if the vault is locked: by a setting, and once no other session of the user is left.
EXPORTED int pam_sm_close_session(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)flags;
    struct arguments arguments = read_arguments(argc, argv);
    forget_all(handle);
    const char *user = item(handle, PAM_USER, LONGEST_NAME);
    if (user == NULL) return PAM_IGNORE;
    const char *session = pam_getenv(handle, "XDG_SESSION_ID");
    char head[128] = "{\"do\":\"end-session\"}";
    if (session != NULL) {
        size_t length = strnlen(session, 33);
        static const char allowed[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        if (length == 0 || length > 32 || strspn(session, allowed) != length) return PAM_IGNORE;
        snprintf(head, sizeof head, "{\"do\":\"end-session\",\"session\":\"%s\"}", session);
    }
    deliver(handle, &arguments, user, head, "", 0);
    return PAM_IGNORE;
}

EXPORTED int pam_sm_chauthtok(pam_handle_t *handle, int flags, int argc, const char **argv) {
    if (!has(flags, PAM_UPDATE_AUTHTOK)) return PAM_IGNORE;
    struct arguments arguments = read_arguments(argc, argv);
    const char *user = item(handle, PAM_USER, LONGEST_NAME);
    // Root changes a password without the old one. The agent asks for that when the vault is unlocked next.
    const char *old = item(handle, PAM_OLDAUTHTOK, LONGEST_PASSWORD);
    const char *new = item(handle, PAM_AUTHTOK, LONGEST_PASSWORD);
    if (user == NULL || old == NULL || new == NULL || strcmp(old, new) == 0) return PAM_IGNORE;
    unsigned char *both = locked_memory(LONGEST_SECRET);
    if (both == NULL) return PAM_IGNORE;
    size_t first = strlen(old), second = strlen(new);
    for (int i = 0; i < LENGTH; i++) both[i] = (unsigned char)((uint32_t)first >> (24 - 8 * i));
    memcpy(both + LENGTH, old, first);
    memcpy(both + LENGTH + first, new, second);
    size_t length = LENGTH + first + second;
    enum courier_outcome outcome =
        deliver(handle, &arguments, user, "{\"do\":\"follow-login-password\"}", both, length);
    // An expired password is changed before the session begins, and with it the agent's socket.
    if (outcome == COURIER_NO_AGENT) keep(handle, change_name, user, both, length);
    wipe(both, LONGEST_SECRET);
    renew(handle, user, new);
    return PAM_IGNORE;
}
