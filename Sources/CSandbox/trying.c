#define _GNU_SOURCE
#include "CSandbox.h"
#include "inside.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

struct trying {
    const int *spaces;
    size_t space_count;
    const struct latchkey_attempt *attempts;
    size_t count;
    uint8_t *results;
};

static int connects_to_socket(const struct latchkey_attempt *attempt) {
    struct sockaddr_un address;
    if (attempt->count > sizeof(address.sun_path)) return 2;
    memset(&address, 0, sizeof(address));
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, attempt->bytes, attempt->count);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (made < 0) return 2;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + attempt->count);
    // A full queue and another kind of socket show that it was reached.
    int reached = connect(made, (struct sockaddr *)&address, size) == 0 || errno == EAGAIN || errno == EPROTOTYPE;
    close(made);
    return reached;
}

static int connects_to_port(int32_t port) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof(address));
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return 2;
    int reached = connect(made, (struct sockaddr *)&address, sizeof(address)) == 0;
    close(made);
    return reached;
}

static int sees(const struct latchkey_attempt *attempt) {
    char path[4096];
    if (attempt->count >= sizeof(path)) return 2;
    memcpy(path, attempt->bytes, attempt->count);
    path[attempt->count] = 0;
    int file = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return 0;
    close(file);
    return 1;
}

static int succeeds(const struct latchkey_attempt *attempt) {
    char room[16];
    switch (attempt->kind) {
    case latchkey_connect_unix: return connects_to_socket(attempt);
    case latchkey_connect_loopback: return connects_to_port(attempt->number);
    case latchkey_see_file: return sees(attempt);
    case latchkey_read_key: return syscall(SYS_keyctl, KEYCTL_READ, attempt->number, room, sizeof(room)) >= 0;
    case latchkey_signal_process_number: return syscall(SYS_kill, attempt->number, 0) == 0;
    }
    return 2;
}

/// Gives up what the command of the sandbox does not have either.
static int become_ordinary(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof(none));
    syscall(SYS_close_range, 0U, ~0U, 0U);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

static int try_all(void *context) {
    struct trying *wish = context;
    for (size_t index = 0; index < wish->space_count; index++)
        if (setns(wish->spaces[index], 0) != 0) return errno;
    // The namespace of processes is that of the next process.
    pid_t process = latchkey_fork(0);
    if (process < 0) return errno;
    if (process > 0) return latchkey_wait_for(process);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    int code = become_ordinary();
    if (code == 0) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    for (size_t index = 0; code == 0 && index < wish->count; index++)
        wish->results[index] = (uint8_t)succeeds(&wish->attempts[index]);
    _exit(code);
}

int latchkey_try_inside(
    const int *spaces, size_t space_count, const struct latchkey_attempt *attempts, size_t count, uint8_t *results) {
    memset(results, 2, count);
    uint8_t *shared = latchkey_shared_memory(count + 1);
    if (!shared) return errno;
    memset(shared, 2, count);
    struct trying wish = {spaces, space_count, attempts, count, shared};
    int code = latchkey_run_forked(0, try_all, &wish);
    memcpy(results, shared, count);
    munmap(shared, count + 1);
    return code;
}
