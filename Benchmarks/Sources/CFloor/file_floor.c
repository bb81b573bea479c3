#include "floor.h"
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, TAG = crypto_aead_xchacha20poly1305_ietf_ABYTES };

static const unsigned char key[crypto_aead_xchacha20poly1305_ietf_KEYBYTES] = {1};

int floor_file_write(const char *path, size_t count, int is_sealed) {
    unsigned char *message = calloc(1, count), *box = calloc(1, count + NONCE + TAG);
    size_t length = is_sealed ? count + NONCE + TAG : count;
    if (!message || !box) return -1;
    memset(message, 'x', count);
    memset(box, 'x', NONCE);
    if (is_sealed)
        crypto_aead_xchacha20poly1305_ietf_encrypt(box + NONCE, NULL, message, count, NULL, 0, NULL, box, key);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int done = file >= 0 && write(file, is_sealed ? box : message, length) == (ssize_t)length;
    if (file >= 0) close(file);
    free(message);
    free(box);
    return done ? 0 : -1;
}

size_t floor_file_read(const char *path, size_t count, int is_sealed) {
    size_t length = is_sealed ? count + NONCE + TAG : count, found = 0;
    unsigned char *bytes = malloc(length), *message = malloc(count);
    int file = open(path, O_RDONLY);
    if (bytes && message && file >= 0 && read(file, bytes, length) == (ssize_t)length) {
        found = count;
        if (is_sealed
            && crypto_aead_xchacha20poly1305_ietf_decrypt(
                   message, NULL, NULL, bytes + NONCE, length - NONCE, NULL, 0, bytes, key)
                != 0)
            found = 0;
    }
    if (file >= 0) close(file);
    free(bytes);
    free(message);
    return found;
}
