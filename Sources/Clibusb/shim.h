// libusb-1.0's public header: only the USBReaders target may import this module.
#include <libusb.h>
