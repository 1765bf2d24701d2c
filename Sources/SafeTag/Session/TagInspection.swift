// The properties of a tag, and its memory block by block, even if the tag violates its specification

import Chips
import NDEF
public import ReaderInterface
public import ReaderSession
public import TagTypes

/// A tag with its memory.
public struct TagInspection: Sendable {
    /// The name of the tag's reader.
    public let reader: String
    /// The target as it was activated.
    public let target: Target
    /// The chip, or nil if it is not known.
    public let chip: Chip?
    /// Whether the tag can hold a message and has one, and the maximum length of a message.
    public internal(set) var state: NDEFState
    /// The memory as far as it can be read.
    public package(set) var memory: MemoryMap
    /// True if there are more tags in the field than the reader can distinguish, and nil otherwise.
    public var hasMoreTags: Bool?
    /// True if an earlier change to the tag was interrupted, and nil otherwise.
    public var isUnfinished: Bool?
    /// The bytes in the memory that must not be shown.
    public let secrets: [[UInt8]]
    /// The dump file that was inspected, or nil for a tag on a reader.
    public var file: String?
    /// The rule that the tag breaks, or nil if it breaks none.
    ///
    /// The memory of such a tag is especially useful for diagnosis.
    public let broken: TagError?
    /// Whether this program simulates the tag.
    public let isVirtual: Bool

    package init(
        reader: String, isVirtual: Bool = false, target: Target, chip: Chip?, state: NDEFState, memory: MemoryMap,
        secrets: [[UInt8]] = [],
        broken: TagError? = nil
    ) {
        self.reader = reader
        self.target = target
        self.chip = chip
        self.state = state
        self.memory = memory
        self.secrets = secrets
        self.broken = broken
        self.isVirtual = isVirtual
    }

    /// The verdict on the originality signature, or nil if the tag is simulated and its signature is not genuine.
    public var originality: Originality? {
        guard memory.signature != nil || !mayHaveUnreadSignature else { return .notRead }
        guard memory.signature != nil || file == nil else { return .notInFile }
        return Originality(signature: memory.signature, uid: target.identifier).said(ofVirtual: isVirtual)
    }

    /// Whether the chip may have a signature that nfctool does not read.
    ///
    /// A Type 2 or Type 5 Tag whose chip is not known may also have one.
    private var mayHaveUnreadSignature: Bool {
        if let model = chip?.model { return model.hasOtherSignature }
        switch TagDetection.tagType(of: target).type {
        case .type2, .type5: return file == nil && !memory.blocks.isEmpty
        default: return false
        }
    }

    /// The password protection of the tag, or nil if it cannot be read.
    public var protection: Protection? { Protection(memory) }

    /// The chip's name, or the type known from activation.
    public var name: String { chip?.name ?? TagDetection.tagType(of: target).name }
}

extension TagSession {
    /// Inspects tags one after another.
    ///
    /// - Returns: the inspected tags, their interrupted changes, and the first failure, including that of a tag that
    ///   violates its specification.
    public func inspect(
        _ tags: [DetectedTag]
    ) async -> (tags: [TagInspection], writes: [InterruptedWrite], restores: [HalfRestore], failure: (any Error)?) {
        var inspections: [TagInspection] = []
        var failure: (any Error)?
        var writes: [InterruptedWrite] = []
        var restores: [HalfRestore] = []
        for detected in tags {
            do {
                let tag = try await connect(to: detected)
                var inspection = try await inspect(tag)
                let write = await InterruptedWrite.find(on: tag, in: journals)
                let restore = await halfRestore(of: detected)
                if write != nil || restore != nil { inspection.isUnfinished = true }
                if let write { writes.append(write) }
                if let restore { restores.append(restore) }
                inspections.append(inspection)
                failure = failure ?? inspection.broken
            } catch {
                failure = failure ?? error
            }
        }
        return (inspections, writes, restores, failure)
    }

    private func inspect(_ tag: ConnectedTag) async throws -> TagInspection {
        let (reader, isVirtual) = (reader, session.isVirtual)
        var inspection = try await tag.perform { try TagInspection(of: $0, on: reader, isVirtual: isVirtual) }
        if hasMoreTags { inspection.hasMoreTags = true }
        return inspection
    }
}

extension TagInspection {
    init(of tag: any ForumTag, on reader: String, isVirtual: Bool = false) throws(TagError) {
        var (state, memory, broken) = try Self.look(at: tag)
        if let tag = tag as? ClassicTag { memory.origin = try tag.inspectOrigin(block0: memory.blocks.first?.bytes) }
        if let card = tag as? Type4Tag {
            (memory.applications, memory.freeMemory) = try card.nativeApplications()
            if state.status != .notSupported { state.rights = try card.addRights(to: &memory) }
        }
        self.init(
            reader: reader, isVirtual: isVirtual, target: tag.channel.target, chip: tag.chip, state: state,
            memory: memory,
            secrets: Self.secrets(of: tag), broken: broken)
    }

    /// Returns the secrets in the message of a tag, or an empty list if the message cannot be read.
    private static func secrets(of tag: any ForumTag) -> [[UInt8]] {
        guard let bytes = try? tag.readNDEF(), let message = try? NDEFMessage(bytes: bytes) else { return [] }
        return message.records.flatMap(\.secrets)
    }

    private static func look(at tag: any ForumTag) throws(TagError) -> (NDEFState, MemoryMap, broken: TagError?) {
        do {
            return (try tag.detectWhetherBlank(), try tag.memoryMap(), nil)
        } catch {
            switch error {
            case .protocolViolation(let field, let found, _, _):
                let state = NDEFState(
                    status: .notSupported, capacity: 0, messageLength: nil, reason: "\(field) is \(found)")
                return (state, (try? tag.memoryMap()) ?? MemoryMap(), error)
            case .passwordNeeded(let block), .passwordUnsupported(let block):
                return (NDEFState(passwordNeededFrom: block), try tag.memoryMap(), nil)
            case .keyNeeded(let sector):
                return (NDEFState(keyNeededFor: sector), try tag.memoryMap(), nil)
            case .reader(.notInFile(let block)):
                return (NDEFState(unknownBlock: block), try tag.memoryMap(), nil)
            default: throw error
            }
        }
    }
}
