// A PAM module for tests. Its arguments say what it does:
//
//   passdb=FILE       asks for the passcode, and looks for the line user:passcode in this file, byte for byte
//   nullok            accepts a user with an empty passcode without asking, unless the application forbids it
//   behave=ok         asks for the passcode, and accepts any
//   behave=deny       asks for the passcode, and accepts none
//   behave=silent     accepts every user without asking (as pam_permit does)
//   code=N            returns N after asking; with behave=silent, without asking
//   prompt=KIND       asks in another way: echo-on, twice, together (two at once), many (40 at once), none (0 at once),
//                     radio, binary, unknown, told (messages before and after one prompt)
//   info=TEXT         sends TEXT first ([info=with spaces])
//   flood=N           sends N long lines with control characters first
//   hang-while=FILE   waits as long as FILE exists, at most 20 seconds, before it goes on
//   record=FILE       writes the code of its prompt into FILE, and "told" if it got a passcode
//   account=N         returns N when asked about the account
//   account-prompt=KIND  asks in this way when asked about the account
//   content           with prompt=: accepts whatever answer it got
#define _GNU_SOURCE
#include "pam_test_module.h"

#include <fcntl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_ANSWER = 512, MOST_MESSAGES = 64, HANG_STEPS = 2000, HANG_STEP_NANOSECONDS = 10000000 };

static const char *value(int argc, const char **argv, const char *name) {
    size_t length = strlen(name);
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') return argv[i] + length + 1;
    return NULL;
}

static int has(int argc, const char **argv, const char *word) {
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], word) == 0) return 1;
    return 0;
}

static int is(const char *text, const char *other) { return text != NULL && strcmp(text, other) == 0; }

static void release(struct pam_response *responses, int count) {
    if (responses == NULL) return;
    for (int i = 0; i < count; i++) {
        if (responses[i].resp == NULL) continue;
        explicit_bzero(responses[i].resp, strlen(responses[i].resp));
        free(responses[i].resp);
    }
    free(responses);
}

// Sends so many messages or prompts of these styles at once. Sets *told if the answer has a passcode.
static int converse(pam_handle_t *handle, int count, const int *styles, int *told) {
    const struct pam_conv *conversation = NULL;
    int code = pam_get_item(handle, PAM_CONV, (const void **)&conversation);
    if (code != PAM_SUCCESS) return code;
    struct pam_message messages[MOST_MESSAGES];
    const struct pam_message *pointers[MOST_MESSAGES];
    for (int i = 0; i < count; i++) {
        messages[i].msg_style = styles[i];
        messages[i].msg = "What is it?";
        pointers[i] = &messages[i];
    }
    struct pam_response *responses = NULL;
    code = conversation->conv(count, pointers, &responses, conversation->appdata_ptr);
    if (code == PAM_SUCCESS && responses != NULL)
        for (int i = 0; i < count; i++)
            if (responses[i].resp != NULL) *told = 1;
    release(responses, code == PAM_SUCCESS ? count : 0);
    return code;
}

static int ask_otherwise(pam_handle_t *handle, const char *kind) {
    int styles[MOST_MESSAGES], told = 0, code;
    for (int i = 0; i < MOST_MESSAGES; i++) styles[i] = PAM_PROMPT_ECHO_OFF;
    if (is(kind, "twice")) {
        code = converse(handle, 1, styles, &told);
        int second = converse(handle, 1, styles, &told);
        return code != PAM_SUCCESS ? code : second;
    }
    if (is(kind, "told")) {
        styles[0] = PAM_TEXT_INFO;
        styles[2] = PAM_ERROR_MSG;
        code = converse(handle, 3, styles, &told);
        return code != PAM_SUCCESS ? code : told ? PAM_SUCCESS : PAM_AUTH_ERR;
    }
    if (is(kind, "together")) return converse(handle, 2, styles, &told);
    if (is(kind, "many")) return converse(handle, 40, styles, &told);
    if (is(kind, "none")) return converse(handle, 0, styles, &told);
    if (is(kind, "echo-on")) styles[0] = PAM_PROMPT_ECHO_ON;
    else if (is(kind, "radio")) styles[0] = PAM_RADIO_TYPE;
    else if (is(kind, "binary")) styles[0] = PAM_BINARY_PROMPT;
    else styles[0] = 4711;
    return converse(handle, 1, styles, &told);
}

static void hang_while(const char *path) {
    struct timespec step = {0, HANG_STEP_NANOSECONDS};
    for (int i = 0; i < HANG_STEPS && access(path, F_OK) == 0; i++) nanosleep(&step, NULL);
}

// Returns true if the file has the line user:passcode. Leaves nothing of it in memory.
static int knows(const char *path, const char *user, const char *passcode) {
    static const int most = 16384;
    char *text = calloc(1, most + 1);
    if (text == NULL) return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC), found = 0;
    ssize_t size = file >= 0 ? read(file, text, most) : -1;
    if (file >= 0) close(file);
    size_t user_length = strlen(user), length = strlen(passcode);
    for (char *line = text, *end; size > 0 && line < text + size; line = end + 1) {
        end = memchr(line, '\n', text + size - line);
        if (end == NULL) end = text + size;
        if ((size_t)(end - line) == user_length + 1 + length && memcmp(line, user, user_length) == 0
            && line[user_length] == ':' && memcmp(line + user_length + 1, passcode, length) == 0)
            found = 1;
    }
    explicit_bzero(text, most);
    free(text);
    return found;
}

static int has_user(const char *path, const char *user) {
    char text[16384 + 2] = "\n", wanted[256];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file >= 0 ? read(file, text + 1, sizeof text - 2) : -1;
    if (file >= 0) close(file);
    snprintf(wanted, sizeof wanted, "\n%s:", user);
    int found = size > 0 && strstr(text, wanted) != NULL;
    explicit_bzero(text, sizeof text);
    return found;
}

static void record(const char *path, int code, const char *passcode) {
    if (path == NULL) return;
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0600);
    if (file < 0) return;
    dprintf(file, "%d%s\n", code, passcode != NULL ? " told" : "");
    close(file);
}

int pam_sm_authenticate(pam_handle_t *handle, int flags, int argc, const char **argv) {
    const char *user = NULL, *passcode = NULL;
    const char *behave = value(argc, argv, "behave"), *code_text = value(argc, argv, "code");
    const char *passdb = value(argc, argv, "passdb"), *text = value(argc, argv, "info");
    int code = pam_get_user(handle, &user, NULL);
    if (code != PAM_SUCCESS) return code;

    if (text != NULL) pam_info(handle, "%s", text);
    text = value(argc, argv, "flood");
    for (int i = 0; text != NULL && i < atoi(text); i++) {
        char line[1000];
        memset(line, 'x', sizeof line);
        line[sizeof line - 1] = 0;
        memcpy(line, "\033[2J\a", 5);
        pam_error(handle, "%s", line);
    }
    text = value(argc, argv, "hang-while");
    if (text != NULL) hang_while(text);
    text = value(argc, argv, "prompt");
    if (text != NULL) {
        // The module accepts in any case: the verdict is the application's own.
        code = ask_otherwise(handle, text);
        record(value(argc, argv, "record"), code, NULL);
        return has(argc, argv, "content") ? PAM_SUCCESS : code;
    }
    if (is(behave, "silent")) return code_text != NULL ? atoi(code_text) : PAM_SUCCESS;
    if (passdb != NULL && has(argc, argv, "nullok") && !(flags & PAM_DISALLOW_NULL_AUTHTOK) && knows(passdb, user, ""))
        return PAM_SUCCESS;

    code = pam_get_authtok(handle, PAM_AUTHTOK, &passcode, NULL);
    record(value(argc, argv, "record"), code, code == PAM_SUCCESS ? passcode : NULL);
    if (code != PAM_SUCCESS) return code;
    if (passcode == NULL || strlen(passcode) >= LONGEST_ANSWER) return PAM_AUTH_ERR;
    if (code_text != NULL) return atoi(code_text);
    if (is(behave, "ok")) return PAM_SUCCESS;
    if (passdb == NULL || is(behave, "deny")) return PAM_AUTH_ERR;
    if (!has_user(passdb, user)) return PAM_USER_UNKNOWN;
    // An empty passcode that was not accepted above is wrong.
    return passcode[0] != 0 && knows(passdb, user, passcode) ? PAM_SUCCESS : PAM_AUTH_ERR;
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)flags;
    const char *code = value(argc, argv, "account"), *prompt = value(argc, argv, "account-prompt");
    if (prompt != NULL) ask_otherwise(handle, prompt);
    return code != NULL ? atoi(code) : PAM_SUCCESS;
}
