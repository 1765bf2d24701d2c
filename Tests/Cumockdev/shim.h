// What Tests/USBLauncher uses of umockdev, GLib and GIO.
#include <umockdev.h>
#include <glib-unix.h>
