#pragma once

#include <stdbool.h>

/// True if this process runs the tests, so that its environment was made for them.
bool latchkey_tests_environment_is_made(void);
