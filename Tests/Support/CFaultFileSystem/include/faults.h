#pragma once
#include <stdbool.h>

// A file layer under SQLite, registered as "latchkey-faults". It does what the usual layer does, and fails when a test
// arms it.
// A test arms it for the calling thread only, so calls on other threads neither fail nor count.

// The kinds of faults.
enum latchkey_fault {
    LATCHKEY_FAULT_NONE,
    LATCHKEY_FAULT_WRITE,  // a write fails and writes nothing
    LATCHKEY_FAULT_SHORT_WRITE, // a write writes half, and fails
    LATCHKEY_FAULT_FULL,        // a write finds no room
    LATCHKEY_FAULT_SYNC,        // what was written may or may not be on the disk
    LATCHKEY_FAULT_TRUNCATE,
    LATCHKEY_FAULT_OPEN,
    LATCHKEY_FAULT_LOCK,        // of the file or of the shared index of the log
    LATCHKEY_FAULT_READ,
    LATCHKEY_FAULT_MAP,         // of the shared index of the log
};

// Registers the layer with SQLite. It may be called any number of times, from any thread.
bool latchkey_faults_register(void);

// Arms a fault: call `number` of its kind fails, counted from one. With `lasting`, all later calls fail, too.
void latchkey_faults_arm(enum latchkey_fault fault, int number, bool lasting);

// Disarms the fault. Returns the number of calls that failed since it was armed.
int latchkey_faults_disarm(void);
