// A PN533's USB interface: the chip's own frames, one per bulk transfer — NXP UM0801-03
#ifndef PN533USB_H
#define PN533USB_H

#include "Model.h"

extern const struct protocol pn533_usb_protocol;

#endif
