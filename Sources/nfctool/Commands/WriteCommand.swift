// nfctool write: wait for one tag, write, prove it by reading back

import ArgumentParser
import CoreNFC
import NDEF
import TagTypes

struct WriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Wait for a tag, write a message to it, and read it back.",
        discussion: """
            The records are written in the order given. The message replaces the one on the tag; the length is written last, \
            so a tag that is pulled away holds its old message, an empty one, or the new one, never a mixture.

              nfctool write --uri https://example.com
              nfctool write --text Hello --lang en --app com.example.app
              nfctool write --wifi 'ssid=Guests;password=correct horse'
            """)

    @OptionGroup var records: RecordOptions
    @OptionGroup var options: TagOptions

    func run() async throws {
        let message = try records.message()
        let bytes = try message.encoded()
        let reading = try await TagSession.run(options) { session in
            let tag = try await session.onlyTag(within: options.waitingTime, uid: options.uid)
            try await session.session?.connect(to: tag)
            var (chip, state) = try await prepare(tag, for: bytes.count)
            // Returns only when the tag was seen to hold the message: it is not asked once more.
            try await tag.writeNDEF(NFCNDEFMessage(message))
            state.messageLength = bytes.count
            return TagReading(
                reader: session.reader, target: tag.target, chip: chip, state: state, bytes: bytes, message: message,
                isVerified: true)
        }
        if options.output.json {
            try JSONLine.print(reading)
        } else {
            TagPresentation(reading, style: .standardOutput).printWritten(isQuiet: options.output.quiet)
        }
    }

    /// Finds the tag's chip and status, and initialises a blank tag once the user has agreed and if the message will fit.
    private func prepare(_ tag: SessionTag, for length: Int) async throws -> (Chip?, NDEFState) {
        let (state, chip) = try await tag.perform { (try $0.detect(), $0.chip) }
        guard state.isBlank else { return (chip, state) }
        guard length <= state.capacity || state.capacity == 0 else {
            throw TagError.tooLong(length: length, capacity: state.capacity)
        }
        try Confirmation(options.output).ask(
            """
            This tag is blank. To hold a message it must be initialised, which sets one-time bits and cannot be undone.
            Initialise the tag \(tag.uid)?
            """)
        return try await tag.perform { tag in
            try tag.initialise()
            return (tag.chip, try tag.detect())
        }
    }
}
