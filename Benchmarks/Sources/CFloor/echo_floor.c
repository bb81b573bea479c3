#include "floor.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { longest = 1024 };

static int take(int socket, size_t count) {
    char bytes[longest];
    while (count > 0) {
        ssize_t got = recv(socket, bytes, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return -1;
        count -= (size_t)got;
    }
    return 0;
}

static int give(int socket, size_t count) {
    char bytes[longest];
    memset(bytes, 'x', count);
    return send(socket, bytes, count, MSG_NOSIGNAL) == (ssize_t)count ? 0 : -1;
}

static struct sockaddr_un at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return address;
}

int floor_echo_start(const char *path, size_t request, size_t answer) {
    if (request > longest || answer > longest) return -1;
    struct sockaddr_un address = at(path);
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening < 0 || bind(listening, (struct sockaddr *)&address, sizeof address) != 0 || listen(listening, 1) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        int client = accept(listening, NULL, NULL);
        while (client >= 0 && take(client, request) == 0 && give(client, answer) == 0) {}
        _exit(0);
    }
    close(listening);
    return child;
}

int floor_echo_connect(const char *path) {
    struct sockaddr_un address = at(path);
    int connected = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connected >= 0 && connect(connected, (struct sockaddr *)&address, sizeof address) == 0) return connected;
    return -1;
}

int floor_echo(int socket, size_t request, size_t answer) {
    return give(socket, request) == 0 ? take(socket, answer) : -1;
}

void floor_echo_end(int socket, int child) {
    close(socket);
    waitpid(child, NULL, 0);
}
