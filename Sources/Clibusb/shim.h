// libusb-1.0's public header, and getxattr(2), which Swift's Glibc lacks: only the USBReaders target may import this
// module.
#include <libusb.h>
#include <sys/xattr.h>
