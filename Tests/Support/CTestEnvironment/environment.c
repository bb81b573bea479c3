// Makes the environment of the tests before they start, so that neither they nor a program that they start sees what the
// user of the machine has set: a vault, an agent of SSH, a bus, a home, commands that were installed by hand.
//
// It runs before everything else, so that no test can be written that forgets it.

#define _GNU_SOURCE

#include "environment.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

void latchkey_tests_close_others(posix_spawn_file_actions_t *actions) {
    posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

static bool is_made;
static pid_t maker;
static char home[PATH_MAX];
// A test process that the tests start has the same home.
static const char home_name[] = "LATCHKEY_TESTS_HOME";

// The variables that tests, sanitizers and libraries of tests read. Any other is left out.
static const char *const kept[] = {
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "PKITS",
    "LATCHKEY_INSTALLABLE",
    "LATCHKEY_PYTHON",
    "LATCHKEY_SEED",
    "LATCHKEY_SOAK_SECONDS",
    "LATCHKEY_SOAK_SEED",
    "LATCHKEY_SOAK_STEPS",
    "LATCHKEY_WRITE_VECTORS",
    "LATCHKEY_WYCHEPROOF",
    home_name,
};
static const char *const kept_beginnings[] = {
    "SWIFT_", "SWT_", "XCT", "ASAN_", "LSAN_", "TSAN_", "UBSAN_", "LLVM_PROFILE_",
};

static bool is_kept(const char *variable) {
    size_t length = strcspn(variable, "=");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strlen(kept[i]) == length && strncmp(variable, kept[i], length) == 0) return true;
    for (size_t i = 0; i < sizeof kept_beginnings / sizeof *kept_beginnings; i++)
        if (strncmp(variable, kept_beginnings[i], strlen(kept_beginnings[i])) == 0) return true;
    return false;
}

// Only the program of the tests itself: what it starts has the environment that a test gives it.
static bool runs_the_tests(void) {
    char path[PATH_MAX];
    ssize_t count = readlink("/proc/self/exe", path, sizeof path - 1);
    static const char ending[] = ".xctest";
    ssize_t length = sizeof ending - 1;
    return count > length && memcmp(path + count - length, ending, length) == 0;
}

// Appends the folder of the Swift compiler to the folders of the system, because some tests compile.
static void make_path(char *path, size_t size) {
    snprintf(path, size, "/usr/bin:/bin:/usr/sbin:/sbin");
    const char *found = getenv("PATH");
    while (found && *found) {
        size_t length = strcspn(found, ":");
        char compiler[PATH_MAX];
        if (*found == '/' && length + sizeof "/swiftc" < sizeof compiler) {
            snprintf(compiler, sizeof compiler, "%.*s/swiftc", (int)length, found);
            if (access(compiler, X_OK) == 0 && strlen(path) + length + 2 < size) {
                strcat(path, ":");
                strncat(path, found, length);
                return;
            }
        }
        found += length;
        if (*found) found++;
    }
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

static void remove_home(void) {
    if (getpid() == maker) nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_home(void) {
    const char *given = getenv(home_name);
    if (given && *given) {
        setenv("HOME", given, 1);
        return;
    }
    const char *temporary = getenv("TMPDIR");
    snprintf(home, sizeof home, "%s/latchkey-tests-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(home)) {
        perror(home);
        _exit(1);
    }
    maker = getpid();
    atexit(remove_home);
    setenv("HOME", home, 1);
    setenv(home_name, home, 1);
}

__attribute__((constructor)) static void make_environment(void) {
    if (!runs_the_tests()) return;
    char path[PATH_MAX];
    make_path(path, sizeof path);
    size_t count = 0;
    for (char **variable = environ; *variable; variable++)
        if (is_kept(*variable)) environ[count++] = *variable;
    environ[count] = NULL;
    setenv("PATH", path, 1);
    setenv("LANG", "C.UTF-8", 1);
    // No bus of the system: logind would tell agents of tests that the machine sleeps.
    setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
    make_home();
    is_made = true;
}

bool latchkey_tests_environment_is_made(void) { return is_made; }
