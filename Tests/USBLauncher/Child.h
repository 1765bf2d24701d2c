// The command that is run on the bus
#ifndef CHILD_H
#define CHILD_H

#include <glib.h>
#include <signal.h>

struct child;

/// Blocks the signals that the launcher waits for. Call it before any thread is created.
void child_block_signals(void);

/// Starts the command. Ends the loop when the command and all processes that it started have ended. Returns NULL if the
/// command cannot be run.
struct child *child_start(char **command, int timeout, GMainLoop *loop);

/// The exit code for the launcher.
int child_finish(struct child *child);

#endif
