// The ACR122U's firmware: CCID messages around pseudo-APDUs — USB CCID 1.1; ACS, "ACR122U API"
#ifndef ACR122U_H
#define ACR122U_H

#include "Model.h"

extern const struct protocol acr122u_protocol;

#endif
