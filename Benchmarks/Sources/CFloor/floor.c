#include "floor.h"

#include <sodium.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { ID = 16, SECRET = 64, NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, BOX = NONCE + SECRET + crypto_aead_xchacha20poly1305_ietf_ABYTES };

struct floor_store {
    sqlite3 *connection;
    sqlite3_stmt *lookup;
    unsigned char (*ids)[ID];
    unsigned char key[crypto_aead_xchacha20poly1305_ietf_KEYBYTES];
};

static int run(floor_store *store, const char *sql) { return sqlite3_exec(store->connection, sql, 0, 0, 0) == SQLITE_OK; }

static sqlite3_stmt *prepare(floor_store *store, const char *sql) {
    sqlite3_stmt *statement = 0;
    sqlite3_prepare_v3(store->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0);
    return statement;
}

static int fill(floor_store *store, size_t rows) {
    sqlite3_stmt *insert = prepare(store, "INSERT INTO rows (id, box) VALUES (?, ?)");
    if (insert == 0 || !run(store, "BEGIN")) return 0;
    unsigned char secret[SECRET], box[BOX];
    for (size_t row = 0; row < rows; row++) {
        randombytes_buf(store->ids[row], ID);
        randombytes_buf(secret, SECRET);
        randombytes_buf(box, NONCE);
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            box + NONCE, 0, secret, SECRET, store->ids[row], ID, 0, box, store->key);
        sqlite3_bind_blob(insert, 1, store->ids[row], ID, SQLITE_STATIC);
        sqlite3_bind_blob(insert, 2, box, BOX, SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE) return 0;
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return run(store, "COMMIT") && run(store, "PRAGMA wal_checkpoint(TRUNCATE)");
}

floor_store *floor_create(const char *path, size_t rows) {
    if (sodium_init() < 0) return 0;
    floor_store *store = calloc(1, sizeof *store);
    if (store == 0) return 0;
    randombytes_buf(store->key, sizeof store->key);
    store->ids = calloc(rows + 1, ID);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (store->ids != 0 && sqlite3_open_v2(path, &store->connection, flags, 0) == SQLITE_OK
        && run(store, "PRAGMA page_size = 8192") && run(store, "PRAGMA journal_mode = WAL") && run(store, "PRAGMA synchronous = FULL")
        && run(store, "PRAGMA secure_delete = ON") && run(store, "PRAGMA cache_size = -65536")
        && run(store, "PRAGMA temp_store = MEMORY") && run(store, "PRAGMA cell_size_check = ON")
        && run(store, "CREATE TABLE rows (id BLOB PRIMARY KEY, box BLOB NOT NULL) WITHOUT ROWID, STRICT")
        && fill(store, rows) && (store->lookup = prepare(store, "SELECT box FROM rows WHERE id = ?")) != 0)
        return store;
    floor_close(store);
    return 0;
}

void floor_close(floor_store *store) {
    sqlite3_finalize(store->lookup);
    sqlite3_close_v2(store->connection);
    free(store->ids);
    free(store);
}

size_t floor_read(floor_store *store, const unsigned *places, size_t count) {
    size_t opened = 0;
    unsigned char secret[SECRET];
    for (size_t i = 0; i < count; i++) {
        const unsigned char *id = store->ids[places[i]];
        sqlite3_bind_blob(store->lookup, 1, id, ID, SQLITE_STATIC);
        if (sqlite3_step(store->lookup) == SQLITE_ROW && sqlite3_column_bytes(store->lookup, 0) == BOX) {
            const unsigned char *box = sqlite3_column_blob(store->lookup, 0);
            opened += crypto_aead_xchacha20poly1305_ietf_decrypt(
                          secret, 0, 0, box + NONCE, BOX - NONCE, id, ID, box, store->key) == 0;
        }
        sqlite3_reset(store->lookup);
    }
    return opened;
}

size_t floor_add_durably(floor_store *store, size_t count, size_t size) {
    unsigned char *bytes = calloc(1, size), id[ID];
    sqlite3_stmt *insert = prepare(store, "INSERT INTO rows (id, box) VALUES (?, ?)");
    size_t inserted = 0;
    for (size_t i = 0; bytes != 0 && insert != 0 && i < count; i++) {
        randombytes_buf(id, ID);
        sqlite3_bind_blob(insert, 1, id, ID, SQLITE_STATIC);
        sqlite3_bind_blob(insert, 2, bytes, (int)size, SQLITE_STATIC);
        inserted += sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    free(bytes);
    return inserted;
}

int floor_stretch_moderate(void) {
    unsigned char key[32], salt[crypto_pwhash_SALTBYTES] = {1};
    const char passcode[] = "123456";
    return crypto_pwhash(
        key, sizeof key, passcode, sizeof passcode - 1, salt, crypto_pwhash_OPSLIMIT_MODERATE,
        crypto_pwhash_MEMLIMIT_MODERATE, crypto_pwhash_ALG_ARGON2ID13);
}
