// A private pcscd of one program: this library is loaded into it before libc — ld.so(8), LD_PRELOAD
//
// The variable NFCTOOL_PCSCD names a directory with everything that such a daemon needs:
//   run/      instead of /run/pcscd, so that the machine's own pcscd is not affected
//   drivers/  instead of the directory of drivers: a bundle with this library, and no other driver
//   sys/      the USB devices: a directory for each and for each of its interfaces, with attributes as in sysfs
//   hotplug   a FIFO: lines `add INTERFACE`, `remove INTERFACE`
//   readers/  a socket for each interface of a reader: BUS-DEVICE-INTERFACE
// If the variable is not set, none of this applies.
#ifndef PRIVATE_DIRECTORY_H
#define PRIVATE_DIRECTORY_H

/// NULL if the daemon is an ordinary one.
const char *private_directory(void);

#endif
