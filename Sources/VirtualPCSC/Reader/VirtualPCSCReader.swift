// A PC/SC reader that exists only in this program and is driven by the real pcscd

import Synchronization
package import VirtualPN532

/// A card or tag that can be placed on a reader: an ISO 15693 tag, or a tag of VirtualPN532.
package typealias VirtualContactlessCard = VirtualTag

/// A virtual PC/SC reader.
///
/// ``PrivatePCSCDaemon`` makes it available to clients.
package final class VirtualPCSCReader: Sendable {
    /// The model.
    package let model: PCSCReaderModel
    /// pcscd's name for the reader, without the numbers `XX YY` at the end, which count readers and slots.
    package let friendlyName: String
    /// The tags within reach.
    ///
    /// The field may be changed at any time.
    ///
    /// Programs see the first tag that the reader supports.
    package let field: Field
    /// The USB serial number; nil if there is none.
    let serial: String?
    let firmware: ReaderFirmware

    private struct Port: Sendable { weak var port: ReaderPort? }
    private let port = Mutex(Port())

    /// Creates a reader that is not plugged in yet.
    /// - Parameters:
    ///   - model: the model to emulate.
    ///   - name: a USB serial number, which pcscd appends to the reader's name. `nil` means none.
    ///   - tags: the tags in the reader's field.
    ///   - latency: whether answers take as long as on the air.
    package convenience init(
        model: PCSCReaderModel, name: String? = nil, tags: [any VirtualContactlessCard] = [], latency: Latency = .none
    ) {
        self.init(model: model, name: name, field: Field(tags), latency: latency)
    }

    /// Creates a reader with this field, which no other reader may use.
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

    /// The number of SCardTransmit calls that reached the reader.
    package var transmits: Int { firmware.transmits.withLock { $0 } }

    /// Performs an action once, during the Nth SCardTransmit from now on, on another thread.
    package func onTransmit(_ number: Int, _ action: @escaping @Sendable () -> Void) {
        let last = transmits
        firmware.onTransmit.withLock { $0 = (last + number, action) }
    }

    /// Saves the tags of these files after each change, before the client gets its answer.
    /// - Throws: `VirtualReaderError.fileInUse`, `VirtualReaderError.fileInaccessible`.
    package func keep(_ files: [TagFile]) throws(VirtualReaderError) {
        for file in files { try firmware.store.add(file) }
    }

    /// The reason why a tag's file could not be saved.
    ///
    /// It is nil if all files were saved.
    package var saveError: VirtualReaderError? { firmware.store.error }

    /// Places a tag on the reader.
    package func place(_ tag: any VirtualContactlessCard) { field.place(tag) }

    /// Removes all tags.
    package func remove() { field.remove() }

    /// Plugs the reader in again at its old port.
    package func plug() throws(PCSCDaemonError) { try port.withLock(\.port)?.plug() }

    /// Unplugs the reader from its USB port.
    ///
    /// Without a daemon, this has no effect.
    package func unplug() { port.withLock(\.port)?.unplug() }

    func setPort(_ port: ReaderPort) { self.port.withLock { $0.port = port } }
}
