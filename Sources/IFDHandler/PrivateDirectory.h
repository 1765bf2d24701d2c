// A pcscd of one program's own: this library is loaded into it before libc — ld.so(8), LD_PRELOAD
//
// The environment names a directory, NFCTOOL_PCSCD, with all that such a daemon has:
//   run/      instead of /run/pcscd, so that the machine's own pcscd does not matter
//   drivers/  instead of the directory of drivers: a bundle with this library, and no other driver
//   sys/      the USB devices: a directory for each and for each of its interfaces, with attributes as in sysfs
//   hotplug   a FIFO: lines `add INTERFACE`, `remove INTERFACE`
//   readers/  a socket for each interface of a reader: BUS-DEVICE-INTERFACE
// Nothing of this happens where the variable is not set.
#ifndef PRIVATE_DIRECTORY_H
#define PRIVATE_DIRECTORY_H

/// NULL when the daemon is an ordinary one.
const char *private_directory(void);

#endif
