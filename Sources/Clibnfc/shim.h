// libnfc's public header, and nothing more: only the LibNFC target may import this module.
#include <nfc/nfc.h>
