// A target of C needs a source file; the header says everything.
#include "CLocalAuthentication.h"
