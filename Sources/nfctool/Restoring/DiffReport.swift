// Where two memories differ, for people and in JSON — Docs/JSON.md

import Hexadecimal
import MemoryPresentation
import SafeTag
import TagImage
import TagTypes
import Terminal

/// Where two memories differ.
struct DiffReport: Encodable, Sendable {
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
        /// Set when the keys of a sector trailer differ, which are not shown.
        let keysDiffer: Bool?
        private let difference: TagImage.Difference
        private let hidesKeys: Bool

        private enum CodingKeys: CodingKey {
            case block, file, first, second, role, keysDiffer
        }

        init(_ difference: TagImage.Difference, roles: [Int: MemoryMap.Role], hidesKeys: Bool) {
            self.difference = difference
            self.hidesKeys = hidesKeys
            switch difference.place {
            case .block(let number):
                block = number
                file = nil
                role = roles[number].map { "\($0)" }
            case .file(let identifier):
                block = nil
                file = identifier.hex
                role = nil
            }
            // Trailers are of 16 bytes.
            let whole = hidesKeys ? [difference.mine, difference.other] : []
            let keys = whole.map { $0.map { $0[..<6] + $0[10...] } }
            keysDiffer = keys.count == 2 && keys[0] != keys[1] ? true : nil
            let zeros = [UInt8](repeating: 0, count: 6)
            let shown = [difference.mine, difference.other].map { bytes in
                hidesKeys ? bytes.map { zeros + $0[6..<10] + zeros } : bytes
            }
            (first, second) = (shown[0]?.hex, shown[1]?.hex)
        }

        private func isKey(_ index: Int) -> Bool { hidesKeys && !(6..<10).contains(index) }

        func text(hiding mine: HiddenBytes?, _ other: HiddenBytes?) -> String {
            let place = block.map { "block \($0)" } ?? "file \(file ?? "")"
            let meaning = role.map { "  (\($0))" } ?? ""
            let contents = [(difference.mine, mine), (difference.other, other)].map { bytes, hidden in
                bytes?.hex(separator: "") { isKey($0) || hidden?.contains($0, of: difference.place) ?? false }
                    ?? "not known"
            }
            return "\(place): \(contents.joined(separator: "  "))\(meaning)"
        }
    }

    /// - Parameter memory: of the other, where it is a tag.
    init(
        name: String, image: TagImage, otherName: String, other: TagImage, memory: MemoryMap?, showsSecrets: Bool
    ) {
        let roles = Dictionary(uniqueKeysWithValues: memory?.blocks.map { ($0.number, $0.role) } ?? [])
        first = name
        second = otherName
        chips = [image.kindName, other.kindName]
        differences = image.difference(from: other).map { difference in
            let isTrailer =
                if case .block(let number) = difference.place {
                    image.kind.isClassic && TagImage.Kind.isClassicTrailer(number)
                } else { false }
            let isWhole = [difference.mine, difference.other].allSatisfy { $0?.count ?? 16 == 16 }
            return Difference(difference, roles: roles, hidesKeys: isTrailer && isWhole && !showsSecrets)
        }
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
