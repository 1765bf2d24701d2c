// libpcsclite's public headers: the PC/SC API and the attributes of readers.
#include <winscard.h>
#include <reader.h>
