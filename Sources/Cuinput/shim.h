// The kernel's user-space input devices. Swift cannot import their requests, because these are macros. Only the
// TagFeed target may import this module.
#include <linux/uinput.h>

static const unsigned long uinput_set_event_type = UI_SET_EVBIT;
static const unsigned long uinput_set_key = UI_SET_KEYBIT;
static const unsigned long uinput_setup_device = UI_DEV_SETUP;
static const unsigned long uinput_create = UI_DEV_CREATE;
static const unsigned long uinput_destroy = UI_DEV_DESTROY;
