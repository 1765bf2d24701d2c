// Memory of a generic Type 3 Tag — NFC Forum Type 3 Tag

/// The memory of a generic Type 3 Tag: an attribute information block and blocks for NDEF data.
///
/// All blocks are readable and writable.
struct Type3Memory: FeliCaMemory {
    /// The maximum number of blocks that fit into a frame of 255 bytes.
    private static let mostInFrame = 15

    let mostRead: Int
    let mostWritten: Int
    let systemCodes = [FeliCaLiteSMemory.ndefSystemCode]
    /// The content of the blocks, 16 bytes each.
    ///
    /// Block 0 is the attribute information block.
    private(set) var blocks: [[UInt8]]

    init(_ attributes: Type3Attributes) {
        let blank = [UInt8](repeating: 0, count: FeliCaCommand.blockSize)
        self.init(
            blocks: [attributes.bytes] + [[UInt8]](repeating: blank, count: Int(attributes.nmaxb)),
            mostRead: Int(attributes.nbr), mostWritten: Int(attributes.nbw))
    }

    init(blocks: [[UInt8]], mostRead: Int, mostWritten: Int) {
        self.blocks = blocks
        self.mostRead = min(mostRead, Self.mostInFrame)
        self.mostWritten = min(mostWritten, Self.mostInFrame)
    }

    func exists(_ block: Int) -> Bool { blocks.indices.contains(block) }

    func read(_ block: Int, at index: Int) -> [UInt8] { blocks[block] }

    func checkWrite(_ blocks: [Int]) {}

    mutating func write(_ data: [UInt8], to block: Int) { blocks[block] = data }

    func isTearProtected(_ block: Int) -> Bool { false }

    func powerOff() {}
}
