#include "environment.h"

#include "../CheapStretch/stretch.c"

void latchkey_tests_stretch_genuinely(bool is_genuine) { latchkey_stretches_genuinely = is_genuine; }
