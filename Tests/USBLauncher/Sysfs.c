// The sysfs entries of a USB device, in umockdev's format — Documentation/ABI/testing/sysfs-bus-usb; umockdev

#include "Sysfs.h"

#include <string.h>

#include "Descriptors.h"

/// The major number of nodes in /dev/bus/usb.
#define USB_DEVICE_MAJOR 189

static const guint8 root_hub[] = {
    0x12, 0x01, 0x00, 0x02, 0x09, 0x00, 0x01, 0x40, 0x6B, 0x1D, 0x02, 0x00, 0x01, 0x06, 0x03, 0x02, 0x01, 0x01,
    0x09, 0x02, 0x19, 0x00, 0x01, 0x01, 0x00, 0xE0, 0x00,
    0x09, 0x04, 0x00, 0x00, 0x01, 0x09, 0x00, 0x00, 0x00,
    0x07, 0x05, 0x81, 0x03, 0x04, 0x00, 0x0C,
};
/// A Terminus hub with four ports.
static const guint8 hub[] = {
    0x12, 0x01, 0x00, 0x02, 0x09, 0x00, 0x01, 0x40, 0x40, 0x1A, 0x01, 0x01, 0x11, 0x01, 0x00, 0x01, 0x00, 0x01,
    0x09, 0x02, 0x19, 0x00, 0x01, 0x01, 0x00, 0xE0, 0x32,
    0x09, 0x04, 0x00, 0x00, 0x01, 0x09, 0x00, 0x00, 0x00,
    0x07, 0x05, 0x81, 0x03, 0x01, 0x00, 0x0C,
};

char *sysfs_path(const char *port)
{
    GString *path = g_string_new(SYSFS_ROOT_HUB);
    for (const char *end = strchr(port, '-'); end; ) {
        end = strchr(end + 1, '.');
        g_string_append_c(path, '/');
        g_string_append_len(path, port, end ? end - port : (gssize)strlen(port));
    }
    return g_string_free(path, FALSE);
}

char *sysfs_hub_port(const char *port)
{
    const char *end = strrchr(port, '.');
    return end ? g_strndup(port, (gsize)(end - port)) : NULL;
}

char *sysfs_node(int number) { return g_strdup_printf("/dev/bus/usb/001/%03d", number); }

char *sysfs_interface_name(const char *port) { return g_strdup_printf("%s:1.0", port); }

static void append_hex(GString *record, const guint8 *bytes, gsize length)
{
    for (gsize index = 0; index < length; index++) g_string_append_printf(record, "%02X", bytes[index]);
    g_string_append_c(record, '\n');
}

/// Strings that only some devices have.
struct names {
    const char *manufacturer, *product, *serial, *speed;
};

/// Returns the record of a device with these descriptors.
static GString *device_record(
    const char *path, const char *devpath, int number, const guint8 *descriptors, gsize length, struct names names)
{
    const guint8 *device = descriptors, *configuration = descriptors + DEVICE_DESCRIPTOR_LENGTH;
    unsigned vendor = device[8] | (unsigned)device[9] << 8, product = device[10] | (unsigned)device[11] << 8;
    unsigned release = device[12] | (unsigned)device[13] << 8;
    GString *record = g_string_new(NULL);
    g_string_append_printf(record, "P: %s\nN: bus/usb/001/%03d=", path + strlen("/sys"), number);
    append_hex(record, descriptors, length);
    g_string_append_printf(record, "E: DEVNAME=/dev/bus/usb/001/%03d\nE: MAJOR=%d\nE: MINOR=%d\n", number,
                           USB_DEVICE_MAJOR, number - 1);
    g_string_append(record, "E: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\nE: DRIVER=usb\nE: BUSNUM=001\n");
    g_string_append_printf(record, "E: DEVNUM=%03d\nE: PRODUCT=%x/%x/%x\nE: TYPE=%d/%d/%d\n", number, vendor, product,
                           release, device[4], device[5], device[6]);
    g_string_append_printf(record, "E: ID_VENDOR_ID=%04x\nE: ID_MODEL_ID=%04x\nE: ID_BUS=usb\n", vendor, product);
    g_string_append(record, "A: authorized=1\\n\nA: bConfigurationValue=1\\n\nA: configuration=\\n\n");
    g_string_append_printf(record, "A: bDeviceClass=%02x\\n\nA: bDeviceSubClass=%02x\\n\nA: bDeviceProtocol=%02x\\n\n",
                           device[4], device[5], device[6]);
    g_string_append_printf(record, "A: bMaxPacketSize0=%d\\n\nA: bNumConfigurations=%d\\n\nA: bNumInterfaces= %d\\n\n",
                           device[7], device[17], configuration[4]);
    g_string_append_printf(record, "A: bMaxPower=%dmA\\n\nA: bmAttributes=%02x\\n\nA: bcdDevice=%04x\\n\n",
                           2 * configuration[8], configuration[7], release);
    g_string_append_printf(record, "A: busnum=1\\n\nA: devnum=%d\\n\nA: dev=%d:%d\\n\nA: devpath=%s\\n\n", number,
                           USB_DEVICE_MAJOR, number - 1, devpath);
    g_string_append_printf(record, "A: idVendor=%04x\\n\nA: idProduct=%04x\\n\nA: version= %x.%02x\\n\n", vendor,
                           product, device[3], device[2]);
    g_string_append_printf(record, "A: speed=%s\\n\nA: maxchild=0\\n\nA: removable=unknown\\n\n", names.speed);
    if (names.manufacturer) g_string_append_printf(record, "A: manufacturer=%s\\n\n", names.manufacturer);
    if (names.product) g_string_append_printf(record, "A: product=%s\\n\n", names.product);
    if (names.serial) g_string_append_printf(record, "A: serial=%s\\n\n", names.serial);
    g_string_append(record, "H: descriptors=");
    append_hex(record, descriptors, length);
    return record;
}

char *sysfs_root_hub_record(void)
{
    struct names names = {"Linux 6.1.0-18-amd64 xhci-hcd", "xHCI Host Controller", "0000:00:14.0", "480"};
    return g_string_free(device_record(SYSFS_ROOT_HUB, "0", 1, root_hub, sizeof root_hub, names), FALSE);
}

char *sysfs_hub_record(const char *port, int number)
{
    struct names names = {NULL, "USB 2.0 Hub", NULL, "480"};
    char *path = sysfs_path(port);
    GString *record = device_record(path, strchr(port, '-') + 1, number, hub, sizeof hub, names);
    g_free(path);
    return g_string_free(record, FALSE);
}

/// The record of interface 0, whose descriptor follows that of the configuration.
static void append_interface(GString *record, const struct reader *reader, const char *path)
{
    const guint8 *device = reader->model->device;
    const guint8 *interface = reader->model->configuration + reader->model->configuration[0];
    char *name = sysfs_interface_name(reader->port);
    g_string_append_printf(record, "\nP: %s/%s\n", path + strlen("/sys"), name);
    g_string_append(record, "E: SUBSYSTEM=usb\nE: DEVTYPE=usb_interface\n");
    g_string_append_printf(record, "E: INTERFACE=%d/%d/%d\n", interface[5], interface[6], interface[7]);
    GString *alias = g_string_new(NULL);
    g_string_append_printf(alias, "usb:v%02X%02Xp%02X%02Xd%02X%02Xdc%02Xdsc%02Xdp%02Xic%02Xisc%02Xip%02Xin00",
                           device[9], device[8], device[11], device[10], device[13], device[12], device[4], device[5], device[6],
                           interface[5], interface[6], interface[7]);
    g_string_append_printf(record, "E: MODALIAS=%s\nA: modalias=%s\\n\n", alias->str, alias->str);
    g_string_append_printf(record, "A: bInterfaceNumber=00\\n\nA: bAlternateSetting= 0\\n\nA: bNumEndpoints=%02x\\n\n",
                           interface[4]);
    g_string_append_printf(record, "A: bInterfaceClass=%02x\\n\nA: bInterfaceSubClass=%02x\\n\n", interface[5],
                           interface[6]);
    g_string_append_printf(record, "A: bInterfaceProtocol=%02x\\n\nA: authorized=1\\n\n", interface[7]);
    g_string_free(alias, TRUE);
    g_free(name);
}

char *sysfs_reader_record(const struct reader *reader, int number)
{
    const struct model *model = reader->model;
    struct names names = {model->manufacturer, model->product, reader->serial, model->speed};
    GByteArray *descriptors = descriptors_of(reader);
    char *path = sysfs_path(reader->port);
    GString *record =
        device_record(path, strchr(reader->port, '-') + 1, number, descriptors->data, descriptors->len, names);
    append_interface(record, reader, path);
    g_byte_array_unref(descriptors);
    g_free(path);
    return g_string_free(record, FALSE);
}
