// A kiosk: whoever holds a tag to the reader is greeted by the name that is on it
//
//   nfctool write --text Ada                 a badge
//   NFCTOOL_READER=usb:1-2 swift run Kiosk   the first reader, without the variable

import CoreNFC

/// Turns what a session reads into a sequence to loop over.
final class Taps: NSObject, NFCNDEFReaderSessionDelegate, Sendable {
    let (messages, continuation) = AsyncThrowingStream.makeStream(of: NFCNDEFMessage.self)

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        for message in messages { continuation.yield(message) }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        continuation.finish(throwing: error)
    }
}

@main struct Kiosk {
    static func main() async throws {
        let taps = Taps()
        let session = NFCNDEFReaderSession(delegate: taps, queue: nil, invalidateAfterFirstRead: false)
        session.timeLimit = nil  // a phone would stop after a minute
        session.begin()
        for try await message in taps.messages {
            let name = message.records.lazy.compactMap { $0.wellKnownTypeTextPayload().0 }.first ?? "stranger"
            FileHandle.standardOutput.write(Data("Hello, \(printable(name))!\n".utf8))
        }
    }

    /// A tag may hold anything; nothing of it is to act on the terminal.
    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.generalCategory.acts }))
    }
}

extension Unicode.GeneralCategory {
    var acts: Bool { [.control, .format, .lineSeparator, .paragraphSeparator].contains(self) }
}
