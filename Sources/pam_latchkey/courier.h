// Brings one request to the agent of a user, and no secret to anyone else.
#ifndef LATCHKEY_COURIER_H
#define LATCHKEY_COURIER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The time for everything, in milliseconds; and the time after which the child process ends in any case, in seconds.
enum { COURIER_CAP = 3000, COURIER_ALARM = 4 };

// How it went. The child process ends with this number.
enum courier_outcome {
    COURIER_DONE = 0,
    COURIER_NO_AGENT,
    COURIER_NOT_THE_USER,
    COURIER_FOREIGN_SOCKET,
    COURIER_FOREIGN_LISTENER,
    COURIER_OTHER_PROGRAM,
    COURIER_NO_GREETING,
    COURIER_NOT_SENT,
    COURIER_REFUSED,
    COURIER_TOO_LATE,
    COURIER_NO_PROCESS,
};

struct courier_errand {
    uid_t user;
    gid_t group;
    // The path of the socket, and the program that has to listen there.
    const char *socket;
    const char *program;
    // The request, and its secret part.
    const char *head;
    const void *secret;
    size_t secret_length;
};

// Runs the errand in a child process that becomes the user. Returns after `COURIER_CAP` at the latest.
enum courier_outcome courier_run(const struct courier_errand *errand);

// Returns words for a log.
const char *courier_words(enum courier_outcome outcome);

#endif
