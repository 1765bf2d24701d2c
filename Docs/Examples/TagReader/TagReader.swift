// Reads one NTAG or MIFARE Ultralight: its UID, the answer to one command of its chip, and its message
//
//   swift run TagReader                             the first reader
//   NFCTOOL_READER=virtual swift run TagReader      without a reader

import CoreNFC

final class TagReader: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    // Unchecked: only the session's queue, which is serial, uses `result`.
    private var result: Result<[String], any Error>?

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
        // On Linux, this is shown if standard error is a terminal.
        session.alertMessage = "Hold a tag to the reader."
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard tags.count == 1, case .miFare(let found) = tags[0], found.mifareFamily == .ultralight else {
            session.alertMessage = "Hold one NTAG or MIFARE Ultralight to the reader, and nothing else."
            session.sessionQueue.asyncAfter(deadline: .now() + 0.5) { session.restartPolling() }
            return
        }
        // Operations on a tag are queued in its session, and any thread may call them.
        nonisolated(unsafe) let tag = found
        Task {
            let outcome: Result<[String], any Error>
            do {
                try await session.connect(to: .miFare(tag))
                var lines = ["UID      \(Self.hex(tag.identifier))"]
                // READ returns 16 bytes, beginning with a page of 4 bytes: page 3 is the capability container.
                let answer = try await tag.sendMiFareCommand(commandPacket: Data([0x30, 3]))
                lines.append("page 3   \(Self.hex(answer.prefix(4)))")
                for record in try await tag.readNDEF().records { lines.append("record   \(Self.text(of: record))") }
                outcome = .success(lines)
            } catch {
                outcome = .failure(error)
            }
            session.sessionQueue.async {
                self.result = outcome
                session.invalidate()
            }
        }
    }

    /// Ends the program, which writes out what was printed.
    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
        switch result ?? .failure(error) {
        case .success(let lines):
            for line in lines { print(line) }
            exit(0)
        case .failure(let error):
            // The reader's own description is in the underlying error.
            let cause = (error as? NFCReaderError)?.userInfo[NSUnderlyingErrorKey].map { ". \($0)" } ?? ""
            FileHandle.standardError.write(Data("TagReader: \(error.localizedDescription)\(cause)\n".utf8))
            exit(1)
        }
    }

    private static func text(of record: NFCNDEFPayload) -> String {
        // A text from a tag may contain characters that act on the terminal. A URL contains none.
        if let text = record.wellKnownTypeTextPayload().0 { return text.debugDescription }
        return record.wellKnownTypeURIPayload()?.absoluteString ?? hex(record.payload)
    }

    private static func hex(_ data: Data) -> String { data.map { String(format: "%02X", $0) }.joined(separator: " ") }
}

@main struct Program {
    static func main() {
        let reader = TagReader()
        // Nil only if the options are empty.
        guard let session = NFCTagReaderSession(pollingOption: .iso14443, delegate: reader) else { exit(1) }
        session.begin()
        // The session holds its delegate weakly.
        withExtendedLifetime(reader) { dispatchMain() }
    }
}
