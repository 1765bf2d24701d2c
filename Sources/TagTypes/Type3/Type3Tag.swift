// Type 3 Tag NDEF access — NFC Forum T3T, NDEF Detection and Read Procedures; Sony FeliCa Lite-S
import Hexadecimal
public import ReaderInterface

/// An NFC Forum Type 3 Tag: FeliCa Lite, Lite-S, Link and Plug, and other FeliCa cards with an NDEF system.
public final class Type3Tag: ForumTag {
    /// The NDEF system of a card, or the reason why there is none.
    enum Area {
        case missing(reason: String, isBlank: Bool)
        case present(Type3AttributeBlock, FeliCaMemoryConfiguration?)
    }

    /// The connection to the target.
    public let channel: any TagChannel
    let memory: Type3Memory
    private var area: Area?

    /// Creates a tag for an activated target.
    ///
    /// Nothing is sent to the target.
    ///
    /// - Parameters:
    ///   - channel: the connection to the activated tag.
    ///   - patience: how long commands are retried if the tag does not answer.
    public init(on channel: any TagChannel, patience: Patience = .standard) {
        self.channel = channel
        memory = Type3Memory(channel: channel, patience: patience)
    }

    /// The kind of tag.
    public var type: TagType? { .type3 }

    /// The chip if PMm identifies it as a FeliCa Lite or Lite-S, or `nil` if it does not.
    public var chip: Chip? { memory.lite }

    /// Runs the NDEF detection procedure.
    ///
    /// Polls for the system 12FC and reads the attribute information block.
    ///
    /// A card whose write was interrupted (WriteFlag 0F) is reported as empty, with the reason, because it may hold
    /// parts of two messages.
    public func detect() throws(TagError) -> NDEFState {
        switch try detectedArea() {
        case .missing(let reason, let isBlank):
            return NDEFState(
                status: .notSupported, capacity: isBlank ? 16 * (try blankBlockCount()) : 0, messageLength: nil,
                isBlank: isBlank, reason: reason)
        case .present(let attributes, let configuration):
            let refusal = writeRefusal(attributes, configuration)
            var state = NDEFState(
                status: refusal == nil ? .readWrite : .readOnly, capacity: attributes.capacity,
                messageLength: attributes.isWriting ? 0 : attributes.length, reason: refusal)
            if attributes.isWriting, refusal == nil {
                (state.isInterrupted, state.reason) = (true, "a write to it was interrupted (WriteFlag 0F)")
            }
            return state
        }
    }

    /// Reads the message from the blocks after the attribute information block.
    ///
    /// The result is empty while the WriteFlag is set.
    public func readNDEF() throws(TagError) -> [UInt8] {
        let (attributes, _) = try presentArea()
        let blocks = messageBlocks(attributes)
        try memory.load(blocks)
        return Array(blocks.flatMap { memory.cached($0) ?? [] }.prefix(attributes.length))
    }

    func messageBlocks(_ attributes: Type3AttributeBlock) -> Range<Int> {
        attributes.isWriting ? 1..<1 : 1..<1 + (attributes.length + 15) / Type3Commands.blockSize
    }

    /// Returns the NDEF system, or throws the error that explains why there is none.
    func presentArea() throws(TagError) -> (Type3AttributeBlock, FeliCaMemoryConfiguration?) {
        switch try detectedArea() {
        case .missing(let reason, _): throw .notNDEF(reason: reason)
        case .present(let attributes, let configuration): return (attributes, configuration)
        }
    }

    func detectedArea() throws(TagError) -> Area {
        if let area { return area }
        let found = try detectArea()
        area = found
        return found
    }

    /// Forgets the area and the cached blocks, so that both are read again when needed.
    func forgetArea() {
        area = nil
        memory.forgetAll()
    }

    private func detectArea() throws(TagError) -> Area {
        guard try memory.activate() else {
            guard memory.lite != nil else {
                return .missing(reason: "it does not answer to the NDEF system code 12FC", isBlank: false)
            }
            let configuration = FeliCaMemoryConfiguration(try memory.block(FeliCaMemoryConfiguration.number))
            return .missing(
                reason: "its memory configuration turns off the answer to the NDEF system code 12FC",
                isBlank: configuration.map { $0.isSystemOpen && $0.isWritable(0) && !$0.isNDEF } ?? false)
        }
        try loadHead()
        let block = try memory.block(Type3AttributeBlock.number)
        if let first = block.first, first == 0x00 || first == 0xFF, block.allSatisfy({ $0 == first }) {
            return .missing(reason: "its attribute information block is blank", isBlank: true)
        }
        if try isAttributeBlockBegun(block) {
            return .missing(reason: "its attribute information block is unfinished", isBlank: true)
        }
        let attributes = try Type3AttributeBlock(block)
        guard attributes.majorVersion == 1 else {
            return .missing(
                reason: "its mapping version is \(block[0].hex); only 1x is supported", isBlank: false)
        }
        memory.limit(read: attributes.readBlockCount, write: attributes.writeBlockCount)
        let configuration = memory.lite == nil ? nil : try memory.block(FeliCaMemoryConfiguration.number)
        return .present(attributes, FeliCaMemoryConfiguration(configuration))
    }

    /// Reads the attribute information block, the configuration and the start of the message in one command.
    ///
    /// Does nothing on cards other than FeliCa Lite and Lite-S.
    private func loadHead() throws(TagError) {
        guard memory.lite != nil else { return }
        memory.limit(read: Type3Memory.liteLimits.read, write: Type3Memory.liteLimits.write)
        do throws(TagError) {
            try memory.load([Type3AttributeBlock.number, 1, 2, FeliCaMemoryConfiguration.number])
        } catch .refused {
            // Blocks 1 and 2 may be readable only after authentication. The other blocks are read later.
        }
    }

    /// Returns the reason, as a clause, why the message cannot be replaced, or `nil` if it can be replaced.
    func writeRefusal(_ attributes: Type3AttributeBlock, _ configuration: FeliCaMemoryConfiguration?) -> String? {
        if !attributes.isWritable { return "its attribute information block does not allow writing (RWFlag 00)" }
        guard let configuration else { return nil }
        let blocks = 0...attributes.dataBlockCount
        if let block = blocks.first(where: { !configuration.isWritable($0) }) {
            return
                "its memory configuration locks block \(block), though its attribute information block allows writing"
        }
        return blocks.first { configuration.isRestricted($0) }.map {
            "its memory configuration requires authentication before block \($0) is written"
        }
    }
}
