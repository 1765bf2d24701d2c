// The differences between two images

extension TagImage {
    /// A block or file whose bytes differ between two images.
    public struct Difference: Hashable, Sendable {
        /// The place of a difference: a block or a file.
        public enum Place: Hashable, Sendable {
            /// A block, by its number.
            case block(Int)
            /// A file of a Type 4 Tag, by its identifier.
            case file(UInt16)
        }

        /// The place of the difference.
        public var place: Place
        /// The bytes in the image on which the comparison was called, or `nil` if that image has none there or they
        /// could not be read.
        public var mine: [UInt8]?
        /// The bytes in the other image, or `nil` if that image has none there or they could not be read.
        public var other: [UInt8]?

        /// Creates a difference.
        public init(place: Place, mine: [UInt8]?, other: [UInt8]?) {
            self.place = place
            self.mine = mine
            self.other = other
        }
    }

    /// Returns the blocks and files that differ from those of another image, in ascending order.
    ///
    /// Keys are compared as part of their sector trailers. Bytes that a chip itself changes are ignored.
    public func difference(from other: TagImage) -> [Difference] {
        let blocks = Self.differences(contentsByBlock, other.contentsByBlock) { .block($0) }.filter { difference in
            guard case .block(let number) = difference.place else { return true }
            return !kind.isChangedByChip(number)
        }
        let files = Self.differences(contentsByFile, other.contentsByFile) { .file($0) }
        return blocks + files
    }

    private var contentsByBlock: [Int: [UInt8]] {
        blocks.reduce(into: [:]) { contents, block in contents[block.number] = block.bytes }
    }

    private var contentsByFile: [UInt16: [UInt8]] {
        files.reduce(into: [:]) { contents, file in contents[file.identifier] = file.bytes }
    }

    private static func differences<Key: Comparable>(
        _ mine: [Key: [UInt8]], _ other: [Key: [UInt8]], place: (Key) -> Difference.Place
    ) -> [Difference] {
        Set(mine.keys).union(other.keys).sorted().filter { mine[$0] != other[$0] }.map {
            Difference(place: place($0), mine: mine[$0], other: other[$0])
        }
    }
}
