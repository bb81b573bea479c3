#ifndef LATCHKEY_TESTING_H
#define LATCHKEY_TESTING_H

#include <stdbool.h>

/// Returns the definition of a function that follows this program's own, which is that of the system's library; NULL if there is none.
void *latchkey_next_definition(const char *name);

/// Returns true if work on queues and threads keeps the device, which the thread sanitizer rules out.
bool latchkey_carries_work(void);

#endif
