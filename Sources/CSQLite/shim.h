#pragma once
#include <sqlite3.h>

// Swift cannot call variadic functions.
static inline int latchkey_sqlite3_db_config(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (void *)0);
}

// A cast of -1 to a function pointer, which Swift does not import.
static inline int latchkey_sqlite3_bind_copied_blob(sqlite3_stmt *statement, int place, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, place, bytes, count, SQLITE_TRANSIENT);
}

#include <string.h>

// Reads the first bytes of a database file through SQLite's own file layer. A plain open and close would take away the
// locks that other connections of the same process hold on the file. Returns the number of bytes read, or -1.
static inline int latchkey_sqlite3_read_start(const char *path, void *bytes, int count) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(0);
    if (vfs == 0) return -1;
    size_t length = strlen(path);
    char *name = sqlite3_malloc64(length + 8);  // SQLite looks for parameters behind the name: there are none
    sqlite3_file *file = sqlite3_malloc(vfs->szOsFile);
    int result = -1;
    if (name != 0 && file != 0) {
        memcpy(name, path, length);
        memset(name + length, 0, 8);
        memset(file, 0, (size_t)vfs->szOsFile);
        int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_NOFOLLOW;
        int opened = vfs->xOpen(vfs, name, file, flags, 0);
        sqlite3_int64 size = 0;
        if (opened == SQLITE_OK && file->pMethods->xFileSize(file, &size) == SQLITE_OK) {
            int wanted = size < count ? (int)size : count;
            result = wanted == 0 || file->pMethods->xRead(file, bytes, wanted, 0) == SQLITE_OK ? wanted : -1;
        }
        if (file->pMethods != 0) file->pMethods->xClose(file);
    }
    sqlite3_free(file);
    sqlite3_free(name);
    return result;
}
