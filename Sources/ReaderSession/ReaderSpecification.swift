// Turns the user's name for a reader into a connection string — Docs/CommandLine.md, How a reader is named

import Foundation
import ReaderInterface
import USBReaders

/// The name of a reader: `auto`, `virtual…`, `usb:PORT`, `serial:NUMBER`, a label, `pcsc:NAME`, or a connection string.
///
/// Connection strings are those of libnfc.
public struct ReaderSpecification: Hashable, Sendable {
    /// The text as given.
    public let text: String

    /// The default specification: the environment variable `NFCTOOL_READER` or, if it is not set, `auto`.
    public static var standard: ReaderSpecification { ReaderSpecification(nil) }

    /// Creates a specification from a string, or the default specification from nil.
    ///
    /// In the files of an embedded reader, `~/` at the beginning stands for the user's home folder, because no shell
    /// replaces it in `virtual:~/tag.nfc`.
    public init(_ text: String?) {
        let environment = ProcessInfo.processInfo.environment
        let named = text ?? environment["NFCTOOL_READER"].flatMap { $0.isEmpty ? nil : $0 } ?? "auto"
        // A comma or a question mark would end the name of the file.
        guard named.hasPrefix("virtual:"), named.contains("~/"), let home = environment["HOME"], !home.isEmpty,
            !home.contains(","), !home.contains("?")
        else {
            self.text = named
            return
        }
        let parts = named.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let files = ["virtual:", ","].reduce(String(parts[0])) { $0.replacing($1 + "~/", with: "\($1)\(home)/") }
        self.text = ([files] + parts.dropFirst().map(String.init)).joined(separator: "?")
    }

    /// Whether this is the name of an embedded reader.
    package var isVirtual: Bool { text == "virtual" || text.hasPrefix("virtual:") }

    /// The paths of the files with the tags of an embedded reader, as in `virtual:FILE,FILE?OPTIONS`.
    package var tagFiles: [String] {
        guard text.hasPrefix("virtual:") else { return [] }
        let words = text.dropFirst("virtual:".count).prefix { $0 != "?" }.split(separator: ",").map(String.init)
        // The name of a kind of virtual tag has neither a dot nor a slash.
        return words.filter { $0.contains(".") || $0.contains("/") }
    }

    /// Whether the tags of an embedded reader exist only while it is open.
    package var forgetsTags: Bool { isVirtual && tagFiles.isEmpty }

    /// Returns the current connection string, or nil for `auto`.
    ///
    /// The string may change, because a reader on a port gets a new device number each time it is plugged in.
    /// - Throws: `ReaderError.noReader(connection:)` if no reader that libnfc or pcscd drives has that port or serial
    ///   number; `ReaderLabelError` for a label file that cannot be read; `ReaderConnectionError` for an invalid
    ///   option.
    package func connection() throws -> String? {
        if isVirtual { return try virtualConnection() }
        guard text != "auto" else { return nil }
        let connection = try namedConnection()
        _ = try ReaderConnection(parsing: connection)
        return connection
    }

    private func namedConnection() throws -> String {
        if let target = ReaderLabels.Target(text) { return try connection(of: target) }
        guard ReaderLabels.isLabel(text) else { return text }
        let labels = try ReaderLabels(environment: ProcessInfo.processInfo.environment)
        return try labels.target(of: text).map(connection(of:)) ?? text
    }

    /// Whether this is the port, serial number or label of a USB reader that is not connected.
    package var isUnplugged: Bool {
        do {
            _ = try connection()
            return false
        } catch ReaderError.noReader {
            return true
        } catch {
            // Errors from the label file or a virtual reader are reported when the reader is opened.
            return false
        }
    }

    private func connection(of target: ReaderLabels.Target) throws -> String {
        let found: String? =
            switch target {
            case .connection(let connection): connection
            case .port(let port): USBReader.connected().first { $0.port == port }?.connectionNow()
            case .serial(let serial):
                USBReader.connected().lazy.filter { $0.serial == serial }.compactMap { $0.connectionNow() }.first
            }
        guard let found else { throw ReaderError.noReader(connection: text) }
        return found
    }

    /// Returns a name that stays valid after the open reader is unplugged.
    ///
    /// This is the specification itself, or the port to which the reader is connected.
    package func lastingName(of connection: String) -> String {
        guard text == "auto" || text == connection else { return text }
        return USBReader.connected().first { $0.connection == connection }.map { "usb:\($0.port)" } ?? connection
    }

    /// The first connected reader that libnfc drives, even if this user may not open it.
    ///
    /// Nil if there is none.
    package static var firstPluggedIn: String? { USBReader.connected().lazy.compactMap(\.connection).first }
}

extension ReaderLabels.Target {
    /// Parses a name such as `usb:1-2.3` or `serial:ABC123`, which needs no label.
    ///
    /// Returns nil for any other name.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.last) {
        case ("usb", let port?):
            guard let port = PortPath(port) else { return nil }
            self = .port(port)
        case ("serial", let serial?) where parts.count == 2: self = .serial(serial)
        default: return nil
        }
    }
}
