#pragma once
#include <stddef.h>

// What a vault is measured against: the same two libraries, with nothing around them.

typedef struct floor_store floor_store;

// A new database at `path` with this many rows of 64 sealed bytes, in the settings that a vault has. NULL when that fails.
floor_store *floor_create(const char *path, size_t rows);
void floor_close(floor_store *store);

// Looks up and opens the rows at these places, one after the other; how many opened.
size_t floor_read(floor_store *store, const unsigned *places, size_t count);

// Inserts this many rows of `size` bytes, each in a commit of its own that waits for the disk; how many were inserted.
size_t floor_add_durably(floor_store *store, size_t count, size_t size);

// Argon2id at libsodium's setting "moderate", once; zero when it worked.
int floor_stretch_moderate(void);

// One transaction with libpam; zero when the passcode was accepted.
int floor_pam(const char *service, const char *folder, const char *user, const char *passcode);

// An echo over a Unix socket at `path`, in a process of its own: it takes `request` bytes and gives `answer` bytes, for one client.
// Returns the process; -1 when that fails.
int floor_echo_start(const char *path, size_t request, size_t answer);
int floor_connect(const char *path);
// Sends a request and takes so many bytes of answer, of an echo or of another server; zero when both went.
int floor_ask(int socket, const void *request, size_t count, size_t answer);
// Waits for the end of the echo, which ends with its client.
void floor_echo_wait(int process);

// Signs a digest of 32 bytes with the P-256 key 04, X, Y, K this often, each time with a key that is built and freed; how many
// signatures were made.
size_t floor_sign(const unsigned char *key, const unsigned char *digest, size_t count);
// Opens an ECIES box of this length, with SHA-256 and a derived vector, this often; how many times it opened.
size_t floor_ecies_open(const unsigned char *key, const unsigned char *box, size_t length, size_t count);

// Keeps this thread, and what it starts, on the processor that it runs on; zero when that worked.
int floor_use_one_processor(void);
// Lets this thread use every processor again that it might use before.
void floor_use_all_processors(void);
