// A macro carries the commit from the package manifest, because Swift has no flag that carries a value.
#include "Cbuild.h"

#define TEXT(word) #word
#define TEXT_OF(macro) TEXT(macro)

const char *const nfctool_commit = TEXT_OF(NFCTOOL_COMMIT);
