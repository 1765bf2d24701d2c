// The available readers, for a program that lets the user choose

import Foundation
import ReaderInterface
import ReaderSession
import USBReaders

extension NFCReaderSession {
    /// A reader that can be used for a session.
    ///
    /// ```swift
    /// for reader in NFCReaderSession.availableReaders() { print(reader.specification, reader.name) }
    /// ```
    public struct AvailableReader: Hashable, Sendable {
        /// The value for ``NFCReaderSession/readerSpecification``.
        ///
        /// For a reader on a USB port it is, for example, `usb:1-2`, which stays the same if the reader is unplugged
        /// and plugged in again. For other readers it is a libnfc connection string or `virtual…`.
        public let specification: String
        /// The model, for example `ACS ACR122U`, or the specification if the model is not known.
        public let name: String
        /// The user's label for the reader, from `~/.config/nfctool/readers`, or nil if it has none.
        ///
        /// A session also accepts the label as a specification.
        public let label: String?
        /// The serial number, or nil if the reader has none.
        ///
        /// Many readers have no serial number, or share one with other readers.
        public let serialNumber: String?

        init(_ specification: String, name: String? = nil, label: String? = nil, serialNumber: String? = nil) {
            self.specification = specification
            self.name = name ?? specification
            self.label = label
            self.serialNumber = serialNumber
        }
    }

    /// Returns the available readers, including busy ones, with USB readers first.
    ///
    /// The function reads the USB bus and asks libnfc for readers on other ports, so it may take a second. libnfc finds
    /// readers on serial ports only if its configuration names them. A virtual reader is listed if `NFCTOOL_READER`
    /// names it.
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
