// An address that an NTAG 424 DNA is to sign, and what the tag must hold for it — NXP NT4H2421Gx, 9.3, 10.7.1

import NDEF
public import ReaderInterface
public import SecureDynamicMessaging
public import TagTypes

/// What a tag is to give to each phone that taps it.
public struct SDMSetup: Hashable, Sendable {
    /// NLEN before the message.
    private static let messageOffset = 2

    /// The address, and what the tag fills in.
    public let layout: SDMLayout
    /// The tag's keys: key 2 enciphers UID and counter, key 1 signs, key 0 allows the change.
    public private(set) var keys: SDMKeys
    /// Whether anyone may keep writing the message; otherwise writing needs key 0.
    public let staysWritable: Bool
    /// The message with zeros where the tag fills something in.
    let message: [UInt8]

    /// Describes a set-up.
    ///
    /// - Throws: `NDEFError` for an address that no record can hold.
    public init(_ layout: SDMLayout, keys: SDMKeys, staysWritable: Bool = false) throws {
        (self.layout, self.keys, self.staysWritable) = (layout, keys, staysWritable)
        message = try NDEFMessage(records: [URIRecord(uri: layout.address).record()]).encoded()
    }

    /// The same with the keys of another tag.
    public func with(_ keys: SDMKeys) -> SDMSetup {
        var setup = self
        setup.keys = keys
        return setup
    }

    /// What the NDEF file holds.
    var content: [UInt8] { [UInt8(message.count >> 8 & 0xFF), UInt8(message.count & 0xFF)] + message }

    /// The settings of the NDEF file that make the tag fill in the address.
    func settings(replacing before: NativeFileSettings) -> NativeFileSettings {
        // The address is the end of the message.
        let shift = Self.messageOffset + message.count - layout.address.utf8.count
        func place(_ part: SDMPart) -> Int? { layout.places[part].map { $0.lowerBound + shift } }
        let isEnciphered = layout.places[.picc] != nil
        let signer = FileAccess.key(SDMKeys.fileReadNumber)
        var dynamic = DynamicSettings(
            hasUID: isEnciphered || layout.places[.uid] != nil, hasCounter: layout.changes,
            metaRead: isEnciphered ? .key(SDMKeys.metaReadNumber) : .free, fileRead: signer,
            counterRetrieval: layout.changes ? signer : .never)
        (dynamic.uidOffset, dynamic.counterOffset) = (place(.uid), place(.counter))
        (dynamic.piccOffset, dynamic.macOffset) = (place(.picc), place(.mac))
        dynamic.macInputOffset = layout.signedFrom + shift
        dynamic.fileData = layout.places[.file].map { $0.lowerBound + shift..<$0.upperBound + shift }
        let writing = staysWritable ? FileAccess.free : .key(0)
        return NativeFileSettings(
            communication: .plain,
            rights: .init(read: .free, write: writing, readWrite: writing, change: before.rights.change),
            size: before.size, dynamic: dynamic)
    }

    /// Requires that a file can take the message and the settings.
    func requireFit(in now: NativeFileSettings) throws(TagError) {
        let size = now.size ?? 0
        guard content.count <= size else { throw .tooLong(length: message.count, capacity: max(0, size - 2)) }
        guard now.rights.change != .never else {
            throw .unsupported(reason: "the settings of its NDEF file are frozen")
        }
    }

    /// Verifies the address that a tag gave.
    ///
    /// - Throws: `SDMError` where it gave none, or one that the keys do not verify, or that of another tag.
    public func verified(_ reading: TagReading) throws(SDMError) -> (address: String, tap: SDMTap) {
        guard reading.message.records.count == 1, let record = reading.message.records.first,
            let address = try? URIRecord(record: record).uri
        else { throw .unlike(template: layout.template.text) }
        let tap = try SDMTap(
            SDMAddress(address, template: layout.template), metaReadKey: keys.metaRead, fileReadKey: keys.fileRead)
        guard tap.uid == nil || tap.uid == reading.target.identifier else { throw .forged }
        return (address, tap)
    }

    /// Settings with which anyone can write the message, and reads back exactly what was written.
    static func opened(_ before: NativeFileSettings) -> NativeFileSettings {
        var settings = before
        (settings.dynamic, settings.communication) = (nil, .plain)
        (settings.rights.read, settings.rights.write, settings.rights.readWrite) = (.free, .free, .free)
        return settings
    }
}

/// A set-up of a tag before its first step.
public struct SDMSetupDraft: Hashable, Sendable {
    /// The tag.
    public let uid: [UInt8]
    /// The address with zeros where the tag fills something in.
    public let address: String
    /// The settings of the NDEF file now.
    public let before: NativeFileSettings
    /// The settings that it gets.
    public let wanted: NativeFileSettings
    /// Whether the message is another one than the tag has.
    public let replacesMessage: Bool
    /// Whether each tap gives another address.
    public let changes: Bool
    /// Whether the keys that encipher and sign are those that every chip is delivered with.
    public let hasFactoryKeys: Bool

    /// Whether the message can only be written after Secure Dynamic Messaging was turned off and writing allowed.
    var needsOpening: Bool { replacesMessage && before != SDMSetup.opened(before) }
    /// Whether the tag is set up so already.
    public var isDone: Bool { !replacesMessage && before == wanted }
    /// Whether the counter of taps begins at 0 again, which it does when Secure Dynamic Messaging is turned on.
    public var restartsCounter: Bool { before.dynamic?.hasCounter == true && needsOpening }
}

/// A tag that was tapped as a phone does, and whose address was verified.
public struct SDMProof: Sendable {
    /// What the tag gave.
    public let reading: TagReading
    /// The address in it.
    public let address: String
    /// What the address says.
    public let tap: SDMTap
    /// Whether the tag was set up so before.
    public let wasDone: Bool
}

/// A set-up that was begun and not proven.
public struct SDMSetupInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// How far it came at least.
    public enum Standing: Hashable, Sendable {
        /// The tag no longer fills in values, and anyone may write; its old message stays.
        case opening
        /// The message is being replaced, and the tag fills nothing in.
        case writing
        /// The new message is there; whether the tag fills it in is not known.
        case closing
        /// The tag is set up; reading it as a phone does has failed.
        case unproven
    }

    /// How far it came at least.
    public let standing: Standing
    /// What interrupted it.
    public let cause: any ClassifiedError

    /// What kind of thing went wrong.
    public var kind: FailureKind { cause.kind }

    /// What happened, and what stands, in sentences.
    public var description: String {
        // The user ended it, so there is no need to say so.
        cause.kind == .interrupted ? state : "\(cause) \(state)"
    }

    private var state: String {
        switch standing {
        case .opening:
            "The set-up was not finished: the tag has its old message, and may no longer fill it in; anyone may be "
                + "able to write it."
        case .writing: "The set-up was not finished: the tag fills nothing in, and anyone can write it."
        case .closing:
            "The set-up was not finished: the tag has the new message, and may not fill it in yet."
        case .unproven: "The tag is set up, but a URL that it gave was not verified."
        }
    }
}

/// The tag gave an address that the keys do not verify, or none.
public struct AddressNotProven: ClassifiedError {
    /// Why; nil where the tag gave no address, or that of another tag.
    public let error: SDMError?

    /// What kind of thing went wrong.
    public var kind: FailureKind { .brokenRules }

    /// What happened, in a sentence.
    public var description: String { "The tag gave a URL that its own keys do not verify." }
}
