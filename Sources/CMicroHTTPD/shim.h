#pragma once
#include <microhttpd.h>

// Swift cannot call functions with variable arguments.

/// Leaves a path as the client wrote it.
static inline size_t latchkey_web_leave(void *closure, struct MHD_Connection *connection, char *text) {
    size_t count = 0;
    (void) closure;
    (void) connection;
    while (text[count] != 0) count++;
    return count;
}

/// Starts a server on a listening socket, which it closes when it stops.
static inline struct MHD_Daemon *latchkey_web_start(
    int listener, unsigned int connections, MHD_AccessHandlerCallback answer, MHD_NotifyConnectionCallback notice,
    MHD_RequestCompletedCallback ended, void *closure) {
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL, NULL, answer, closure,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket) listener, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) 32768, MHD_OPTION_CONNECTION_TIMEOUT, 30u,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_CONNECTION, notice, closure,
        MHD_OPTION_NOTIFY_COMPLETED, ended, closure, MHD_OPTION_UNESCAPE_CALLBACK, latchkey_web_leave, NULL,
        MHD_OPTION_END);
}

/// Returns the socket of a connection; -1 if it has none.
static inline int latchkey_web_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
