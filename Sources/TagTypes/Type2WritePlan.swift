// The blocks of a Type 2 Tag write, in the order that is safe to cut — NFC Forum T2T, NDEF Write Procedure

/// Which blocks get which bytes when an NDEF message is replaced.
///
/// The block with the L field's first byte commits: while that byte is zero, all behind it is invisible.
struct Type2WritePlan: Hashable, Sendable {
    /// A block and its 4 new bytes.
    struct Write: Hashable, Sendable {
        let block: Int
        let bytes: [UInt8]
    }

    /// The block with the L field, length zero.
    let emptyHead: Write
    /// The blocks behind the head, ascending, so that the terminator comes last.
    let body: [Write]
    /// The blocks with the L field and what shares them, descending, so that its first byte comes last.
    let head: [Write]
    private let headLength: Int
    private let messageLength: Int
    private let addresses: [Int]

    /// Plans the write of `message`, which fits.
    ///
    /// - Parameter contents: what a block holds, `nil` when it is not known; known bytes outside the message are kept.
    init(message: [UInt8], into ndef: Type2Layout.NDEFTLV, contents: (Int) -> [UInt8]?) {
        let count = message.count
        let head: [UInt8] =
            count < 0xFF ? [0x03, UInt8(count)] : [0x03, 0xFF, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        var stream = head + message
        if stream.count < ndef.addresses.count { stream.append(0xFE) }
        var blocks: [Int: [UInt8]] = [:]
        // The T field stays as it is: on the tag it is there already.
        for (address, byte) in zip(ndef.addresses, stream).dropFirst() {
            blocks[address / 4, default: contents(address / 4) ?? [0, 0, 0, 0]][address % 4] = byte
        }
        let lengthBlocks = Set(ndef.addresses[1..<head.count].map { $0 / 4 })
        let writes = blocks.map { Write(block: $0.key, bytes: $0.value) }.sorted { $0.block < $1.block }
        self.head = writes.filter { lengthBlocks.contains($0.block) }.reversed()
        body = writes.filter { !lengthBlocks.contains($0.block) }
        headLength = head.count
        messageLength = count
        addresses = ndef.addresses

        let commit = ndef.addresses[1] / 4
        var empty = contents(commit) ?? [0, 0, 0, 0]
        empty[ndef.addresses[1] % 4] = 0
        if ndef.addresses.count > 2, ndef.addresses[2] / 4 == commit { empty[ndef.addresses[2] % 4] = 0xFE }
        emptyHead = Write(block: commit, bytes: empty)
    }

    /// The number of message bytes in a block.
    func messageBytes(in block: Int) -> Int {
        addresses.dropFirst(headLength).prefix(messageLength).count { $0 / 4 == block }
    }

    /// The offset in the message of the byte at an address, 0 for the head, the message's length for the terminator.
    func messageOffset(of address: Int) -> Int {
        max(0, (addresses.firstIndex(of: address) ?? 0) - headLength)
    }
}
