// nfctool write: waits for a tag, writes a message and verifies it by reading back

import ArgumentParser
import Composing
import NDEF
import SafeTag

struct WriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Wait for a tag, write a message to it, and read it back.",
        discussion: """
            The records are written in the order given. The message replaces the one on the tag; the length is \
            written last, so a tag that is removed too early holds its old message, part of it, none, or the new one, \
            never a mixture of both. The old content is saved on disk before the tag changes. Hold the same tag on the reader \
            again to continue the write, now or later with nfctool recover.

            An NTAG21x shows its UID (14 hexadecimal digits) and its NFC counter (6) in place of {uid:mirror} and \
            {counter:mirror} in --text or --uri. For both, write {uid:mirror}x{counter:mirror}. With --append, the tag \
            continues to show them; if it cannot, nfctool asks first. Any other change to the message ends this.

              nfctool write --uri https://example.com
              nfctool write --uri 'https://example.com/?tag={uid:mirror}x{counter:mirror}'
              nfctool write --text Hello --lang en --app com.example.app
              nfctool write --append --wifi 'ssid=Guests;password=correct horse'
            """)

    @OptionGroup var records: RecordOptions

    @OptionGroup var placement: PlacementOptions
    @OptionGroup var batch: CountOption

    @Flag(help: "Show what would be written to the tag, and write nothing.")
    var dryRun = false

    @OptionGroup var seal: SealOptions
    @OptionGroup var force: ForceOption
    @OptionGroup var write: WriteOptions
    @OptionGroup var sound: BeepOption
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let writer = MessageWriter(
            added: try records.mirrored(), isAppending: placement.append, isAtOnce: placement.atomic,
            seal: try seal.seal, force: force, output: options.output)
        if !dryRun { try seal.requireConsent(options.output) }
        try records.showNotices(options.output)
        if !placement.append {
            try MessageReview(NDEFMessage(records: writer.added.records)).check(force, options.output)
        }
        try await TagSession.run(options, showing: sound.signals) { session in
            let write = SafeWrite(session, options, write)
            let tags = TagBatch(
                write: write, options: options, count: batch.count, verb: dryRun ? "checked" : "finished")
            guard !dryRun else {
                return try await tags.run {
                    try await writer.preview(on: $0, by: write)
                } then: {
                    try $0.print(options.output)
                }
            }
            try await tags.run {
                try await writer.write(to: $0, by: write)
            } then: {
                try await writer.close($0) { try $0.report($1, options.output) }
            }
        }
    }
}
