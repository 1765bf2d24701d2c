// The differences between two memories, for display and JSON — Docs/JSON.md

import Hexadecimal
import SafeTag
package import TagImage
package import TagTypes
import Terminal

package struct DiffReport: Encodable, Sendable {
    let schema = 1
    let first: String
    let second: String
    let chips: [String]
    package let same: Bool
    package let differences: [Difference]
    /// The blocks that are unknown on both sides, or nil if there are none.
    package let unknown: [Int]?
    /// The blocks of a password or key that the dump contains but the tag does not show, or nil if there are none.
    package let notCompared: [Int]?
    private let hidden: (first: HiddenBytes, second: HiddenBytes)
    /// The blocks and files that only the first side has, and those that only the second side has.
    private let surplus: [SurplusBlocks]

    private enum CodingKeys: CodingKey {
        case schema, first, second, chips, same, differences, unknown, notCompared
    }

    package struct Difference: Encodable, Sendable {
        let block: Int?
        let file: String?
        let first: String?
        let second: String?
        let role: String?
        /// True if the keys of a sector trailer differ, otherwise nil.
        ///
        /// The keys themselves are not shown.
        let keysDiffer: Bool?
        fileprivate let difference: TagImage.Difference
        /// The trailers of the first and of the second side.
        private let trailers: [Trailer]

        /// How one side shows the keys in a sector trailer.
        fileprivate struct Trailer {
            /// The known keys, or nil for a block that is not a trailer.
            var keys: TagImage.SectorKeys?
            var hidesKeys = false

            /// Returns the characters that replace a byte that is not shown, or nil if the byte is shown.
            func mask(_ index: Int) -> String? {
                guard let keys, !(6..<10).contains(index) else { return nil }
                return (index < 6 ? keys.a : keys.b) == nil ? "··" : hidesKeys ? "**" : nil
            }
        }

        private enum CodingKeys: CodingKey {
            case block, file, first, second, role, keysDiffer
        }

        fileprivate init(
            _ difference: TagImage.Difference, roles: [Int: MemoryMap.Role], trailers: [Trailer]
        ) {
            self.difference = difference
            self.trailers = trailers
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
            let known = trailers.compactMap(\.keys)
            let isHidden = trailers.allSatisfy(\.hidesKeys)
            keysDiffer = isHidden && known.count == 2 && Self.differ(known[0], known[1]) ? true : nil
            let zeros = [UInt8](repeating: 0, count: 6)
            // Trailers are 16 bytes long.
            let shown = zip([difference.mine, difference.other], trailers).map { bytes, trailer in
                trailer.hidesKeys ? bytes.map { zeros + $0[6..<10] + zeros } : bytes
            }
            (first, second) = (shown[0]?.hex, shown[1]?.hex)
        }

        /// Whether the sides differ in a key that is known on both.
        private static func differ(_ mine: TagImage.SectorKeys, _ other: TagImage.SectorKeys) -> Bool {
            [(mine.a, other.a), (mine.b, other.b)].contains { mine, other in
                mine != nil && other != nil && mine != other
            }
        }

        func text(hiding mine: HiddenBytes?, _ other: HiddenBytes?) -> String {
            let place = block.map { "block \($0)" } ?? "file \(file ?? "")"
            let facts = [role, keysDiffer == true ? "the keys differ" : nil].compactMap(\.self)
            let meaning = facts.isEmpty ? "" : "  (\(facts.joined(separator: "; ")))"
            let sides = [(difference.mine, mine, trailers[0]), (difference.other, other, trailers[1])]
            let contents = sides.map { bytes, hidden, trailer in
                bytes?.enumerated().map { index, byte in
                    trailer.mask(index) ?? (hidden?.contains(index, of: difference.place) ?? false ? "**" : byte.hex)
                }.joined() ?? "not known"
            }
            return "\(place): \(contents.joined(separator: "  "))\(meaning)"
        }
    }

    /// Compares two images.
    ///
    /// `memory` is the memory map of the tag that the other image was read from, or nil if the other image is a file.
    package init(
        name: String, image: TagImage, otherName: String, other: TagImage, memory: MemoryMap?, showsSecrets: Bool
    ) {
        let roles = Dictionary(uniqueKeysWithValues: memory?.blocks.map { ($0.number, $0.role) } ?? [])
        first = name
        second = otherName
        chips = [image.kindName, other.kindName]
        let found = image.difference(from: other)
        // A tag does not show its password: it answers with zeros, or not at all — NTAG213_215_216, PWD and PACK.
        let isShown = { (difference: TagImage.Difference) -> Bool in
            if case .block(let number) = difference.place { roles[number] != .password } else { true }
        }
        let notShown = found.filter { !isShown($0) }.compactMap { difference -> Int? in
            if case .block(let number) = difference.place { number } else { nil }
        }
        notCompared = notShown.isEmpty ? nil : notShown
        differences = found.filter(isShown).map { difference in
            // Check each side with its own chip, because the same block may be a trailer on only one of the chips.
            let trailers = [(image, difference.mine), (other, difference.other)].map { image, bytes in
                guard case .block(let number) = difference.place, image.kind.isClassic,
                    TagImage.Kind.isClassicTrailer(number), bytes?.count ?? 16 == 16
                else { return Difference.Trailer() }
                let keys = image.keys[TagImage.Kind.classicSector(of: number)]
                return Difference.Trailer(keys: keys ?? .init(a: nil, b: nil), hidesKeys: !showsSecrets)
            }
            return Difference(difference, roles: roles, trailers: trailers)
        }
        same = differences.isEmpty && image.fits(other)
        // Passwords do not count as unknown, because they can never be read.
        let numbers = Set((image.blocks + other.blocks).map(\.number)).filter { number in
            image[block: number] == nil && other[block: number] == nil && roles[number] != .password
                && !image.kind.isChangedByChip(number)
        }
        unknown = numbers.isEmpty ? nil : numbers.sorted()
        // One image may contain a password of the other image as a remnant of an earlier message.
        let secrets = [image, other].flatMap(HiddenBytes.secrets)
        hidden = (HiddenBytes(of: secrets, in: image), HiddenBytes(of: secrets, in: other))
        surplus = [
            SurplusBlocks(of: image, name, beyond: other), SurplusBlocks(of: other, otherName, beyond: image),
        ]
    }

    package func text(showsSecrets: Bool) -> String {
        let names = "\(first) (\(chips[0])) and \(second) (\(chips[1]))"
        let limits = [
            unknown.map { "\(BlockList($0)) \($0.count == 1 ? "is" : "are") unknown on both sides" },
            notCompared.map {
                "\(BlockList($0)) cannot be compared, because the tag does not show its password or key"
            },
        ].compactMap(\.self)
        guard !same else {
            let remark = limits.isEmpty ? "" : ", as far as is known: \(limits.joined(separator: "; "))"
            return TerminalText.escaped("\(names) hold the same content\(remark).")
        }
        // Blocks that the other side does not have are summarised, because a large chip has hundreds of them.
        let listed = differences.filter { difference in !surplus.contains { $0.contains(difference.difference.place) } }
        let count = listed.isEmpty ? "" : listed.count == 1 ? " in 1 place" : " in \(listed.count) places"
        let sums = surplus.flatMap(\.clauses) + limits
        return
            ([TerminalText.escaped("\(names) differ\(count):")]
            + listed.map {
                "  " + $0.text(hiding: showsSecrets ? nil : hidden.first, showsSecrets ? nil : hidden.second)
            }
            + sums.map { "  " + TerminalText.escaped($0) }).joined(separator: "\n")
    }
}
