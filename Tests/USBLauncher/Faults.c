// Faults of an emulated reader

#include "Faults.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum value_kind { FLAG, COUNT, ERROR, TEXT };

/// The name of a fault, its place in struct faults, and its value if none is given; −1 means that one must be given.
static const struct {
    const char *name;
    size_t offset;
    enum value_kind kind;
    int assumed;
} table[] = {
    {"claim", offsetof(struct faults, claim), ERROR, EBUSY},
    {"read-only", offsetof(struct faults, read_only), FLAG, 1},
    {"no-access", offsetof(struct faults, no_access), FLAG, 1},
    {"driver", offsetof(struct faults, driver), TEXT, 0},
    {"mute", offsetof(struct faults, mute), FLAG, 1},
    {"mute-after", offsetof(struct faults, mute_after), COUNT, -1},
    {"mute-until-reset", offsetof(struct faults, mute_until_reset), COUNT, 1},
    {"once", offsetof(struct faults, once), FLAG, 1},
    {"short", offsetof(struct faults, short_answer), COUNT, -1},
    {"stall", offsetof(struct faults, stall), FLAG, 1},
    {"garbage", offsetof(struct faults, garbage), COUNT, 1},
    {"unplug-at", offsetof(struct faults, unplug_at), COUNT, -1},
    {"reset", offsetof(struct faults, reset), ERROR, ENODEV},
    {"altsetting", offsetof(struct faults, altsetting), ERROR, ETIMEDOUT},
    {"configuration", offsetof(struct faults, configuration), ERROR, ETIMEDOUT},
};

/// The driver that claims PN533s and ACR122Us.
static const char *const assumed_driver = "pn533_usb";

int faults_error_number(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } errors[] = {
        {"EBUSY", EBUSY}, {"EACCES", EACCES}, {"EPERM", EPERM}, {"ENODEV", ENODEV}, {"EIO", EIO},
        {"ETIMEDOUT", ETIMEDOUT}, {"EPIPE", EPIPE}, {"EPROTO", EPROTO}, {"ENOENT", ENOENT}, {"EINVAL", EINVAL},
    };
    for (size_t index = 0; index < G_N_ELEMENTS(errors); index++) {
        if (!strcmp(errors[index].name, name)) return errors[index].number;
    }
    return 0;
}

static int parse(const char *value, enum value_kind kind)
{
    if (kind == ERROR) return faults_error_number(value);
    char *end = NULL;
    long number = strtol(value, &end, 10);
    return *value && !*end && number > 0 && number < 1000000000 ? (int)number : 0;
}

const char *faults_apply(struct faults *faults, const char *text)
{
    const char *separator = strchr(text, '=');
    size_t length = separator ? (size_t)(separator - text) : strlen(text);
    const char *value = separator ? separator + 1 : NULL;
    for (size_t index = 0; index < G_N_ELEMENTS(table); index++) {
        if (strlen(table[index].name) != length || strncmp(table[index].name, text, length)) continue;
        void *field = (char *)faults + table[index].offset;
        if (table[index].kind == TEXT) {
            if (value && !*value) return "a fault's value is empty";
            g_strlcpy(field, value ? value : assumed_driver, sizeof faults->driver);
            return NULL;
        }
        if (value && table[index].kind == FLAG) return "that fault takes no value";
        int number = value ? parse(value, table[index].kind) : table[index].assumed;
        if (number <= 0) return "a fault's value is not a positive number or a known error such as EBUSY";
        memcpy(field, &number, sizeof number);
        return NULL;
    }
    return "there is no such fault";
}
