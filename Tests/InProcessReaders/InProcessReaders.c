// Makes sessions in the test process run libnfc in it, so that tests can inspect it and start no other program.
//
// This happens before main, because sessions would otherwise find nfctool next to the test bundle and start it.
#include "InProcessReaders.h"
#include <stdlib.h>

__attribute__((constructor)) static void keepReadersInProcess(void) { setenv("NFCTOOL_HOST", "none", 1); }
