// A program that logs in by PAM, as login, a screen locker and passwd do.
//
//   login FOLDER SERVICE USER STEP…
//
// It answers each prompt with the next line of its input, and prints the name, the result and the milliseconds of each step:
//
//   authenticate, establish, reinitialize, open, close, change  the functions of PAM
//   as=NUMBER    becomes this user as far as a setuid program of root does: only the real identifier changes
//   only=NUMBER  becomes this user for good
//   env=TEXT     puts a variable into PAM's environment
//   move=A:B     renames A to B, as the socket appears when a session begins
//   reap         waits for any child, and prints how many there were, and how often SIGCHLD came
#define _GNU_SOURCE
#include <errno.h>
#include <security/pam_appl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ended_children;

static void count_child(int number) {
    (void)number;
    ended_children++;
}

static int converse(int count, const struct pam_message **messages, struct pam_response **into, void *data) {
    (void)data;
    struct pam_response *answers = calloc((size_t)count, sizeof *answers);
    if (answers == NULL) return PAM_BUF_ERR;
    for (int i = 0; i < count; i++) {
        int style = messages[i]->msg_style;
        if (style != PAM_PROMPT_ECHO_OFF && style != PAM_PROMPT_ECHO_ON) continue;
        char line[1024];
        if (fgets(line, sizeof line, stdin) == NULL) {
            for (int j = 0; j < i; j++) free(answers[j].resp);
            free(answers);
            return PAM_CONV_ERR;
        }
        line[strcspn(line, "\n")] = 0;
        answers[i].resp = strdup(line);
    }
    *into = answers;
    return PAM_SUCCESS;
}

static void no_delay(int code, unsigned delay, void *data) {
    (void)code;
    (void)delay;
    (void)data;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int perform(pam_handle_t *handle, const char *step) {
    if (strcmp(step, "authenticate") == 0) return pam_authenticate(handle, 0);
    if (strcmp(step, "establish") == 0) return pam_setcred(handle, PAM_ESTABLISH_CRED);
    if (strcmp(step, "reinitialize") == 0) return pam_setcred(handle, PAM_REINITIALIZE_CRED);
    if (strcmp(step, "open") == 0) return pam_open_session(handle, 0);
    if (strcmp(step, "close") == 0) return pam_close_session(handle, 0);
    if (strcmp(step, "change") == 0) return pam_chauthtok(handle, 0);
    if (strncmp(step, "env=", 4) == 0) return pam_putenv(handle, step + 4);
    if (strncmp(step, "move=", 5) == 0) {
        char from[4096];
        const char *colon = strchr(step, ':');
        if (colon == NULL || (size_t)(colon - step - 5) >= sizeof from) return 1;
        memcpy(from, step + 5, (size_t)(colon - step - 5));
        from[colon - step - 5] = 0;
        return rename(from, colon + 1);
    }
    uid_t user = (uid_t)atoi(strchr(step, '=') ? strchr(step, '=') + 1 : "0");
    if (strncmp(step, "as=", 3) == 0) return setresuid(user, 0, 0);
    if (strncmp(step, "only=", 5) == 0) return setresgid(user, user, user) || setresuid(user, user, user);
    if (strcmp(step, "reap") == 0) {
        int count = 0;
        while (waitpid(-1, NULL, WNOHANG | __WALL) > 0) count++;
        return count + 100 * (int)ended_children;
    }
    fprintf(stderr, "unknown step %s\n", step);
    exit(2);
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = count_child;
    action.sa_flags = SA_RESTART;
    sigaction(SIGCHLD, &action, NULL);
    struct pam_conv conversation = {converse, NULL};
    pam_handle_t *handle = NULL;
    int result = pam_start_confdir(argv[2], argv[3], &conversation, argv[1], &handle);
    if (result != PAM_SUCCESS) return 3;
    pam_set_item(handle, PAM_FAIL_DELAY, (const void *)no_delay);
    for (int i = 4; i < argc; i++) {
        double start = now();
        result = perform(handle, argv[i]);
        printf("%s %d %.1f\n", argv[i], result, now() - start);
        fflush(stdout);
    }
    pam_end(handle, result);
    return 0;
}
