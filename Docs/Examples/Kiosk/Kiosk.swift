// A kiosk: whoever holds a tag to the reader is greeted by the name that is on it (nfctool write --text Ada)

import CoreNFC

/// Turns what a session reads into a sequence to loop over.
final class Taps: NSObject, NFCNDEFReaderSessionDelegate, Sendable {
    let (messages, continuation) = AsyncStream.makeStream(of: NFCNDEFMessage.self)

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        for message in messages { continuation.yield(message) }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        let cause = (error as? NFCReaderError)?.userInfo[NSUnderlyingErrorKey].map { ". \($0)" } ?? ""
        Kiosk.say("Closed: \(error.localizedDescription)\(cause)")
        continuation.finish()
    }
}

@main struct Kiosk {
    static func main() async {
        let taps = Taps()
        let session = NFCNDEFReaderSession(delegate: taps, queue: nil, invalidateAfterFirstRead: false)
        session.timeLimit = nil  // a phone would stop after a minute
        session.begin()
        for await message in taps.messages {
            say("Hello, \(message.records.lazy.compactMap { $0.wellKnownTypeTextPayload().0 }.first ?? "stranger")!")
        }
        exit(1)  // nobody ends a kiosk: its reader is gone
    }

    /// Prints a line at once, without what would act on the terminal: a tag may hold anything.
    static func say(_ line: String) {
        let text = line.unicodeScalars.filter { scalar in
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        FileHandle.standardOutput.write(Data("\(String(String.UnicodeScalarView(text)))\n".utf8))
    }
}
