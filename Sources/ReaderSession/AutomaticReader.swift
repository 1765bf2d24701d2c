// The reader that `auto` stands for: one that libnfc drives, or one of pcscd's — Docs/Readers.md, Two ways to a reader

import Foundation
import PCSCReaders
import ReaderInterface
import USBReaders

enum AutomaticReader {
    /// The connection string, or nil to leave the choice to libnfc.
    ///
    /// The readers on USB are checked first, because a query of pcscd's readers would start pcscd.
    static func connection() -> String? {
        let environment = ProcessInfo.processInfo.environment
        let isConfigured = environment.keys.contains { $0 == "LIBNFC_DEVICE" || $0 == "LIBNFC_DEFAULT_DEVICE" }
        guard !isConfigured else { return nil }
        return connection(USBReader.connected(), isHeld: \.isHeldBySmartCardDaemonNow) {
            SmartCardReaders.mayAsk() ? (try? PCSCBackEnd().list())?.first?.connection : nil
        }
    }

    /// Chooses among the connected readers.
    ///
    /// - Parameters:
    ///   - readers: the readers on USB.
    ///   - isHeld: whether pcscd holds the given reader.
    ///   - other: returns a reader of pcscd, which is used if no USB reader is suitable.
    /// - Returns: the connection string, or nil to leave the choice to libnfc.
    static func connection(
        _ readers: [USBReader], isHeld: (USBReader) -> Bool, other: () -> String?
    ) -> String? {
        let driven = readers.filter { $0.connection != nil }
        // libnfc itself opens the first free reader.
        if driven.contains(where: { $0.connectionNow(isHeld: isHeld) == $0.connection }) { return nil }
        if let first = driven.first { return first.connectionNow(isHeld: isHeld) }
        if let first = readers.compactMap({ $0.connectionNow(isHeld: isHeld) }).first { return first }
        return other()
    }
}
