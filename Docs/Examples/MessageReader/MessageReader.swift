// A message reader and writer for the terminal: scan tags, look at their messages, write one of them to another tag
//
//   swift run MessageReader                                                   the first reader
//   printf 's\n1\nw 1\nq\n' | NFCTOOL_READER=virtual swift run MessageReader  without a reader and without input

import CoreNFC

@main struct MessageReader {
    /// The scanned messages, in order.
    private var messages: [NFCNDEFMessage] = []

    static func main() async {
        guard NFCNDEFReaderSession.readingAvailable else {
            say("There is no reader. To try the program without one, set NFCTOOL_READER=virtual.")
            exit(1)
        }
        var reader = MessageReader()
        say("s  scan a tag    l  list    N  show message N    w N  write message N to a tag    q  quit")
        while let line = readLine() {
            let words = line.split(separator: " ")
            if words == ["q"] { return }
            do {
                try await reader.obey(words)
            } catch {
                say("\(error.localizedDescription).")
            }
        }
    }

    private mutating func obey(_ words: [Substring]) async throws {
        switch (words.first, words.dropFirst().first.flatMap { message($0) }) {
        case (nil, _): break
        case ("s", _): try await scan()
        case ("l", _): list()
        case ("w", let message?): try await write(message)
        case (let number?, _):
            guard let message = message(number) else { return say("There is no such message or command.") }
            say(message.detail)
        }
    }

    private func message(_ number: Substring) -> NFCNDEFMessage? {
        Int(number).flatMap { messages.indices.contains($0 - 1) ? messages[$0 - 1] : nil }
    }

    private func list() {
        if messages.isEmpty { say("Nothing scanned yet.") }
        for (number, message) in zip(1..., messages) { say("\(number)  \(message.summary)") }
    }

    private mutating func scan() async throws {
        say("Hold a tag to the reader.")
        let message = try await Visit.run { try await $0.readNDEF() }
        messages.append(message)
        say("\(messages.count)  \(message.summary)")
    }

    private func write(_ message: NFCNDEFMessage) async throws {
        say("Hold the tag to write to the reader.")
        let refusal: String? = try await Visit.run { tag in
            let (status, capacity) = try await tag.queryNDEFStatus()
            guard status == .readWrite else { return "This tag cannot be written." }
            guard message.length <= capacity else {
                return "The message has \(message.length) bytes, this tag holds \(capacity)."
            }
            try await tag.writeNDEF(message)  // returns only after the tag was read again and holds the message
            return nil
        }
        say(refusal ?? "Written: \(message.summary)")
    }
}
