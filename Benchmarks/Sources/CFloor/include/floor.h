#pragma once
#include <stddef.h>

// The floor that a vault is measured against: the same two libraries without a vault around them.

typedef struct floor_store floor_store;

// Creates a database at `path` with this many rows of 64 sealed bytes, and the settings of a vault. Returns NULL if
// that fails.
floor_store *floor_create(const char *path, size_t rows);
void floor_close(floor_store *store);

// Looks up and opens the rows at these places, one after the other. Returns the number of rows that opened.
size_t floor_read(floor_store *store, const unsigned *places, size_t count);

// Inserts this many rows of `size` bytes, each in its own commit that waits for the disk. Returns the number of
// inserted rows.
size_t floor_add_durably(floor_store *store, size_t count, size_t size);

// Runs Argon2id once at libsodium's setting "moderate". Returns zero on success.
int floor_stretch_moderate(void);

// Runs one transaction with libpam. Returns zero if it accepts the passcode.
int floor_pam(const char *service, const char *folder, const char *user, const char *passcode);

// Starts an echo over a Unix socket at `path` in its own process. It reads `request` bytes and writes `answer` bytes,
// for one client.
// Returns the process; -1 on failure.
int floor_echo_start(const char *path, size_t request, size_t answer);
int floor_connect(const char *path);
// Sends a request to an echo or another server, and reads this many bytes of the answer. Returns zero on success.
int floor_ask(int socket, const void *request, size_t count, size_t answer);
// Waits for the end of the echo, which ends when its client closes the connection.
void floor_echo_wait(int process);

// Signs a digest of 32 bytes this often with the P-256 key 04, X, Y, K. Each signature builds and frees the key. Returns
// the number of signatures.
size_t floor_sign(const unsigned char *key, const unsigned char *digest, size_t count);
// Opens an ECIES box of this length this often, with SHA-256 and a derived vector. Returns how often it opened.
size_t floor_ecies_open(const unsigned char *key, const unsigned char *box, size_t length, size_t count);

// Writes a file of this many bytes, sealed in one box or as they are. Returns zero on success.
int floor_file_write(const char *path, size_t count, int is_sealed);
// Opens such a file, reads it whole and opens the box. Returns the number of bytes that it holds; zero on failure.
size_t floor_file_read(const char *path, size_t count, int is_sealed);

// Binds this thread, and those that it starts, to the present processor. Returns zero on success.
int floor_use_one_processor(void);
// Lets this thread use all of its processors again.
void floor_use_all_processors(void);
