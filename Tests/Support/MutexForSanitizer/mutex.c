// Explains Swift's Mutex to the thread sanitizer.
//
// The slow paths of a Mutex lie in the Swift runtime, which is built without the sanitizer. The sanitizer does not see
// that a
// thread waited for a lock, and reports everything under the lock as a race. This library is loaded before the runtime
// (LD_PRELOAD) and reports these waits. It changes nothing else, and hides no race.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

typedef SWIFT void (*Lock)(uint32_t, SELF);
typedef SWIFT void (*Unlock)(SELF);
typedef SWIFT bool (*TryLock)(SELF);

static Lock original_lock;
static Unlock original_unlock;
static TryLock original_try_lock;

__attribute__((constructor)) static void find_originals(void) {
    original_lock = (Lock)dlsym(RTLD_NEXT, LOCK);
    original_unlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK);
    original_try_lock = (TryLock)dlsym(RTLD_NEXT, TRY_LOCK);
}

SWIFT void mutex_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void mutex_lock(uint32_t thread, SELF) {
    original_lock(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void mutex_unlock(SELF) __asm__(UNLOCK);
SWIFT void mutex_unlock(SELF) {
    if (__tsan_release) __tsan_release(self);
    original_unlock(self);
}

SWIFT bool mutex_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT bool mutex_try_lock(SELF) {
    bool is_locked = original_try_lock(self);
    if (is_locked && __tsan_acquire) __tsan_acquire(self);
    return is_locked;
}
