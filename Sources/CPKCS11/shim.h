#pragma once

// The names without Apple's and Microsoft's conventions. Only declarations are used: a module for cards is loaded by its path.
#define CRYPTOKI_GNU 1
#include <p11-kit-1/p11-kit/pkcs11.h>
