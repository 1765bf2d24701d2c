// PC/SC, used in a separate process if there is a program for that, and in this process otherwise

import Dispatch
import Foundation
import Logging
import PCSCReaders
package import ReaderInterface
import ReaderProcess
package import USBReaders

struct PCSCBackEnd: BackEnd {
    private static let library = "PC/SC"

    func open(
        _ connection: String?, on queue: DispatchQueue, letAbort: (any Reader) -> Void
    ) throws(ReaderError) -> any Reader {
        let connection = connection ?? PCSCReader.scheme
        guard let isolated = try LibNFCHost.start() else {
            let reader = try PCSCReader(
                connection: connection, queue: queue, logger: Logger(label: "nfctool.reader"))
            letAbort(reader)
            return reader
        }
        letAbort(isolated)
        try isolated.open(connection, by: Self.library)
        return isolated
    }

    /// Returns the readers of pcscd.
    ///
    /// Empty if pcscd would have to be started only to list readers that libnfc also drives.
    func connections() throws(ReaderError) -> [String] {
        try SmartCardReaders.mayAsk() ? list().map(\.connection) : []
    }

    /// Returns the readers of pcscd.
    ///
    /// If pcscd is not running, systemd starts it.
    func list() throws(ReaderError) -> [ListedReader] {
        guard let isolated = try LibNFCHost.start() else { return try PCSCReader.listed() }
        return try isolated.smartCardReaders()
    }
}

package enum SmartCardReaders {
    /// The environment variable that selects a pcscd socket other than the system's.
    private static let socketVariable = "PCSCLITE_CSOCK_NAME"

    /// The version of pcsclite with which this program was built.
    package static var libraryVersion: String { PCSCReader.libraryVersion }

    /// Whether pcscd may be asked for its readers.
    ///
    /// This is so if pcscd is running, if only pcscd can drive a connected reader, or if the environment names its
    /// socket. A query starts pcscd, which also takes the readers that libnfc drives.
    package static func mayAsk() -> Bool {
        if ProcessInfo.processInfo.environment[socketVariable] != nil { return true }
        let daemon = SmartCardDaemon.now()
        return daemon.process != nil
            || daemon.isListening && USBReader.connected().contains { $0.model.reason == .smartCardReaderOnly }
    }

    /// Returns the model name of the reader with this connection string, or nil for a reader of another back end.
    package static func title(of connection: String) -> String? {
        guard connection.hasPrefix(PCSCReader.scheme) else { return nil }
        let dialect = ReaderDialect.of(name: connection)
        return dialect.isKnown ? dialect.title : String(connection.dropFirst(PCSCReader.scheme.count))
    }

    /// Returns the abilities of the reader with this connection string, or of this model, as words for a table.
    package static func abilities(of connection: String, model: ReaderModel?) -> [String] {
        let dialect =
            model.flatMap { ReaderDialect.known(vendor: $0.vendor, product: $0.product) }
            ?? ReaderDialect.of(name: connection)
        return ReaderDialect.Ability.allCases.filter { dialect.abilities.contains($0) }.map(\.title)
    }

    /// Returns known readers that support the commands of this technology, as suggestions for the user of another
    /// reader.
    package static func alternatives(for technology: Technology?) -> [String] {
        switch technology {
        case .jewel: ReaderDialect.readers(with: .type1)
        case .nfcF: ReaderDialect.readers(with: .type3)
        case .nfcV: ReaderDialect.readers(with: .type5Commands)
        case .nfcA, .nfcB, nil: ReaderDialect.readers(with: .type2Commands)
        }
    }

    /// Returns the readers of pcscd.
    ///
    /// Empty if pcscd should not be asked or does not answer.
    package static func found() -> [ListedReader] { mayAsk() ? (try? PCSCBackEnd().list()) ?? [] : [] }
}

extension USBReader {
    /// The connection string of this reader for pcscd.
    private var smartCardConnection: String {
        let numbers = [bus, device].map { number in
            let digits = String(number)
            return String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "\(PCSCReader.scheme)usb:\(numbers[0]):\(numbers[1])"
    }

    /// Returns the connection string for the library that can drive the reader now.
    ///
    /// This is libnfc, unless pcscd holds the reader or only pcscd can drive it.
    ///
    /// - Parameter isHeld: whether pcscd holds the reader.
    /// - Returns: the connection string, or nil if neither library can drive the reader.
    package func connectionNow(isHeld: (USBReader) -> Bool = { $0.isHeldBySmartCardDaemonNow }) -> String? {
        guard let connection else { return isSmartCardReader ? smartCardConnection : nil }
        return isSmartCardReader && isHeld(self) ? smartCardConnection : connection
    }

    package var isHeldBySmartCardDaemonNow: Bool { isHeldBySmartCardDaemon(NodeHolders(of: node)) }
}
