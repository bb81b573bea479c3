#ifndef LATCHKEY_TESTING_H
#define LATCHKEY_TESTING_H

/// Returns the definition of a function that follows this program's own, which is that of the system's library; NULL if there is none.
void *latchkey_next_definition(const char *name);

#endif
