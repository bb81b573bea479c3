#include "faults.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

static _Thread_local enum latchkey_fault armed = LATCHKEY_FAULT_NONE;
static _Thread_local int remaining;
static _Thread_local bool lasts;
static _Thread_local int fired;

void latchkey_faults_arm(enum latchkey_fault fault, int number, bool lasting) {
    armed = fault;
    remaining = number;
    lasts = lasting;
    fired = 0;
}

int latchkey_faults_disarm(void) {
    armed = LATCHKEY_FAULT_NONE;
    return fired;
}

static bool fails(enum latchkey_fault fault) {
    if (armed != fault) return false;
    if (remaining > 0) remaining -= 1;
    if (remaining > 0 || (fired > 0 && !lasts)) return false;
    fired += 1;
    return true;
}

struct file {
    sqlite3_file base;
    sqlite3_file *real;
};

static sqlite3_file *real(sqlite3_file *file) { return ((struct file *)file)->real; }

static int do_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int do_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (fails(LATCHKEY_FAULT_READ)) return SQLITE_IOERR_READ;
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int do_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (fails(LATCHKEY_FAULT_WRITE)) return SQLITE_IOERR_WRITE;
    if (fails(LATCHKEY_FAULT_FULL)) return SQLITE_FULL;
    if (fails(LATCHKEY_FAULT_SHORT_WRITE)) {
        real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
        return SQLITE_IOERR_WRITE;
    }
    return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int do_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fails(LATCHKEY_FAULT_TRUNCATE)) return SQLITE_IOERR_TRUNCATE;
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int do_sync(sqlite3_file *file, int flags) {
    if (fails(LATCHKEY_FAULT_SYNC)) return SQLITE_IOERR_FSYNC;
    return real(file)->pMethods->xSync(real(file), flags);
}

static int do_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int do_lock(sqlite3_file *file, int level) {
    if (fails(LATCHKEY_FAULT_LOCK)) return SQLITE_IOERR_LOCK;
    return real(file)->pMethods->xLock(real(file), level);
}

static int do_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int do_check(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int do_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int do_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int do_traits(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }

static int do_map(sqlite3_file *file, int page, int size, int extend, void volatile **mapped) {
    if (fails(LATCHKEY_FAULT_MAP)) return SQLITE_IOERR_SHMMAP;
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, mapped);
}

static int do_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
    // Releasing a lock never fails.
    if ((flags & SQLITE_SHM_LOCK) && fails(LATCHKEY_FAULT_LOCK)) return SQLITE_IOERR_SHMLOCK;
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void do_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int do_unmap(sqlite3_file *file, int remove) { return real(file)->pMethods->xShmUnmap(real(file), remove); }

static const sqlite3_io_methods methods = {
    .iVersion = 2,  // no mapped reads: they could not fail
    .xClose = do_close,
    .xRead = do_read,
    .xWrite = do_write,
    .xTruncate = do_truncate,
    .xSync = do_sync,
    .xFileSize = do_size,
    .xLock = do_lock,
    .xUnlock = do_unlock,
    .xCheckReservedLock = do_check,
    .xFileControl = do_control,
    .xSectorSize = do_sector,
    .xDeviceCharacteristics = do_traits,
    .xShmMap = do_map,
    .xShmLock = do_shared_lock,
    .xShmBarrier = do_barrier,
    .xShmUnmap = do_unmap,
};

static sqlite3_vfs *under;
static sqlite3_vfs layer;

static int do_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    struct file *mine = (struct file *)file;
    mine->base.pMethods = 0;
    mine->real = (sqlite3_file *)(mine + 1);
    if (fails(LATCHKEY_FAULT_OPEN)) return SQLITE_CANTOPEN;
    int result = under->xOpen(under, name, mine->real, flags, given);
    if (result == SQLITE_OK) {
        mine->base.pMethods = &methods;
    } else if (mine->real->pMethods != 0) {
        mine->real->pMethods->xClose(mine->real);
    }
    return result;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_known;

static void make(void) {
    if (sqlite3_initialize() != SQLITE_OK) return;
    under = sqlite3_vfs_find(0);
    if (under == 0) return;
    layer = *under;  // whatever is not about files stays as it is
    layer.pNext = 0;
    layer.zName = "latchkey-faults";
    layer.szOsFile = (int)sizeof(struct file) + under->szOsFile;
    layer.xOpen = do_open;
    is_known = sqlite3_vfs_register(&layer, 0) == SQLITE_OK;
}

bool latchkey_faults_register(void) {
    pthread_once(&once, make);
    return is_known;
}
