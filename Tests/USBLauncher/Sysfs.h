// The sysfs entries of a USB device, in umockdev's format — Documentation/ABI/testing/sysfs-bus-usb; umockdev
#ifndef SYSFS_H
#define SYSFS_H

#include "Reader.h"

/// The root hub's directory and node.
#define SYSFS_ROOT_HUB "/sys/devices/pci0000:00/0000:00:14.0/usb1"

/// The directory of the device at a port such as `1-2.3`; the caller frees it.
char *sysfs_path(const char *port);

/// The port of the hub that a port belongs to, or NULL for one of the root hub; the caller frees it.
char *sysfs_hub_port(const char *port);

/// The node of a device number; the caller frees it.
char *sysfs_node(int number);

/// Records of the root hub, of a hub, of a reader (with its interface); the caller frees them.
char *sysfs_root_hub_record(void);
char *sysfs_hub_record(const char *port, int number);
char *sysfs_reader_record(const struct reader *reader, int number);

/// The name of a reader's interface, `1-2:1.0`; the caller frees it.
char *sysfs_interface_name(const char *port);

#endif
