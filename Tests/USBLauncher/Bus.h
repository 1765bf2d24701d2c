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

/// Waits, but not long, until the nodes that ended programs had open are closed.
void bus_settle(struct bus *bus);

/// Takes the bus away.
void bus_stop(struct bus *bus);

/// Plugs a reader in, or out; false when it is so already. For the main thread, without the lock.
gboolean bus_plug(struct bus *bus, struct reader *reader);
gboolean bus_unplug(struct bus *bus, struct reader *reader);

/// Lets the device die now, and has the main thread take its node away soon; under the lock.
void bus_unplug_soon(struct reader *reader);

/// Brings node and sysfs in line with the reader's faults. For the main thread, without the lock.
void bus_show_faults(struct bus *bus, struct reader *reader);

/// The same, soon; from any thread.
void bus_show_faults_soon(struct reader *reader);

#endif
