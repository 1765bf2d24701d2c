// The kernel's USB device file system. Swift cannot import its requests, because these are macros. Only the
// LibNFC target may import this module.
#include <linux/ioctl.h>
#include <linux/usbdevice_fs.h>

static const unsigned long usbfs_submit = USBDEVFS_SUBMITURB;
static const unsigned long usbfs_discard = USBDEVFS_DISCARDURB;
static const unsigned long usbfs_reap = USBDEVFS_REAPURBNDELAY;
static const unsigned long usbfs_claim_interface = USBDEVFS_CLAIMINTERFACE;
static const unsigned long usbfs_release_interface = USBDEVFS_RELEASEINTERFACE;
static const unsigned long usbfs_get_driver = USBDEVFS_GETDRIVER;
static const unsigned long usbfs_reset = USBDEVFS_RESET;
