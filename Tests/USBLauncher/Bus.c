// The USB bus that programs see: a testbed of umockdev with a root hub, hubs and readers

#include "Bus.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Session.h"
#include "Sysfs.h"
#include "Transfer.h"

/// The highest device number on a bus.
#define MAXIMUM_NUMBER 127
/// The number of times that the end of the last sessions is checked, at intervals of a millisecond.
#define SETTLING_WAITS 500
/// The time in milliseconds in which a dead device still has its node and its sysfs entries, as in a busy kernel.
#define REMOVAL_DELAY 50

static void add(struct bus *bus, const char *record)
{
    GError *error = NULL;
    if (!umockdev_testbed_add_from_string(bus->testbed, record, &error)) g_error("%s", error->message);
}

/// A path of the testbed in the real file system; the caller frees it.
static char *real_path(struct bus *bus, const char *path, const char *name)
{
    char *root = umockdev_testbed_get_root_dir(bus->testbed);
    char *result = g_build_filename(root, path, name, NULL);
    g_free(root);
    return result;
}

static gboolean is_taken(const struct bus *bus, int number)
{
    for (int index = 0; index < bus->count; index++) {
        const struct reader *reader = &bus->readers[index];
        if (reader->is_plugged && reader->device_number == number) return TRUE;
    }
    char *node = sysfs_node(number);
    char *path = real_path((struct bus *)bus, node, NULL);
    gboolean exists = access(path, F_OK) == 0;
    g_free(path);
    g_free(node);
    return exists;
}

/// The number that the bus has not assigned for the longest time.
static int next_number(struct bus *bus)
{
    do {
        bus->last_number = bus->last_number % MAXIMUM_NUMBER + 1;
    } while (is_taken(bus, bus->last_number));
    return bus->last_number;
}

/// Adds the hubs on the way to a port, from the root on.
static void add_hubs(struct bus *bus, const char *port)
{
    char *hub = sysfs_hub_port(port);
    if (!hub) return;
    add_hubs(bus, hub);
    char *path = sysfs_path(hub);
    char *directory = real_path(bus, path, NULL);
    if (access(directory, F_OK) != 0) {
        char *record = sysfs_hub_record(hub, next_number(bus));
        add(bus, record);
        g_free(record);
    }
    g_free(directory);
    g_free(path);
    g_free(hub);
}

/// The mode that udev would have given the node, or the one that the faults set.
static mode_t node_mode(const struct reader *reader)
{
    if (reader->faults.no_access) return 0;
    return reader->faults.read_only ? 0444 : 0666;
}

/// Writes /proc/modules with the modules of the bound kernel drivers, and none of the real machine's modules.
static void show_modules(struct bus *bus)
{
    const char *driver = NULL;
    g_mutex_lock(&bus->lock);
    for (int index = 0; index < bus->count; index++) {
        if (bus->readers[index].faults.driver[0]) driver = bus->readers[index].faults.driver;
    }
    g_mutex_unlock(&bus->lock);
    GString *text = g_string_new(NULL);
    if (driver) {
        g_string_append_printf(text, "%s 24576 0 - Live 0x0000000000000000\n", driver);
        g_string_append_printf(text, "pn533 53248 1 %s, Live 0x0000000000000000\n", driver);
        g_string_append(text, "nfc 147456 1 pn533, Live 0x0000000000000000\n");
    }
    char *directory = real_path(bus, "proc", NULL);
    char *path = real_path(bus, "proc", "modules");
    g_mkdir_with_parents(directory, 0755);
    g_file_set_contents(path, text->str, (gssize)text->len, NULL);
    g_free(path);
    g_free(directory);
    g_string_free(text, TRUE);
}

/// Links the interface to its driver as sysfs does, or removes the link.
static void show_driver(struct bus *bus, const char *interface, const char *driver)
{
    char *link = real_path(bus, interface, "driver");
    unlink(link);
    if (driver) {
        char *directory = g_strdup_printf("/sys/bus/usb/drivers/%s", driver);
        char *real_directory = real_path(bus, directory, NULL);
        g_mkdir_with_parents(real_directory, 0755);
        // Up from the interface's directory, whose path begins with a slash, to /sys.
        GString *target = g_string_new(NULL);
        for (const char *rest = strchr(interface + 1, '/'); rest; rest = strchr(rest + 1, '/')) {
            g_string_append(target, "../");
        }
        g_string_append_printf(target, "bus/usb/drivers/%s", driver);
        if (symlink(target->str, link) != 0) g_warning("no link to driver %s", driver);
        g_string_free(target, TRUE);
        g_free(real_directory);
        g_free(directory);
    }
    g_free(link);
}

void bus_show_faults(struct bus *bus, struct reader *reader)
{
    g_mutex_lock(&bus->lock);
    gboolean is_plugged = reader->is_plugged && reader->syspath;
    char *node = g_strdup(reader->node);
    mode_t mode = node_mode(reader);
    char *name = sysfs_interface_name(reader->port);
    char *interface = is_plugged ? g_build_filename(reader->syspath, name, NULL) : NULL;
    char *driver = reader->has_driver ? g_strdup(reader->faults.driver) : NULL;
    g_mutex_unlock(&bus->lock);
    if (is_plugged) {
        char *path = real_path(bus, node, NULL);
        chmod(path, mode);
        show_driver(bus, interface, driver);
        g_free(path);
    }
    show_modules(bus);
    g_free(driver);
    g_free(interface);
    g_free(name);
    g_free(node);
}

static gboolean show_faults(gpointer data)
{
    struct reader *reader = data;
    bus_show_faults(reader->bus, reader);
    return G_SOURCE_REMOVE;
}

void bus_show_faults_soon(struct reader *reader) { g_idle_add(show_faults, reader); }

gboolean bus_plug(struct bus *bus, struct reader *reader)
{
    if (reader->is_plugged || reader->syspath) return FALSE;
    int number = next_number(bus);
    char *record = sysfs_reader_record(reader, number);
    g_mutex_lock(&bus->lock);
    reader->is_plugged = TRUE;
    reader->generation++;
    reader->device_number = number;
    reader->node = sysfs_node(number);
    reader->syspath = sysfs_path(reader->port);
    reader->was_released = FALSE;
    reader->has_driver = reader->faults.driver[0] != 0;
    reader_restart(reader);
    g_mutex_unlock(&bus->lock);
    UMockdevIoctlBase *handler = session_make_handler(reader);
    umockdev_testbed_attach_ioctl(bus->testbed, reader->node, handler, NULL);
    g_object_unref(handler);
    add(bus, record);
    bus_show_faults(bus, reader);
    g_free(record);
    return TRUE;
}

/// Removes the device for all processes that have it open.
static void die(struct reader *reader)
{
    reader->is_plugged = FALSE;
    reader->faults.unplug_at = 0;
    reader->owner = NULL;
    transfer_end_all(reader, -ESHUTDOWN);
    for (GList *item = reader->sessions; item; item = item->next) transfer_answer_reaper(item->data, -ENODEV);
    reader_lose_power(reader);
}

/// Removes the node and sysfs entries of a dead device, in the kernel's order, and announces this with a uevent.
static void remove_traces(struct bus *bus, struct reader *reader)
{
    char *name = sysfs_interface_name(reader->port);
    char *interface = g_build_filename(reader->syspath, name, NULL);
    // These are the three places where programs find the device. umockdev can announce only existing devices.
    const char *const doors[][2] = {
        {reader->node, NULL}, {"/sys/bus/usb/devices", name}, {"/sys/bus/usb/devices", reader->port},
    };
    for (gsize index = 0; index < G_N_ELEMENTS(doors); index++) {
        char *path = real_path(bus, doors[index][0], doors[index][1]);
        unlink(path);
        g_free(path);
    }
    const char *const devices[] = {interface, reader->syspath};
    for (gsize index = 0; index < G_N_ELEMENTS(devices); index++) {
        umockdev_testbed_uevent(bus->testbed, devices[index], "remove");
        umockdev_testbed_remove_device(bus->testbed, devices[index]);
    }
    umockdev_testbed_detach_ioctl(bus->testbed, reader->node, NULL);
    g_clear_pointer(&reader->node, g_free);
    g_clear_pointer(&reader->syspath, g_free);
    g_free(interface);
    g_free(name);
}

gboolean bus_unplug(struct bus *bus, struct reader *reader)
{
    g_mutex_lock(&bus->lock);
    gboolean was_plugged = reader->is_plugged;
    if (was_plugged) die(reader);
    g_mutex_unlock(&bus->lock);
    if (reader->syspath) remove_traces(bus, reader);
    return was_plugged;
}

static gboolean unplug(gpointer data)
{
    struct reader *reader = data;
    // The reader may have been plugged in again in the meantime.
    if (!reader->is_plugged && reader->syspath) remove_traces(reader->bus, reader);
    return G_SOURCE_REMOVE;
}

void bus_unplug_soon(struct reader *reader)
{
    if (!reader->is_plugged) return;
    die(reader);
    g_timeout_add(REMOVAL_DELAY, unplug, reader);
}

void bus_start(struct bus *bus, struct reader *readers, int count)
{
    g_mutex_init(&bus->lock);
    bus->testbed = umockdev_testbed_new();
    bus->readers = readers;
    bus->count = count;
    // The root hub hides the real bus: umockdev passes on whatever the testbed lacks.
    char *record = sysfs_root_hub_record();
    add(bus, record);
    g_free(record);
    bus->last_number = 1;
    for (int index = 0; index < count; index++) {
        add_hubs(bus, readers[index].port);
        bus_plug(bus, &readers[index]);
    }
}

static gboolean is_open(struct bus *bus)
{
    gboolean is_open = FALSE;
    g_mutex_lock(&bus->lock);
    for (int index = 0; index < bus->count; index++) is_open |= bus->readers[index].sessions != NULL;
    g_mutex_unlock(&bus->lock);
    return is_open;
}

void bus_settle(struct bus *bus)
{
    for (int waits = 0; waits < SETTLING_WAITS && is_open(bus); waits++) {
        while (g_main_context_iteration(NULL, FALSE)) {}
        g_usleep(1000);
    }
}

void bus_stop(struct bus *bus)
{
    for (int index = 0; index < bus->count; index++) {
        if (bus->readers[index].is_plugged || bus->readers[index].syspath) bus_unplug(bus, &bus->readers[index]);
    }
    g_clear_object(&bus->testbed);
}
