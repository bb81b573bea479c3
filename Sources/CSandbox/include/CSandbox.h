// Calls that act inside the namespaces of a sandbox. A process with several threads cannot enter a user namespace, so these start a
// process for that. It calls nothing that a fork of a process with threads may not call.
#ifndef LATCHKEY_CSANDBOX_H
#define LATCHKEY_CSANDBOX_H

#include <stddef.h>
#include <stdint.h>

/// The flag that opens a file only to see which one it is: O_PATH, which only GNU's headers declare.
static inline int latchkey_only_path(void) { return 010000000; }

/// Gives the calling thread a new, empty session keyring. What it starts gets that one. Returns 0 or the system's error number.
int latchkey_join_new_keyring(void);

/// Adds a key with this name to the session keyring of the calling thread. Returns its number, or -1.
int32_t latchkey_add_session_key(const char *name);

/// Makes a key unusable.
void latchkey_revoke_key(int32_t key);

/// Opens the user namespace that owns another namespace. Returns a descriptor, or -1.
int latchkey_owner_of_namespace(int space);

/// Listens on 127.0.0.1. If `user` is not -1, this happens inside these user and network namespaces. A port of 0 stands for a free one;
/// it is replaced by the port that was taken. Returns 0 and a descriptor, or the system's error number.
int latchkey_listen_on_loopback(int user, int network, uint16_t *port, int *descriptor);

/// Opens a new terminal: the end that a program uses, and the end that shows it. Returns 0 or the system's error number.
int latchkey_open_terminal(int *inside, int *outside);

/// Has a terminal pass on every key, after a copy of its settings to another terminal. Returns the settings before, or a null pointer if it
/// is no terminal.
void *latchkey_pass_on_keys(int terminal, int other);

/// Has a terminal pass on its output as it is.
void latchkey_leave_output_alone(int terminal);

/// Restores the settings of a terminal, and frees them.
void latchkey_restore_terminal(int terminal, void *settings);

/// Gives a terminal the size of another one. Returns 1 if it had another size, and 0 if not.
int latchkey_copy_terminal_size(int from, int to);

/// Writes a filter of system calls for bwrap, against ways out of a sandbox that have no namespace. Returns its size; 0 if there is no room.
size_t latchkey_call_filter(void *room, size_t size);

enum latchkey_attempt_kind {
    /// Connects to the socket at `bytes`, which are the path or, after a zero byte, the abstract name.
    latchkey_connect_unix,
    /// Connects to port `number` of 127.0.0.1.
    latchkey_connect_loopback,
    /// Looks for a file at the path `bytes`.
    latchkey_see_file,
    /// Reads the key with this number.
    latchkey_read_key,
    /// Looks for the process with this number, by a signal that does nothing.
    latchkey_signal_process_number,
};

struct latchkey_attempt {
    enum latchkey_attempt_kind kind;
    const char *bytes;
    size_t count;
    int32_t number;
};

/// Enters these namespaces in their order, and tries these things there without any capability. Sets each result to 1 if it succeeded, 0 if
/// not, and 2 if it was not tried. Returns 0 or the system's error number.
///
/// The process that tries is a copy of this one. Call this only while no program runs inside.
int latchkey_try_inside(
    const int *spaces, size_t space_count, const struct latchkey_attempt *attempts, size_t count, uint8_t *results);

#endif
