// The readers that are here, for a program that lets its user choose

import Foundation
import ReaderInterface
import ReaderSession
import USBReaders

extension NFCReaderSession {
    /// A reader that a session can be given.
    ///
    /// ```swift
    /// for reader in NFCReaderSession.availableReaders() { print(reader.specification, reader.name) }
    /// ```
    public struct AvailableReader: Hashable, Sendable {
        /// What ``NFCReaderSession/readerSpecification`` takes: `usb:1-2` for a reader on a USB port, which stays the same when
        /// it is unplugged and comes back, else a libnfc connection string, or `virtual…`.
        public let specification: String
        /// The model, for example `ACS ACR122U`; the specification of a reader whose model is not known.
        public let name: String
        /// The user's own name for it, from `~/.config/nfctool/readers`.
        ///
        /// A session takes it as a specification, too.
        public let label: String?
        /// The serial number, which many readers lack or share.
        public let serialNumber: String?

        init(_ specification: String, name: String? = nil, label: String? = nil, serialNumber: String? = nil) {
            self.specification = specification
            self.name = name ?? specification
            self.label = label
            self.serialNumber = serialNumber
        }
    }

    /// The readers that are here, those on USB first; busy ones, too.
    ///
    /// Looks at the USB bus and asks libnfc for readers on other ports, so it may take a second. Of serial ports libnfc knows
    /// those that its configuration names. A virtual reader is listed when `NFCTOOL_READER` names it.
    public class func availableReaders() -> [AvailableReader] {
        let labels = (try? ReaderLabels(environment: ProcessInfo.processInfo.environment)) ?? ReaderLabels()
        let standard = ReaderSpecification.standard
        let virtual = standard.isVirtual ? [AvailableReader(standard.text, name: "Virtual reader")] : []
        let plugged = USBReader.connected().filter { $0.connection != nil }
        let known = Set(plugged.compactMap(\.connection))
        let others = ((try? BackEnds.connections()) ?? []).filter { !known.contains($0) }
        return virtual
            + plugged.map { reader in
                AvailableReader(
                    "usb:\(reader.port)", name: reader.model.name, label: labels.label(of: reader),
                    serialNumber: reader.serial)
            } + others.map { AvailableReader($0, label: labels.label(ofConnection: $0)) }
    }
}
