// The properties of a tag that the phone check needs, determined with the procedures of its type

public import PhoneLint
public import TagTypes

/// A tag with the properties that the phone check needs.
///
/// ```swift
/// let found = try await tag.perform { try CheckedTag($0) }
/// let message = try found.bytes.map { try NDEFMessage(bytes: $0) }
/// for finding in PhoneLint().findings(in: message, on: found.facts) { print(finding.message) }
/// ```
public struct CheckedTag: Sendable {
    /// The input of the phone check.
    public let facts: TagFacts
    /// The chip, or nil if it is not known.
    public let chip: Chip?
    /// Whether the tag can hold a message and has one, and the maximum length of a message.
    public let state: NDEFState
    /// The bytes of the message, which are empty for an empty message.
    ///
    /// Nil if there is no message to read.
    public let bytes: [UInt8]?

    /// Reads the message and the memory of a tag.
    ///
    /// A tag that requires a password for reading does not cause an error.
    ///
    /// - Throws: `TagError` if the tag left or breaks the rules of its type.
    public init(_ tag: any ForumTag) throws {
        var isPasswordMissing = false
        let found: (NDEFState, [UInt8]?)
        do {
            let state = try tag.detect()
            found = (state, try Self.bytes(of: tag, state))
        } catch {
            switch error {
            case TagError.passwordNeeded(let block), TagError.passwordUnsupported(let block):
                found = (NDEFState(passwordNeededFrom: block), nil)
            case TagError.keyNeeded(let sector): found = (NDEFState(keyNeededFor: sector), nil)
            default: throw error
            }
            isPasswordMissing = true
        }
        var state = found.0
        bytes = found.1
        chip = tag.chip
        facts = TagFacts(
            type: tag.type, chip: chip, status: state.status, memory: try tag.memoryMap(),
            isPasswordMissing: isPasswordMissing, leavesMessageOpen: state.status == .readWrite && state.needsPassword,
            isDump: tag.channel is ImageChannel)
        // Reading the access rights selects another file. The message has already been read, so it does not matter if
        // the tag leaves now.
        if state.status == .readWrite { state.rights = try? (tag as? Type4Tag)?.messageRights() }
        self.state = state
    }

    private static func bytes(of tag: any ForumTag, _ state: NDEFState) throws -> [UInt8]? {
        guard state.status != .notSupported else { return nil }
        return state.messageLength == 0 ? [] : try tag.readNDEF()
    }
}

extension TagFacts {
    fileprivate init(
        type: TagType?, chip: Chip?, status: NDEFStatus, memory: MemoryMap, isPasswordMissing: Bool,
        leavesMessageOpen: Bool, isDump: Bool
    ) {
        let data = memory.blocks.filter { [.tlv, .ndef, .free].contains($0.role) }
        self.init(
            kind: type.map(Kind.init), chip: chip?.model, status: Status(status),
            capabilityContainer: memory.capabilityContainer,
            dataArea: memory.blocks.dropFirst(4).prefix { $0.bytes != nil }.flatMap { $0.bytes ?? [] },
            isLocked: data.isEmpty ? nil : data.contains(where: \.isLocked),
            password: isPasswordMissing ? .reading : leavesMessageOpen ? nil : Self.password(memory, data, isDump),
            fileReadAccess: memory.files.first { $0.kind.hasSuffix("NDEF") }?.readAccess)
    }

    /// Returns the operations that need the password, or nil if none do.
    ///
    /// A configuration that cannot be read is itself protected. In a dump, it may simply be missing.
    private static func password(_ memory: MemoryMap, _ data: [MemoryMap.Block], _ isDump: Bool) -> Password? {
        guard let last = data.last?.number else { return nil }
        let isHidden = !isDump && memory.blocks.contains { $0.bytes == nil }
        let isGuarded = memory.password.map { Int($0.auth0) <= last } ?? isHidden
        return isGuarded ? .writing : nil
    }
}

extension TagFacts.Kind {
    fileprivate init(_ type: TagType) {
        switch type {
        case .type1: self = .type1
        case .type2: self = .type2
        case .type3: self = .type3
        case .type4: self = .type4
        case .type5: self = .type5
        case .mifareClassic: self = .mifareClassic
        }
    }
}

extension TagFacts.Status {
    fileprivate init(_ status: NDEFStatus) {
        switch status {
        case .notSupported: self = .notSupported
        case .readWrite: self = .readWrite
        case .readOnly: self = .readOnly
        }
    }
}
