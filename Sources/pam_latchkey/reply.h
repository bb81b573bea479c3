// The agent's frames, as far as the module reads them.
#ifndef LATCHKEY_REPLY_H
#define LATCHKEY_REPLY_H

#include <stdbool.h>
#include <stddef.h>

// The longest head that the module reads, in bytes. The agent may send longer ones, but no greeting and no answer to the
// module's requests is that long.
enum { REPLY_LONGEST = 16 * 1024, REPLY_FRAME = 8 };

// Returns the length of the head that these first eight bytes of a frame announce; 0 if the module does not read such a frame.
size_t reply_length(const unsigned char frame[REPLY_FRAME]);

// Returns true if the text is the greeting of an agent of this version.
bool reply_is_greeting(const char *text, size_t length);

// Returns true if the text says that the agent has taken the request.
bool reply_is_done(const char *text, size_t length);

#endif
