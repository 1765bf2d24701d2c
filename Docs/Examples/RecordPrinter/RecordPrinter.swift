// Prints TNF, type, id and payload of every record that is read, until Ctrl-C
//
//   NFCTOOL_READER=virtual swift run RecordPrinter --once
//   swift run RecordPrinter --readers       lists the readers, for NFCTOOL_READER

import CoreNFC

final class RecordPrinter: NSObject, NFCNDEFReaderSessionDelegate {
    // Without `didDetect tags`, the session reads each tag's message itself, and waits until the tag has left.
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        for message in messages {
            put(
                "Message of \(message.length) bytes, \(message.records.count) record\(message.records.count == 1 ? "" : "s")"
            )
            for (number, record) in zip(1..., message.records) { put(Self.lines(for: record, number)) }
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        let error = error as? NFCReaderError
        if error?.code == .readerSessionInvalidationErrorFirstNDEFTagRead { exit(0) }
        // The reader's own description is in the underlying error.
        let words = [error?.localizedDescription, error?.userInfo[NSUnderlyingErrorKey].map { "\($0)" }]
        let text = words.compactMap(\.self).joined(separator: ". ")
        FileHandle.standardError.write(Data("RecordPrinter: \(text)\n".utf8))
        exit(1)
    }

    private func put(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    private static func lines(for record: NFCNDEFPayload, _ number: Int) -> String {
        """
        \(number)  TNF      \(record.typeNameFormat.rawValue) (\(name(of: record.typeNameFormat)))
           type     \(text(record.type))
           id       \(text(record.identifier))
           payload  \(hex(record.payload))
        """
    }

    private static func name(of format: NFCTypeNameFormat) -> String {
        switch format {
        case .empty: "empty"
        case .nfcWellKnown: "well-known"
        case .media: "media"
        case .absoluteURI: "absolute URI"
        case .nfcExternal: "external"
        case .unknown: "unknown"
        case .unchanged: "unchanged"
        }
    }

    /// Returns printable ASCII unchanged, and anything else in hexadecimal, so that a tag cannot control the terminal.
    private static func text(_ data: Data) -> String {
        if data.isEmpty { return "–" }
        return data.allSatisfy { (0x20...0x7E).contains($0) } ? String(decoding: data, as: UTF8.self) : hex(data)
    }

    private static func hex(_ data: Data) -> String {
        data.isEmpty ? "–" : data.map { String(format: "%02X", $0) }.joined(separator: " ")
    }
}

@main struct Program {
    static func main() {
        if CommandLine.arguments.contains("--readers") {
            for reader in NFCReaderSession.availableReaders() { print("\(reader.specification)  \(reader.name)") }
            return
        }
        let printer = RecordPrinter()
        let isOnce = CommandLine.arguments.contains("--once")
        let session = NFCNDEFReaderSession(delegate: printer, queue: .main, invalidateAfterFirstRead: isOnce)
        session.timeLimit = nil
        session.begin()
        // The session holds its delegate weakly.
        withExtendedLifetime(printer) { dispatchMain() }
    }
}
