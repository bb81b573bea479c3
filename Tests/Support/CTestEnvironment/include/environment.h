#pragma once

#include <spawn.h>
#include <stdbool.h>

/// True if this process runs the tests, so that its environment was made for them.
bool latchkey_tests_environment_is_made(void);

/// Chooses if guesses of passcodes have their whole cost on this thread.
void latchkey_tests_stretch_genuinely(bool is_genuine);

/// Has a child that these actions are for begin with its three standard streams and no other descriptor.
void latchkey_tests_close_others(posix_spawn_file_actions_t *actions);
