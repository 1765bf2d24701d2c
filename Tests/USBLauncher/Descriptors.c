// Descriptors and control transfers — USB 2.0, chapter 9

#include "Descriptors.h"

#include <errno.h>
#include <linux/usb/ch9.h>
#include <string.h>

/// The offset of iSerialNumber in the device descriptor, and the index of the string that contains a serial number.
#define SERIAL_NUMBER_OFFSET 16
#define SERIAL_NUMBER_STRING 3

GByteArray *descriptors_of(const struct reader *reader)
{
    GByteArray *bytes = g_byte_array_new();
    g_byte_array_append(bytes, reader->model->device, DEVICE_DESCRIPTOR_LENGTH);
    if (reader->serial) bytes->data[SERIAL_NUMBER_OFFSET] = SERIAL_NUMBER_STRING;
    g_byte_array_append(bytes, reader->model->configuration, (guint)reader->model->configuration_length);
    return bytes;
}

/// Returns a string descriptor in UTF-16, or NULL if there is no string with this index.
static GByteArray *string_descriptor(const struct reader *reader, guint8 index)
{
    const char *const texts[] = {NULL, reader->model->manufacturer, reader->model->product, reader->serial};
    gunichar2 languages[] = {0x0409};
    gunichar2 *text = languages;
    glong length = 1;
    if (index > 0) {
        if (index >= G_N_ELEMENTS(texts) || !texts[index]) return NULL;
        text = g_utf8_to_utf16(texts[index], -1, NULL, &length, NULL);
        if (!text) return NULL;
        length = MIN(length, 126);
    }
    GByteArray *bytes = g_byte_array_new();
    guint8 header[] = {(guint8)(2 + 2 * length), USB_DT_STRING};
    g_byte_array_append(bytes, header, sizeof header);
    for (glong unit = 0; unit < length; unit++) {
        guint8 pair[] = {(guint8)text[unit], (guint8)(text[unit] >> 8)};
        g_byte_array_append(bytes, pair, sizeof pair);
    }
    if (index > 0) g_free(text);
    return bytes;
}

static GByteArray *descriptor(const struct reader *reader, guint8 type, guint8 index)
{
    if (type == USB_DT_STRING) return string_descriptor(reader, index);
    if ((type != USB_DT_DEVICE && type != USB_DT_CONFIG) || index > 0) return NULL;
    GByteArray *bytes = descriptors_of(reader);
    if (type == USB_DT_DEVICE) {
        g_byte_array_set_size(bytes, DEVICE_DESCRIPTOR_LENGTH);
    } else {
        g_byte_array_remove_range(bytes, 0, DEVICE_DESCRIPTOR_LENGTH);
    }
    return bytes;
}

int descriptors_control(const struct reader *reader, const struct usb_setup *setup, guint8 *data)
{
    if ((setup->type & USB_TYPE_MASK) != USB_TYPE_STANDARD) return -EPIPE;
    GByteArray *answer = NULL;
    static const guint8 zeros[2] = {0}, one = 1;
    switch (setup->request) {
    case USB_REQ_GET_DESCRIPTOR:
        answer = descriptor(reader, (guint8)(setup->value >> 8), (guint8)setup->value);
        if (!answer) return -EPIPE;
        break;
    case USB_REQ_GET_STATUS:
        answer = g_byte_array_append(g_byte_array_new(), zeros, 2);
        break;
    case USB_REQ_GET_CONFIGURATION:
        answer = g_byte_array_append(g_byte_array_new(), &one, 1);
        break;
    case USB_REQ_GET_INTERFACE:
        answer = g_byte_array_append(g_byte_array_new(), zeros, 1);
        break;
    case USB_REQ_CLEAR_FEATURE:
    case USB_REQ_SET_FEATURE:
        return 0;
    default:
        return -EPIPE;
    }
    int length = (int)MIN(answer->len, setup->length);
    if (length) memcpy(data, answer->data, (gsize)length);
    g_byte_array_unref(answer);
    return length;
}
