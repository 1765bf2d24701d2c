// The command that is run on the bus
#ifndef CHILD_H
#define CHILD_H

#include <glib.h>
#include <signal.h>

struct child;

/// Blocks the signals that the launcher waits for; before any thread is made.
void child_block_signals(void);

/// Starts the command, and ends the loop when it and all processes that it started have ended; NULL if it cannot be
/// run.
struct child *child_start(char **command, int timeout, GMainLoop *loop);

/// The exit code for the launcher.
int child_finish(struct child *child);

#endif
