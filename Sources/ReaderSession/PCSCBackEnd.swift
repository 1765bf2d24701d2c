// PC/SC, in a process of its own where there is a program for that, else in this one

import Dispatch
import Foundation
import Logging
import PCSCReaders
package import ReaderInterface
import ReaderProcess
package import USBReaders

/// The readers of the smart-card daemon pcscd.
struct PCSCBackEnd: BackEnd {
    /// What its process is called in errors.
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

    /// None where pcscd would have to be started for readers that libnfc drives as well.
    func connections() throws(ReaderError) -> [String] {
        try SmartCardReaders.mayAsk() ? list().map(\.connection) : []
    }

    /// The readers that pcscd has; systemd starts it for that.
    func list() throws(ReaderError) -> [ListedReader] {
        guard let isolated = try LibNFCHost.start() else { return try PCSCReader.listed() }
        return try isolated.smartCardReaders()
    }
}

/// The smart-card daemon's readers, and when to ask for them.
package enum SmartCardReaders {
    /// The variable that names another socket of pcscd than the system's.
    private static let socketVariable = "PCSCLITE_CSOCK_NAME"

    /// The version of pcsclite that this program was built with.
    package static var libraryVersion: String { PCSCReader.libraryVersion }

    /// Whether to ask pcscd for its readers: it runs, or something is plugged in that only it drives.
    ///
    /// Asked for its readers it starts, and takes those that libnfc drives, too.
    package static func mayAsk() -> Bool {
        if ProcessInfo.processInfo.environment[socketVariable] != nil { return true }
        let daemon = SmartCardDaemon.now()
        return daemon.process != nil
            || daemon.isListening && USBReader.connected().contains { $0.model.reason == .smartCardReaderOnly }
    }

    /// What people call the model of a reader with this connection string; nil for one of another back end.
    package static func title(of connection: String) -> String? {
        guard connection.hasPrefix(PCSCReader.scheme) else { return nil }
        let dialect = ReaderDialect.of(name: connection)
        return dialect.isKnown ? dialect.title : String(connection.dropFirst(PCSCReader.scheme.count))
    }

    /// What a reader with this connection string, or of this model, can do, in words for a table.
    package static func abilities(of connection: String, model: ReaderModel? = nil) -> [String] {
        let dialect =
            model.flatMap { ReaderDialect.known(vendor: $0.vendor, product: $0.product) }
            ?? ReaderDialect.of(name: connection)
        return ReaderDialect.Ability.allCases.filter { dialect.abilities.contains($0) }.map(\.title)
    }

    /// The known readers that support the commands of this technology; named as alternatives to a reader that does not.
    package static func alternatives(for technology: Technology?) -> [String] {
        switch technology {
        case .jewel: ReaderDialect.readers(with: .type1)
        case .nfcF: ReaderDialect.readers(with: .type3)
        case .nfcV: ReaderDialect.readers(with: .type5Commands)
        case .nfcA, .nfcB, nil: ReaderDialect.readers(with: .type2Commands)
        }
    }

    /// pcscd's readers; none where it is not to be asked, or does not answer.
    package static func found() -> [ListedReader] { mayAsk() ? (try? PCSCBackEnd().list()) ?? [] : [] }
}

extension USBReader {
    /// How the reader is named as one of pcscd's.
    package var smartCardConnection: String {
        let numbers = [bus, device].map { number in
            let digits = String(number)
            return String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "\(PCSCReader.scheme)usb:\(numbers[0]):\(numbers[1])"
    }

    /// What drives the reader now: libnfc, unless pcscd has it or only pcscd can.
    ///
    /// - Parameter isHeld: whether pcscd has it.
    /// - Returns: the connection string; nil when neither can.
    package func connectionNow(isHeld: (USBReader) -> Bool = { $0.isHeldBySmartCardDaemonNow }) -> String? {
        guard let connection else { return isSmartCardReader ? smartCardConnection : nil }
        return isSmartCardReader && isHeld(self) ? smartCardConnection : connection
    }

    /// Whether pcscd has it at this moment.
    package var isHeldBySmartCardDaemonNow: Bool { isHeldBySmartCardDaemon(NodeHolders(of: node)) }
}
