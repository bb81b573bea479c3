#pragma once
#include <stdbool.h>

// A file layer under SQLite, by the name of "latchkey-faults", that does what the usual one does and fails when told to.
// What is armed counts for the calling thread only, so that what goes on elsewhere in the process neither fails nor counts.

// What can be made to fail.
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

// Makes the layer known to SQLite. Any number of times, from any thread.
bool latchkey_faults_register(void);

// The call number `number`, from one on, of those that `fault` is about fails; with `lasting`, all that follow as well.
void latchkey_faults_arm(enum latchkey_fault fault, int number, bool lasting);

// Nothing fails any more. How many calls failed since it was armed.
int latchkey_faults_disarm(void);
