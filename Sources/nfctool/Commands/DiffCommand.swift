// nfctool diff: compares two dumps, or a dump and a tag, block by block

import ArgumentParser
import MemoryPresentation
import SafeTag
import TagImage
import Terminal

struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two dumps, or a dump and a tag.",
        discussion: """
            Lists the blocks that differ. Exits 0 even if blocks differ, unless --exit-code is given.

              nfctool diff before.nfc after.nfc
              nfctool diff tag.json
            """)

    @Argument(help: "A dump.", completion: .file())
    var first: String

    @Argument(help: "Another dump; without one, the tag on the reader.", completion: .file())
    var second: String?

    @Flag(name: .customLong("exit-code"), help: "Exit with 1 if anything differs.")
    var exitsByDifference = false

    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let mine = try DumpFile(path: first).read()
        let report: DiffReport
        let showsSecrets = options.secrets.showSecrets
        if let second {
            let other = try DumpFile(path: second).read()
            report = DiffReport(
                name: first, image: mine, otherName: second, other: other, memory: nil,
                showsSecrets: showsSecrets)
        } else {
            report = try await TagSession.runForReading(options) { session in
                let tag = try await session.connect(to: session.onlyTag(for: options))
                let (other, memory) = try await tag.image(offering: mine.keys)
                return DiffReport(
                    name: first, image: mine, otherName: tag.uid, other: other, memory: memory,
                    showsSecrets: showsSecrets)
            }
        }
        if options.output.json {
            try JSONLine.print(report)
        } else if !options.output.quiet {
            StandardOutput.printRows(report.text(showsSecrets: showsSecrets))
        }
        if exitsByDifference, !report.same { throw ExitCode(1) }
    }
}
