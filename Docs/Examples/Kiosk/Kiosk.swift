// A kiosk: greets everyone who places a tag on the reader by the name on the tag (nfctool write --text Ada)

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
        // 200 is our own invalidate(); otherwise the reader failed, and systemd starts the kiosk again.
        exit((error as? NFCReaderError)?.code == .readerSessionInvalidationErrorUserCanceled ? 0 : 1)
    }
}

@main struct Kiosk {
    static func main() async {
        let taps = Taps()
        let session = NFCNDEFReaderSession(delegate: taps, queue: nil, invalidateAfterFirstRead: false)
        session.timeLimit = nil  // a phone would stop after a minute
        signal(SIGTERM, SIG_IGN)  // systemd ends a service with this signal; release the reader first
        let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
        termination.setEventHandler { session.invalidate() }
        termination.activate()
        session.begin()
        for await message in taps.messages {
            say("Hello, \(message.records.lazy.compactMap { $0.wellKnownTypeTextPayload().0 }.first ?? "stranger")!")
        }
    }
    /// Prints a line immediately, without characters that act on the terminal: a tag may hold any bytes.
    static func say(_ line: String) {
        let text = line.unicodeScalars.filter { !CharacterSet.controlCharacters.union(.newlines).contains($0) }
        FileHandle.standardOutput.write(Data("\(String(String.UnicodeScalarView(text)))\n".utf8))
    }
}
