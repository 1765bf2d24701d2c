// The USB bus that programs see: a testbed of umockdev with a root hub, hubs and readers
#ifndef BUS_H
#define BUS_H

#include <umockdev.h>

#include "Reader.h"

/// The bus with its readers.
struct bus {
    /// Guards the readers; the testbed belongs to the main thread.
    GMutex lock;
    UMockdevTestbed *testbed;
    struct reader *readers;
    int count;
    /// The number of the device that was plugged in last.
    int last_number;
};

/// Builds the bus with all readers plugged in.
void bus_start(struct bus *bus, struct reader *readers, int count);

/// Waits for a short time until the nodes that ended programs had open are closed.
void bus_settle(struct bus *bus);

/// Removes the bus.
void bus_stop(struct bus *bus);

/// Plugs a reader in or unplugs it. Returns false if it already is. Call this on the main thread, without the lock.
gboolean bus_plug(struct bus *bus, struct reader *reader);
gboolean bus_unplug(struct bus *bus, struct reader *reader);

/// Removes the device immediately, and its node soon on the main thread. Call it with the lock.
///
/// Until the node is gone, the reader cannot be plugged in, and opening the node succeeds, unlike in a kernel.
void bus_unplug_soon(struct reader *reader);

/// Applies the reader's faults to its node and sysfs. Call it on the main thread, without the lock.
void bus_show_faults(struct bus *bus, struct reader *reader);

/// Does the same soon on the main thread. Call it from any thread.
void bus_show_faults_soon(struct reader *reader);

#endif
