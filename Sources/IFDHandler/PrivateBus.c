// A USB bus with virtual readers only, as pcscd queries it through libudev — libudev(3)

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "PrivateDirectory.h"

enum { NAME = 64, ATTRIBUTE = 256, ATTRIBUTES = 8 };

struct udev {
    int unused;
};

struct udev_list_entry {
    struct udev_list_entry *next;
    char name[NAME];
};

struct udev_enumerate {
    struct udev_list_entry *entries;
};

struct udev_monitor {
    int fifo;
};

struct udev_device {
    char name[NAME], action[NAME], node[NAME];
    /// Values that were returned to the caller, which continues to use them.
    char attributes[ATTRIBUTES][ATTRIBUTE];
    unsigned used;
    /// The device of an interface.
    struct udev_device *parent;
};

static struct udev the_bus;

struct udev *udev_new(void) { return &the_bus; }
struct udev *udev_ref(struct udev *udev) { return udev; }
struct udev *udev_unref(struct udev *udev)
{
    (void)udev;
    return NULL;
}

// Devices

static struct udev_device *device(const char *name)
{
    struct udev_device *device = calloc(1, sizeof *device);
    if (!device) return NULL;
    snprintf(device->name, sizeof device->name, "%s", name);
    return device;
}

struct udev_device *udev_device_new_from_syspath(struct udev *udev, const char *path)
{
    (void)udev;
    const char *slash = strrchr(path, '/');
    return device(slash ? slash + 1 : path);
}

struct udev_device *udev_device_unref(struct udev_device *device)
{
    if (!device) return NULL;
    free(device->parent);
    free(device);
    return NULL;
}

/// An interface is called `DEVICE:CONFIGURATION.NUMBER`.
struct udev_device *udev_device_get_parent_with_subsystem_devtype(struct udev_device *child, const char *subsystem,
                                                                  const char *type)
{
    (void)subsystem, (void)type;
    if (!child->parent) {
        char name[NAME];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(child->name, ":"), child->name);
        child->parent = device(name);
    }
    return child->parent;
}

const char *udev_device_get_sysattr_value(struct udev_device *device, const char *attribute)
{
    char path[PATH_MAX];
    if (device->used == ATTRIBUTES) return NULL;
    snprintf(path, sizeof path, "%s/sys/%s/%s", private_directory(), device->name, attribute);
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    char *value = device->attributes[device->used];
    char *line = fgets(value, ATTRIBUTE, file);
    fclose(file);
    if (!line) return NULL;
    value[strcspn(value, "\n")] = 0;
    device->used++;
    return value;
}

const char *udev_device_get_devnode(struct udev_device *device)
{
    // The name is BUS-DEVICE, even for a device that is gone.
    unsigned bus, number;
    if (sscanf(device->name, "%u-%u", &bus, &number) != 2) return NULL;
    snprintf(device->node, sizeof device->node, "/dev/bus/usb/%03u/%03u", bus, number);
    return device->node;
}

const char *udev_device_get_sysname(struct udev_device *device) { return device->name; }
const char *udev_device_get_action(struct udev_device *device) { return device->action; }

// Devices that are present at the start

struct udev_enumerate *udev_enumerate_new(struct udev *udev)
{
    (void)udev;
    return calloc(1, sizeof(struct udev_enumerate));
}

int udev_enumerate_add_match_subsystem(struct udev_enumerate *enumerate, const char *subsystem)
{
    (void)enumerate, (void)subsystem;
    return 0;
}

static int by_name(const struct dirent **first, const struct dirent **second)
{
    return strverscmp((*first)->d_name, (*second)->d_name);
}

static int is_interface(const struct dirent *entry) { return strchr(entry->d_name, ':') != NULL; }

int udev_enumerate_scan_devices(struct udev_enumerate *enumerate)
{
    char path[PATH_MAX];
    struct dirent **found;
    snprintf(path, sizeof path, "%s/sys", private_directory());
    int count = scandir(path, &found, is_interface, by_name);
    if (count < 0) return -1;
    for (int i = count - 1; i >= 0; i--) {
        struct udev_list_entry *entry = calloc(1, sizeof *entry);
        if (entry) {
            snprintf(entry->name, sizeof entry->name, "%.*s", NAME - 1, found[i]->d_name);
            entry->next = enumerate->entries;
            enumerate->entries = entry;
        }
        free(found[i]);
    }
    free(found);
    return 0;
}

struct udev_list_entry *udev_enumerate_get_list_entry(struct udev_enumerate *enumerate) { return enumerate->entries; }
struct udev_list_entry *udev_list_entry_get_next(struct udev_list_entry *entry) { return entry->next; }
const char *udev_list_entry_get_name(struct udev_list_entry *entry) { return entry->name; }

struct udev_enumerate *udev_enumerate_unref(struct udev_enumerate *enumerate)
{
    while (enumerate && enumerate->entries) {
        struct udev_list_entry *entry = enumerate->entries;
        enumerate->entries = entry->next;
        free(entry);
    }
    free(enumerate);
    return NULL;
}

// Devices that are added and removed

struct udev_monitor *udev_monitor_new_from_netlink(struct udev *udev, const char *name)
{
    (void)udev, (void)name;
    char path[PATH_MAX];
    struct udev_monitor *monitor = malloc(sizeof *monitor);
    if (!monitor) return NULL;
    snprintf(path, sizeof path, "%s/hotplug", private_directory());
    // Open it for writing too: without a writer, it would always be readable.
    monitor->fifo = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (monitor->fifo >= 0) return monitor;
    free(monitor);
    return NULL;
}

int udev_monitor_filter_add_match_subsystem_devtype(struct udev_monitor *monitor, const char *subsystem,
                                                    const char *type)
{
    (void)monitor, (void)subsystem, (void)type;
    return 0;
}

int udev_monitor_enable_receiving(struct udev_monitor *monitor)
{
    (void)monitor;
    return 0;
}

int udev_monitor_get_fd(struct udev_monitor *monitor) { return monitor->fifo; }

struct udev_device *udev_monitor_receive_device(struct udev_monitor *monitor)
{
    char line[2 * NAME], name[NAME], action[NAME];
    size_t length = 0;
    // Each line is written with a single call.
    while (length < sizeof line - 1 && read(monitor->fifo, line + length, 1) == 1 && line[length] != '\n') length++;
    line[length] = 0;
    if (sscanf(line, "%63s %63s", action, name) != 2) return NULL;
    struct udev_device *changed = device(name);
    if (changed) strcpy(changed->action, action);
    return changed;
}

struct udev_monitor *udev_monitor_unref(struct udev_monitor *monitor)
{
    close(monitor->fifo);
    free(monitor);
    return NULL;
}
