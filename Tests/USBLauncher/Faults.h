// Faults of an emulated reader
#ifndef FAULTS_H
#define FAULTS_H

#include <glib.h>

/// The faults of one reader; all zero means no faults.
struct faults {
    /// claim=ERRNO: USBDEVFS_CLAIMINTERFACE fails.
    int claim;
    /// read-only: the node has mode 0444, and a process that opens it can only read.
    int read_only;
    /// no-access: the node has mode 0000.
    int no_access;
    /// driver[=NAME]: this kernel driver is bound to the interface.
    char driver[32];
    /// mute: no answer comes.
    int mute;
    /// mute-after=N: no answer comes after N commands from now.
    int mute_after;
    /// mute-until-reset[=N]: no answer comes until N resets.
    int mute_until_reset;
    /// once: after the interface was released once, no answer comes until the reader is plugged in again.
    int once;
    /// short=N: at most N bytes of an answer come.
    int short_answer;
    /// stall: bulk transfers end with EPIPE.
    int stall;
    /// garbage=SEED: answers are mutated.
    int garbage;
    /// unplug-at=N: the reader is unplugged in the middle of the Nth command from now.
    int unplug_at;
    /// reset=ERRNO, altsetting=ERRNO, configuration=ERRNO: USBDEVFS_RESET, _SETINTERFACE, _SETCONFIGURATION fail.
    int reset, altsetting, configuration;
};

/// Sets the fault `NAME[=VALUE]`. Returns the error in it, or NULL.
const char *faults_apply(struct faults *faults, const char *text);

/// Returns the number of an error such as `EBUSY`, or 0 for an unknown name.
int faults_error_number(const char *name);

#endif
