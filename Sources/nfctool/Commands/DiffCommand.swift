// nfctool diff: two dumps, or a dump and a tag, block by block

import ArgumentParser
import Hexadecimal
import ReaderSession
import SafeTag
import TagImage
import TagTypes
import Terminal

struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two dumps, or a dump and a tag.",
        discussion: """
            Lists the blocks that differ, and exits 0 whether there are any or not.

              nfctool diff before.nfc after.nfc
              nfctool diff tag.json
            """)

    @Argument(help: "A dump.")
    var first: String

    @Argument(help: "Another dump; without one, the tag on the reader.")
    var second: String?

    @OptionGroup var secrets: SecretOptions
    @OptionGroup var options: TagOptions

    func run() async throws {
        let mine = try DumpFile(path: first).read()
        let report: DiffReport
        if let second {
            let other = try DumpFile(path: second).read()
            report = DiffReport(name: first, image: mine, otherName: second, other: other, roles: [:])
        } else {
            report = try await TagSession.run(options, for: .reading) { session in
                let tag = try await session.connect(
                    to: session.onlyTag(for: options))
                let (other, memory) = try await tag.image()
                let roles = Dictionary(uniqueKeysWithValues: memory.blocks.map { ($0.number, $0.role) })
                return DiffReport(name: first, image: mine, otherName: tag.uid, other: other, roles: roles)
            }
        }
        if options.output.json {
            try JSONLine.print(report)
        } else if !options.output.quiet {
            StandardOutput.print(report.text(showsSecrets: secrets.showSecrets))
        }
    }
}

/// Where two memories differ.
private struct DiffReport: Encodable, Sendable {
    let schema = 1
    let first: String
    let second: String
    let chips: [String]
    let same: Bool
    let differences: [Difference]
    private let hidden: (first: HiddenBytes, second: HiddenBytes)

    private enum CodingKeys: CodingKey {
        case schema, first, second, chips, same, differences
    }

    struct Difference: Encodable, Sendable {
        let block: Int?
        let file: String?
        let first: String?
        let second: String?
        let role: String?
        private let difference: TagImage.Difference

        private enum CodingKeys: CodingKey {
            case block, file, first, second, role
        }

        init(_ difference: TagImage.Difference, roles: [Int: MemoryMap.Role]) {
            self.difference = difference
            switch difference.place {
            case .block(let number):
                block = number
                file = nil
                role = roles[number].map { "\($0)" }
            case .file(let identifier):
                block = nil
                file = [UInt8(identifier >> 8), UInt8(identifier & 0xFF)].hex
                role = nil
            }
            first = difference.mine?.hex
            second = difference.other?.hex
        }

        func text(hiding mine: HiddenBytes?, _ other: HiddenBytes?) -> String {
            let place = block.map { "block \($0)" } ?? "file \(file ?? "")"
            let meaning = role.map { "  (\($0))" } ?? ""
            let contents = [(difference.mine, mine), (difference.other, other)].map { bytes, hidden in
                bytes?.hex(separator: "") { hidden?.contains($0, of: difference.place) ?? false } ?? "not known"
            }
            return "\(place): \(contents.joined(separator: "  "))\(meaning)"
        }
    }

    init(name: String, image: TagImage, otherName: String, other: TagImage, roles: [Int: MemoryMap.Role]) {
        first = name
        second = otherName
        chips = [image.kindName, other.kindName]
        differences = image.difference(from: other).map { Difference($0, roles: roles) }
        same = differences.isEmpty && image.fits(other)
        // A password of one may be what is left of an earlier message in the other.
        let secrets = [image, other].flatMap(HiddenBytes.secrets)
        hidden = (HiddenBytes(of: secrets, in: image), HiddenBytes(of: secrets, in: other))
    }

    func text(showsSecrets: Bool) -> String {
        let names = "\(first) (\(chips[0])) and \(second) (\(chips[1]))"
        guard !same else { return TerminalText.escaped("\(names) hold the same.") }
        let heading = TerminalText.escaped(
            "\(names) differ in \(differences.count == 1 ? "1 place" : "\(differences.count) places"):")
        return
            ([heading]
            + differences.map {
                "  " + $0.text(hiding: showsSecrets ? nil : hidden.first, showsSecrets ? nil : hidden.second)
            }).joined(separator: "\n")
    }
}
