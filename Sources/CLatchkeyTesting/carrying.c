// Dispatch and Foundation start work on other threads by the functions below. This program's own definitions come before theirs,
// and take the caller's device along. Swift carries it: see CarriedWork.swift.
//
// The definitions are weak: a program that contains those libraries itself keeps theirs. The thread sanitizer has definitions
// of its own, which must stay in force.

#define _GNU_SOURCE
#include "CLatchkeyTesting.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

void *latchkey_next_definition(const char *name) { return dlsym(RTLD_NEXT, name); }

void latchkey_testing_loaded(void);

// Before any test begins: a call that goes astray before the first device exists is found as well.
__attribute__((constructor)) static void loaded(void) { latchkey_testing_loaded(); }

#if __has_feature(thread_sanitizer)
bool latchkey_carries_work(void) { return false; }
#else
bool latchkey_carries_work(void) { return true; }

#define OURS __attribute__((weak, visibility("default")))

// C does not look into a block, so it is a pointer here.
void latchkey_async(void *queue, void *block);
void latchkey_barrier_async(void *queue, void *block);
void latchkey_sync(void *queue, void *block);
void latchkey_barrier_sync(void *queue, void *block);
void latchkey_after(unsigned long long when, void *queue, void *block);
void latchkey_apply(size_t iterations, void *queue, void *block);
void latchkey_group_async(void *group, void *queue, void *block);
void latchkey_group_notify(void *group, void *queue, void *block);
void latchkey_block_notify(void *block, void *queue, void *notification);
void *latchkey_block_create(unsigned long flags, void *block);
void *latchkey_block_create_with_qos_class(unsigned long flags, unsigned int qos, int priority, void *block);
void latchkey_source_set_event_handler(void *source, void *handler);
void latchkey_source_set_registration_handler(void *source, void *handler);
void latchkey_source_set_cancel_handler(void *source, void *handler);
void *latchkey_carry_to_thread(void *(*start)(void *), void *context);
void *latchkey_run_carried(void *carried);

OURS void dispatch_async(void *queue, void *block) { latchkey_async(queue, block); }
OURS void dispatch_barrier_async(void *queue, void *block) { latchkey_barrier_async(queue, block); }
OURS void dispatch_sync(void *queue, void *block) { latchkey_sync(queue, block); }
OURS void dispatch_barrier_sync(void *queue, void *block) { latchkey_barrier_sync(queue, block); }
OURS void dispatch_after(unsigned long long when, void *queue, void *block) { latchkey_after(when, queue, block); }
OURS void dispatch_apply(size_t iterations, void *queue, void *block) { latchkey_apply(iterations, queue, block); }
OURS void dispatch_group_async(void *group, void *queue, void *block) { latchkey_group_async(group, queue, block); }
OURS void dispatch_group_notify(void *group, void *queue, void *block) { latchkey_group_notify(group, queue, block); }
OURS void dispatch_block_notify(void *block, void *queue, void *notification) {
    latchkey_block_notify(block, queue, notification);
}
OURS void *dispatch_block_create(unsigned long flags, void *block) { return latchkey_block_create(flags, block); }
OURS void *dispatch_block_create_with_qos_class(unsigned long flags, unsigned int qos, int priority, void *block) {
    return latchkey_block_create_with_qos_class(flags, qos, priority, block);
}

// A source may be given no handler. Swift's types have no such block, so those calls go on from here.
#define GIVE_HANDLER(name)                                                               \
    if (handler) latchkey_##name(source, handler);                                       \
    else ((void (*)(void *, void *))latchkey_next_definition("dispatch_" #name))(source, handler)

OURS void dispatch_source_set_event_handler(void *source, void *handler) { GIVE_HANDLER(source_set_event_handler); }
OURS void dispatch_source_set_registration_handler(void *source, void *handler) {
    GIVE_HANDLER(source_set_registration_handler);
}
OURS void dispatch_source_set_cancel_handler(void *source, void *handler) { GIVE_HANDLER(source_set_cancel_handler); }

// The function by which Foundation's Thread starts.
OURS pthread_t _CFThreadCreate(const pthread_attr_t attributes, void *(*start)(void *), void *context) {
    pthread_t (*next)(const pthread_attr_t, void *(*)(void *), void *) = latchkey_next_definition("_CFThreadCreate");
    void *carried = latchkey_carry_to_thread(start, context);
    return carried ? next(attributes, latchkey_run_carried, carried) : next(attributes, start, context);
}
#endif
