// Where two memories differ, for people and in JSON — Docs/JSON.md

import Hexadecimal
import SafeTag
package import TagImage
package import TagTypes
import Terminal

/// Where two memories differ.
package struct DiffReport: Encodable, Sendable {
    let schema = 1
    let first: String
    let second: String
    let chips: [String]
    package let same: Bool
    package let differences: [Difference]
    private let hidden: (first: HiddenBytes, second: HiddenBytes)

    private enum CodingKeys: CodingKey {
        case schema, first, second, chips, same, differences
    }

    package struct Difference: Encodable, Sendable {
        let block: Int?
        let file: String?
        let first: String?
        let second: String?
        let role: String?
        /// Set when the keys of a sector trailer differ, which are not shown.
        let keysDiffer: Bool?
        private let difference: TagImage.Difference
        /// Of the first and of the second.
        private let hidesKeys: [Bool]

        private enum CodingKeys: CodingKey {
            case block, file, first, second, role, keysDiffer
        }

        init(_ difference: TagImage.Difference, roles: [Int: MemoryMap.Role], hidesKeys: [Bool]) {
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
            let sides = zip([difference.mine, difference.other], hidesKeys)
            // Trailers are of 16 bytes.
            let keys = sides.map { bytes, hides in hides ? bytes.map { $0[..<6] + $0[10...] } : nil }
            keysDiffer = hidesKeys == [true, true] && keys[0] != keys[1] ? true : nil
            let zeros = [UInt8](repeating: 0, count: 6)
            let shown = sides.map { bytes, hides in hides ? bytes.map { zeros + $0[6..<10] + zeros } : bytes }
            (first, second) = (shown[0]?.hex, shown[1]?.hex)
        }

        func text(hiding mine: HiddenBytes?, _ other: HiddenBytes?) -> String {
            let place = block.map { "block \($0)" } ?? "file \(file ?? "")"
            let meaning = role.map { "  (\($0))" } ?? ""
            let sides = [(difference.mine, mine, hidesKeys[0]), (difference.other, other, hidesKeys[1])]
            let contents = sides.map { bytes, hidden, hidesKeys in
                bytes?.hex(separator: "") { index in
                    hidesKeys && !(6..<10).contains(index) || hidden?.contains(index, of: difference.place) ?? false
                } ?? "not known"
            }
            return "\(place): \(contents.joined(separator: "  "))\(meaning)"
        }
    }

    /// - Parameter memory: of the other, where it is a tag.
    package init(
        name: String, image: TagImage, otherName: String, other: TagImage, memory: MemoryMap?, showsSecrets: Bool
    ) {
        let roles = Dictionary(uniqueKeysWithValues: memory?.blocks.map { ($0.number, $0.role) } ?? [])
        first = name
        second = otherName
        chips = [image.kindName, other.kindName]
        differences = image.difference(from: other).map { difference in
            // Each side by its own chip: the other may be of one whose blocks hold no keys.
            let hidesKeys = [(image, difference.mine), (other, difference.other)].map { image, bytes in
                guard case .block(let number) = difference.place, !showsSecrets else { return false }
                return image.kind.isClassic && TagImage.Kind.isClassicTrailer(number) && bytes?.count ?? 16 == 16
            }
            return Difference(difference, roles: roles, hidesKeys: hidesKeys)
        }
        same = differences.isEmpty && image.fits(other)
        // A password of one may be what is left of an earlier message in the other.
        let secrets = [image, other].flatMap(HiddenBytes.secrets)
        hidden = (HiddenBytes(of: secrets, in: image), HiddenBytes(of: secrets, in: other))
    }

    package func text(showsSecrets: Bool) -> String {
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
