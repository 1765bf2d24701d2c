// The launcher's remote control: lines on a Unix socket
//
// Each line is one command and gets a one-line answer: `plug [N]` · `unplug [N]` · `fault [N:]NAME[=VALUE]` ·
// `clear [N]` · `log`. N is the number of a reader, counted from 0; a command without it applies to all readers. The
// answer is `ok`, `ok JSON` or `error REASON`.
#ifndef CONTROL_H
#define CONTROL_H

#include "Bus.h"

/// Executes a command and returns the answer, which the caller frees.
char *control_execute(struct bus *bus, const char *line);

/// Listens at a path. Returns a descriptor, or −1.
int control_listen(const char *path);

/// Serves the socket from the main loop.
void control_serve(struct bus *bus, int listener);

/// The commands and events of all readers, as one line of JSON; the caller frees it.
char *control_log(struct bus *bus);

#endif
