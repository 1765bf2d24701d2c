// Sessions in the tests' own process run libnfc there: the tests look into it, and start no programs by accident.
//
// Before main, and so before any session looks: the test bundle is next to nfctool, which sessions would otherwise find.
#include "InProcessReaders.h"
#include <stdlib.h>

__attribute__((constructor)) static void keepReadersInProcess(void) { setenv("NFCTOOL_HOST", "none", 1); }
