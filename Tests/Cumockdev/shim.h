// The parts of umockdev, GLib and GIO that Tests/USBLauncher uses.
#include <umockdev.h>
#include <glib-unix.h>
