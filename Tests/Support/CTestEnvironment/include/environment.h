#pragma once

#include <stdbool.h>

/// True if this process runs the tests, so that its environment was made for them.
bool latchkey_tests_environment_is_made(void);

/// Chooses if guesses of passcodes have their whole cost on this thread.
void latchkey_tests_stretch_genuinely(bool is_genuine);
