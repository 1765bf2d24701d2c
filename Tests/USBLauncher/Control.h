// The launcher's remote control: lines on a Unix socket
//
// One command per line, one line of answer: `plug [N]` · `unplug [N]` · `fault [N:]NAME[=VALUE]` · `clear [N]` · `log`.
// Readers are counted from 0; without a number all are meant. The answer is `ok`, `ok JSON` or `error REASON`.
#ifndef CONTROL_H
#define CONTROL_H

#include "Bus.h"

/// Executes a command; the caller frees the answer.
char *control_execute(struct bus *bus, const char *line);

/// Listens at a path; a descriptor, or −1.
int control_listen(const char *path);

/// Serves the socket from the main loop.
void control_serve(struct bus *bus, int listener);

/// The commands and events of all readers, as one line of JSON; the caller frees it.
char *control_log(struct bus *bus);

#endif
