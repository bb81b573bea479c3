#define _GNU_SOURCE
#include "CSandbox.h"
#include "inside.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

struct listening {
    int user;
    int network;
    uint16_t port;
    int descriptor;
};

static int listen_here(struct listening *wish) {
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return errno;
    int yes = 1;
    struct sockaddr_in address;
    socklen_t size = sizeof(address);
    memset(&address, 0, sizeof(address));
    address.sin_family = AF_INET;
    address.sin_port = htons(wish->port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
        bind(made, (struct sockaddr *)&address, size) != 0 || listen(made, 64) != 0 ||
        getsockname(made, (struct sockaddr *)&address, &size) != 0) {
        int code = errno;
        close(made);
        return code;
    }
    wish->port = ntohs(address.sin_port);
    wish->descriptor = made;
    return 0;
}

static int listen_inside(void *context) {
    struct listening *wish = context;
    if (setns(wish->user, CLONE_NEWUSER) != 0 || setns(wish->network, CLONE_NEWNET) != 0) return errno;
    return listen_here(wish);
}

int latchkey_listen_on_loopback(int user, int network, uint16_t *port, int *descriptor) {
    struct listening wish = {user, network, *port, -1};
    int code;
    if (user < 0) {
        code = listen_here(&wish);
    } else {
        struct listening *shared = latchkey_shared_memory(sizeof(*shared));
        if (!shared) return errno;
        *shared = wish;
        // The two processes share their descriptors, so what the other one opens is open here. It does not share them at once with a
        // program that another thread starts, because the socket is born with its flag for that.
        code = latchkey_run_forked(CLONE_FILES, listen_inside, shared);
        wish = *shared;
        munmap(shared, sizeof(*shared));
    }
    if (code == 0) {
        *port = wish.port;
        *descriptor = wish.descriptor;
    }
    return code;
}

int latchkey_owner_of_namespace(int space) {
    // NS_GET_USERNS, whose third argument has to be zero.
    return ioctl(space, _IO(0xb7, 0x1), 0);
}
