// A PC/SC reader that exists only in this program, below the real pcscd

import Synchronization
package import VirtualPN532

/// Whatever can be held to a reader: an ISO 15693 tag, or a tag of VirtualPN532.
package typealias VirtualContactlessCard = VirtualTag

/// A virtual PC/SC reader; ``PrivatePCSCDaemon`` brings it to clients.
package final class VirtualPCSCReader: Sendable {
    /// The model.
    package let model: PCSCReaderModel
    /// The name that pcscd gives it, without the numbers `XX YY` at the end, which count readers and slots.
    package let friendlyName: String
    /// The tags in reach; may be changed at any time.
    ///
    /// Programs see the first that the reader can talk to.
    package let field: Field
    /// The USB serial number.
    let serial: String?
    let firmware: ReaderFirmware

    private struct Port: Sendable { weak var port: ReaderPort? }
    private let port = Mutex(Port())

    /// Makes a reader that is not plugged in yet.
    /// - Parameters:
    ///   - model: what it answers like.
    ///   - name: a USB serial number, which pcscd appends to its name; nil for none.
    ///   - tags: the tags in its field.
    ///   - latency: whether answers take the time they would on the air.
    package convenience init(
        model: PCSCReaderModel, name: String? = nil, tags: [any VirtualContactlessCard] = [], latency: Latency = .none
    ) {
        self.init(model: model, name: name, field: Field(tags), latency: latency)
    }

    /// Makes a reader with this field, which is no other reader's.
    package init(model: PCSCReaderModel, name: String?, field: Field, latency: Latency) {
        (self.model, serial, self.field) = (model, name, field)
        firmware = ReaderFirmware(model: model, field: field, latency: latency)
        friendlyName =
            model.driverName + ((model.interfaces.first ?? nil).map { " [\($0)]" } ?? "")
            + (name.map { " (\($0))" } ?? "")
    }

    /// The faults in force.
    package var faults: PCSCFaults {
        get { firmware.faults.faults }
        set {
            firmware.faults.faults = newValue
            firmware.release()
        }
    }

    /// The SCardTransmit calls that reached the reader.
    package var transmits: Int { firmware.transmits.withLock { $0 } }

    /// Does something, once, in the middle of the Nth SCardTransmit from now on, on another thread.
    package func onTransmit(_ number: Int, _ action: @escaping @Sendable () -> Void) {
        let last = transmits
        firmware.onTransmit.withLock { $0 = (last + number, action) }
    }

    /// Saves the tags of these files after each change, before the client gets its answer.
    /// - Throws: `VirtualReaderError.fileInUse`, `VirtualReaderError.fileInaccessible`.
    package func keep(_ files: [TagFile]) throws(VirtualReaderError) {
        for file in files { try firmware.store.add(file) }
    }

    /// Why a tag's file could not be saved; nil when all were.
    package var saveError: VirtualReaderError? { firmware.store.error }

    /// Holds a tag to the reader.
    package func place(_ tag: any VirtualContactlessCard) { field.place(tag) }

    /// Takes all tags away.
    package func remove() { field.remove() }

    /// Plugs the reader in again where it was.
    package func plug() throws(PCSCDaemonError) { try port.withLock(\.port)?.plug() }

    /// Pulls the reader out of its USB port; without a daemon nothing happens.
    package func unplug() { port.withLock(\.port)?.unplug() }

    func setPort(_ port: ReaderPort) { self.port.withLock { $0.port = port } }
}
