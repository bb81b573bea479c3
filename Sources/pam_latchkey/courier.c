#define _GNU_SOURCE
#include "courier.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reply.h"

// The child begins as a copy of one thread of an unknown program. So it takes no memory and no lock, and changes its user by
// system calls of its own: the functions of glibc would wait for threads that the child does not have.

static long become(uid_t real, uid_t effective, uid_t saved) {
    return syscall(SYS_setresuid, real, effective, saved);
}

static void restore_signals(void) {
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    for (int number = 1; number < _NSIG; number++) sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Returns true if the folder of the socket is one that only the user can enter.
static bool is_private(const char *path, uid_t user) {
    char folder[PATH_MAX];
    const char *end = strrchr(path, '/');
    if (end == NULL || end == path || (size_t)(end - path) >= sizeof folder) return false;
    memcpy(folder, path, (size_t)(end - path));
    folder[end - path] = 0;
    struct stat status;
    return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == user && (status.st_mode & 077) == 0;
}

// Receives exactly so many bytes. All have to come from one process of the user, whose number the kernel adds.
static bool receive(int connection, void *into, size_t length, uid_t user, pid_t *sender) {
    char *place = into;
    while (length > 0) {
        union {
            char bytes[CMSG_SPACE(sizeof(struct ucred))];
            struct cmsghdr aligned;
        } control;
        struct iovec part = {place, length};
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        ssize_t count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        if (header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_CREDENTIALS ||
            header->cmsg_len != CMSG_LEN(sizeof(struct ucred)))
            return false;
        struct ucred who;
        memcpy(&who, CMSG_DATA(header), sizeof who);
        if (who.uid != user || who.pid <= 0 || (*sender != 0 && who.pid != *sender)) return false;
        *sender = who.pid;
        place += count;
        length -= (size_t)count;
    }
    return true;
}

// Receives a frame without a secret part. Returns the length of its head, or 0.
static size_t receive_frame(int connection, char head[REPLY_LONGEST], uid_t user, pid_t *sender) {
    unsigned char frame[REPLY_FRAME];
    if (!receive(connection, frame, sizeof frame, user, sender)) return 0;
    size_t length = reply_length(frame);
    return length > 0 && receive(connection, head, length, user, sender) ? length : 0;
}

static bool send_all(int connection, const void *bytes, size_t length) {
    const char *place = bytes;
    while (length > 0) {
        ssize_t count = send(connection, place, length, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        place += count;
        length -= (size_t)count;
    }
    return true;
}

static bool send_request(int connection, const struct courier_errand *errand) {
    size_t lengths[2] = {strlen(errand->head), errand->secret_length};
    unsigned char frame[8];
    for (int i = 0; i < 8; i++) frame[i] = (unsigned char)(lengths[i / 4] >> (24 - 8 * (i % 4)));
    return send_all(connection, frame, sizeof frame) && send_all(connection, errand->head, lengths[0]) &&
           send_all(connection, errand->secret, lengths[1]);
}

// Reads what a file is without asking its file system anew, which may be one that the user serves.
static bool look(const char *path, struct statx *found) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return false;
    bool is_known =
        statx(file, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_MODE | STATX_UID | STATX_INO, found) == 0;
    close(file);
    return is_known;
}

// Returns true if the process runs the installed program, which only root can have written. Only root can find that out.
static bool runs(pid_t process, const char *program) {
    char path[32] = "/proc/";
    char digits[16];
    size_t count = 0, length = strlen(path);
    for (pid_t rest = process; rest > 0; rest /= 10) digits[count++] = (char)('0' + rest % 10);
    while (count > 0) path[length++] = digits[--count];
    memcpy(path + length, "/exe", sizeof "/exe");

    char name[PATH_MAX];
    ssize_t size = readlink(path, name, sizeof name);
    if (size <= 0 || (size_t)size != strlen(program) || memcmp(name, program, (size_t)size) != 0) return false;
    struct statx running, installed;
    return look(program, &installed) && S_ISREG(installed.stx_mode) && installed.stx_uid == 0 &&
           (installed.stx_mode & 022) == 0 && look(path, &running) && running.stx_ino == installed.stx_ino &&
           running.stx_dev_major == installed.stx_dev_major && running.stx_dev_minor == installed.stx_dev_minor;
}

static enum courier_outcome carry(const struct courier_errand *errand, pid_t parent) {
    bool is_root = geteuid() == 0;
    if (is_root) {
        // Root stays in the saved identifier until the listener is known. The kernel looks at the effective one.
        if (syscall(SYS_setgroups, 1, &errand->group) != 0 ||
            syscall(SYS_setresgid, errand->group, errand->group, errand->group) != 0 ||
            become(errand->user, errand->user, 0) != 0)
            return COURIER_NOT_THE_USER;
    } else if (geteuid() != errand->user || getuid() != errand->user) {
        return COURIER_NOT_THE_USER;
    }
    prctl(PR_SET_DUMPABLE, 0);

    struct sockaddr_un place = {.sun_family = AF_UNIX};
    if (strlen(errand->socket) >= sizeof place.sun_path) return COURIER_NO_AGENT;
    memcpy(place.sun_path, errand->socket, strlen(errand->socket) + 1);
    if (access(errand->socket, F_OK) != 0) return COURIER_NO_AGENT;
    if (!is_private(errand->socket, errand->user)) return COURIER_FOREIGN_SOCKET;
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int yes = 1;
    if (connection < 0 || setsockopt(connection, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0) return COURIER_NO_AGENT;
    if (connect(connection, (struct sockaddr *)&place, sizeof place) != 0) return COURIER_NO_AGENT;

    // With a socket of systemd, this is the service manager of the user, and the agent is the process that greets.
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != errand->user)
        return COURIER_FOREIGN_LISTENER;
    char head[REPLY_LONGEST];
    pid_t agent = 0;
    size_t length = receive_frame(connection, head, errand->user, &agent);
    if (length == 0 || !reply_is_greeting(head, length)) return COURIER_NO_GREETING;
    if (is_root) {
        if (become((uid_t)-1, 0, (uid_t)-1) != 0) return COURIER_NOT_THE_USER;
        bool is_agent = runs(agent, errand->program);
        if (become(errand->user, errand->user, errand->user) != 0) return COURIER_NOT_THE_USER;
        if (errand->user != 0 && become((uid_t)-1, 0, (uid_t)-1) == 0) return COURIER_NOT_THE_USER;
        prctl(PR_SET_DUMPABLE, 0);
        if (!is_agent) return COURIER_OTHER_PROGRAM;
    }
    // If the parent ends first, the child keeps the password no longer than that. A change of the user clears this, so it comes
    // after the last one. The parent may have ended before.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return COURIER_TOO_LATE;
    if (!send_request(connection, errand)) return COURIER_NOT_SENT;
    length = receive_frame(connection, head, errand->user, &agent);
    return length > 0 && reply_is_done(head, length) ? COURIER_DONE : COURIER_REFUSED;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits for the end of a process. Returns false if that takes longer than until `deadline`.
static bool wait_until(int process, int64_t deadline) {
    struct pollfd waiting = {.fd = process, .events = POLLIN};
    while (true) {
        int64_t rest = deadline - now();
        int count = poll(&waiting, 1, rest > 0 ? (int)rest : 0);
        if (count > 0) return true;
        if (count == 0 && rest <= 0) return false;
        if (count < 0 && errno != EINTR) return false;
    }
}

enum courier_outcome courier_run(const struct courier_errand *errand) {
    int64_t deadline = now() + COURIER_CAP;
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return COURIER_NO_PROCESS;
    // Without a signal at its end, the program that uses PAM neither notices the child nor collects it by mistake.
    int process = -1;
    pid_t parent = getpid();
    long child = syscall(SYS_clone, CLONE_PIDFD, NULL, &process, NULL, NULL);
    if (child == 0) {
        struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        restore_signals();
        // The parent ends the child in time. If the parent is stopped or gone, the child ends by itself.
        alarm(COURIER_ALARM);
        syscall(SYS_close_range, 0u, ~0u, 0u);
        if (chdir("/") != 0) _exit(COURIER_NO_PROCESS);
        _exit(carry(errand, parent));
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child < 0) return COURIER_NO_PROCESS;

    bool has_ended = wait_until(process, deadline);
    if (!has_ended) {
        syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0u);
        // A process that a file system holds ends later, and is then a zombie until the program ends.
        if (!wait_until(process, now() + 100)) {
            close(process);
            return COURIER_TOO_LATE;
        }
    }
    siginfo_t end;
    memset(&end, 0, sizeof end);
    int result;
    do {
        result = waitid((idtype_t)P_PIDFD, (id_t)process, &end, WEXITED | __WALL);
    } while (result != 0 && errno == EINTR);
    close(process);
    if (!has_ended) return COURIER_TOO_LATE;
    if (result != 0 || end.si_code != CLD_EXITED) return COURIER_NO_PROCESS;
    return end.si_status >= COURIER_DONE && end.si_status <= COURIER_NO_PROCESS ? (enum courier_outcome)end.si_status
                                                                                : COURIER_NO_PROCESS;
}

const char *courier_words(enum courier_outcome outcome) {
    switch (outcome) {
    case COURIER_DONE: return "the agent took the request";
    case COURIER_NO_AGENT: return "no agent listens";
    case COURIER_NOT_THE_USER: return "this process cannot become the user";
    case COURIER_FOREIGN_SOCKET: return "the folder of the socket is open to others";
    case COURIER_FOREIGN_LISTENER: return "another user listens, so nothing was sent";
    case COURIER_OTHER_PROGRAM: return "the listener is not the installed program, so nothing was sent";
    case COURIER_NO_GREETING: return "the listener does not greet as an agent of this version, so nothing was sent";
    case COURIER_NOT_SENT: return "the agent closed the connection";
    case COURIER_REFUSED: return "the agent refused the request";
    case COURIER_TOO_LATE: return "the agent did not answer in time";
    case COURIER_NO_PROCESS: return "the child process failed";
    }
    return "unknown";
}
