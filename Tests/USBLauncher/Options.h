// The launcher's command line
#ifndef OPTIONS_H
#define OPTIONS_H

#include <glib.h>

#include "Model.h"

#define MAXIMUM_READERS 8

/// A reader as requested: `MODEL[@PORT][#SERIAL]`.
struct reader_option {
    const struct model *model;
    char *port, *serial;
};

struct options {
    struct reader_option readers[MAXIMUM_READERS];
    int reader_count;
    /// The serial ports of the chips, one per reader.
    char *chips[MAXIMUM_READERS];
    int chip_count;
    /// `[N:]NAME[=VALUE]`, in the order of the command line.
    char *faults[64];
    int fault_count;
    const char *control, *log, *user;
    /// The time limit for the command, in seconds.
    int timeout;
    char **command;
};

/// Parses the command line. Returns the error in it, or NULL.
const char *options_parse(struct options *options, char **arguments);

#endif
