// A PC/SC reader that exists only in this program, and that the real pcscd drives

import Synchronization
package import VirtualPN532

/// A card or tag that can be placed on a reader: an ISO 15693 tag, or a tag from VirtualPN532.
package typealias VirtualContactlessCard = VirtualTag

/// A virtual PC/SC reader.
///
/// ``PrivatePCSCDaemon`` makes it available to clients.
package final class VirtualPCSCReader: Sendable {
    package let model: PCSCReaderModel
    /// pcscd's name for the reader, without the two numbers at the end, which count readers and slots.
    package let friendlyName: String
    /// The field with the tags that the reader can reach.
    ///
    /// It may be changed at any time.
    ///
    /// Programs see the first tag that the reader supports.
    package let field: Field
    let serial: String?
    let firmware: ReaderFirmware

    private struct Port: Sendable { weak var port: ReaderPort? }
    private let port = Mutex(Port())

    /// Creates a reader that is not plugged in.
    ///
    /// - Parameters:
    ///   - model: the model to emulate.
    ///   - name: a USB serial number, which pcscd appends to the reader's name; nil for none.
    ///   - tags: the tags in the reader's field.
    ///   - latency: whether answers take as long as on the air.
    package convenience init(
        model: PCSCReaderModel, name: String? = nil, tags: [any VirtualContactlessCard] = [], latency: Latency = .none
    ) {
        self.init(model: model, name: name, field: Field(tags), latency: latency)
    }

    /// Creates a reader that uses this field.
    ///
    /// No other reader may use the field.
    package init(model: PCSCReaderModel, name: String?, field: Field, latency: Latency) {
        (self.model, serial, self.field) = (model, name, field)
        firmware = ReaderFirmware(model: model, field: field, latency: latency)
        friendlyName =
            model.driverName + ((model.interfaces.first ?? nil).map { " [\($0)]" } ?? "")
            + (name.map { " (\($0))" } ?? "")
    }

    /// The faults that are simulated now.
    ///
    /// When they are set, all their counts start again at 1.
    package var faults: PCSCFaults {
        get { firmware.faults.faults }
        set {
            firmware.faults.faults = newValue
            firmware.release()
        }
    }

    /// The number of SCardTransmit calls that reached the reader.
    package var transmits: Int { firmware.transmits.withLock { $0 } }

    /// Performs an action once, on another thread, during the Nth SCardTransmit from now on.
    package func onTransmit(_ number: Int, _ action: @escaping @Sendable () -> Void) {
        let last = transmits
        firmware.onTransmit.withLock { $0 = (last + number, action) }
    }

    /// Saves the tags in these files after each change, before the client gets the answer.
    ///
    /// - Throws: `VirtualReaderError.fileInUse`, `VirtualReaderError.fileInaccessible`.
    package func keep(_ files: [TagFile]) throws(VirtualReaderError) {
        for file in files { try firmware.store.add(file) }
    }

    /// The last error during the saving of a tag file; nil if there was none.
    package var saveError: VirtualReaderError? { firmware.store.error }

    package func place(_ tag: any VirtualContactlessCard) { field.place(tag) }

    package func remove() { field.remove() }

    /// Plugs the reader in at its old USB port.
    ///
    /// Without a daemon, this has no effect.
    package func plug() throws(PCSCDaemonError) { try port.withLock(\.port)?.plug() }

    /// Unplugs the reader from its USB port.
    ///
    /// Without a daemon, this has no effect.
    package func unplug() { port.withLock(\.port)?.unplug() }

    func setPort(_ port: ReaderPort) { self.port.withLock { $0.port = port } }
}
