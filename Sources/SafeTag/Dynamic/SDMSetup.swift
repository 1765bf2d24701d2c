// A URL that an NTAG 424 DNA signs, and what the tag must hold for it — NXP NT4H2421Gx, 9.3, 10.7.1

import NDEF
public import ReaderInterface
public import SecureDynamicMessaging
public import TagTypes

/// The content that a tag provides to each phone that taps it.
public struct SDMSetup: Hashable, Sendable {
    /// The offset of the message in the NDEF file, in bytes: the message follows NLEN.
    static let messageOffset = 2

    /// The URL and the values that the tag fills in.
    public let layout: SDMLayout
    /// The tag's keys: key 2 encrypts UID and counter, key 1 signs, and key 0 allows the change.
    public private(set) var keys: SDMKeys
    /// Whether anyone may still write the message.
    ///
    /// If this is false, writing the message needs key 0.
    public let staysWritable: Bool
    /// The message, with zeros where the tag fills in values.
    let message: [UInt8]

    /// Creates a setup.
    ///
    /// - Throws: `NDEFError` if the URL does not fit in a record.
    public init(_ layout: SDMLayout, keys: SDMKeys, staysWritable: Bool = false) throws {
        (self.layout, self.keys, self.staysWritable) = (layout, keys, staysWritable)
        message = try NDEFMessage(records: [URIRecord(uri: layout.address).record()]).encoded()
    }

    /// Returns the same setup with the keys of another tag.
    public func with(_ keys: SDMKeys) -> SDMSetup {
        var setup = self
        setup.keys = keys
        return setup
    }

    /// The content of the NDEF file: NLEN, then the message.
    var content: [UInt8] { [UInt8(message.count >> 8 & 0xFF), UInt8(message.count & 0xFF)] + message }

    /// Returns the settings of the NDEF file with which the tag fills in the URL.
    func settings(replacing before: NativeFileSettings) -> NativeFileSettings {
        // The URL is at the end of the message.
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

    /// Checks that a file can hold the message and that its settings can be changed.
    func requireFit(in now: NativeFileSettings) throws(TagError) {
        let size = now.size ?? 0
        guard content.count <= size else { throw .tooLong(length: message.count, capacity: max(0, size - 2)) }
        guard now.rights.change != .never else {
            throw .unsupported(reason: "the settings of its NDEF file are frozen")
        }
    }

    /// Verifies the URL that a tag returned.
    ///
    /// - Throws: `SDMError` if there was no URL, if the keys do not verify it, or if it is from another tag.
    public func verified(_ reading: TagReading) throws(SDMError) -> (address: String, tap: SDMTap) {
        guard reading.message.records.count == 1, let record = reading.message.records.first,
            let address = try? URIRecord(record: record).uri
        else { throw .unlike(template: layout.template.text) }
        let tap = try SDMTap(
            SDMAddress(address, template: layout.template), metaReadKey: keys.metaRead, fileReadKey: keys.fileRead)
        guard tap.uid == nil || tap.uid == reading.target.identifier else { throw .forged }
        return (address, tap)
    }

    /// Returns settings that let anyone write the message and read it back exactly as written.
    static func opened(_ before: NativeFileSettings) -> NativeFileSettings {
        var settings = before
        (settings.dynamic, settings.communication) = (nil, .plain)
        (settings.rights.read, settings.rights.write, settings.rights.readWrite) = (.free, .free, .free)
        return settings
    }
}

/// A setup as planned, before its first step.
public struct SDMSetupDraft: Hashable, Sendable {
    /// The tag's UID.
    public let uid: [UInt8]
    /// The URL, with zeros where the tag fills in values.
    public let address: String
    /// The current settings of the NDEF file.
    public let before: NativeFileSettings
    /// The new settings of the NDEF file.
    public let wanted: NativeFileSettings
    /// The message that the tag stores now, without the values that it fills in.
    public let held: [UInt8]
    /// Whether the message differs from the tag's current one.
    public let replacesMessage: Bool
    /// Whether each tap returns a different URL.
    public let changes: Bool
    /// Whether the keys for encrypting and signing are the factory keys.
    public let hasFactoryKeys: Bool
    /// The numbers of the keys that encrypt or sign and are the same as key 0, which allows changes.
    public let alsoChanging: [Int]

    /// Whether Secure Dynamic Messaging must be turned off, and writing allowed, before the message can be written.
    var needsOpening: Bool { replacesMessage && before != SDMSetup.opened(before) }
    /// Whether the tag is already set up this way.
    public var isDone: Bool { !replacesMessage && before == wanted }
    /// Whether the tap counter restarts at 0, as it does when Secure Dynamic Messaging is turned on again.
    public var restartsCounter: Bool { before.dynamic?.hasCounter == true && needsOpening }
}

/// The result of tapping a tag as a phone does and verifying its URL.
public struct SDMProof: Sendable {
    /// The content that the tag returned when it was read.
    public let reading: TagReading
    /// The URL in that content.
    public let address: String
    /// The verified data in the URL.
    public let tap: SDMTap
    /// Whether the tag had already been set up before.
    public let wasDone: Bool
}

/// A setup that was started but not verified.
public struct SDMSetupInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The last stage that the setup is known to have reached.
    public enum Standing: Hashable, Sendable {
        /// The tag no longer fills in values, and anyone may write it. It still holds its old message.
        case opening
        /// The message is being replaced, and the tag fills in no values.
        case writing
        /// The new message is written. It is not known whether the tag fills in values.
        case closing
        /// The tag is set up, but reading it as a phone does has failed.
        case unproven
    }

    /// The last stage that the setup is known to have reached.
    public let standing: Standing
    /// The error that interrupted the setup.
    public let cause: any ClassifiedError

    /// The kind of failure.
    public var kind: FailureKind { cause.kind }

    /// A description of what happened and of the tag's state, in sentences.
    public var description: String {
        // If the user interrupted the setup, leave out the cause.
        cause.kind == .interrupted ? state : "\(cause) \(state)"
    }

    private var state: String {
        switch standing {
        case .opening:
            "Setup was not finished: the tag has its old message, but might no longer fill in its values. Anyone may be able to write the tag."
        case .writing: "Setup was not finished: the tag fills in no values, and anyone can write it."
        case .closing:
            "Setup was not finished: the tag has the new message, but might not fill in its values yet."
        case .unproven: "The tag is set up, but no URL that it returned was verified."
        }
    }
}

/// The error for a tag that returned no URL, or a URL that its keys do not verify.
public struct AddressNotProven: ClassifiedError {
    /// The reason why the URL could not be verified.
    public let error: SDMError

    /// The kind of failure.
    public var kind: FailureKind { .brokenRules }

    /// A description in one sentence.
    public var description: String { "The tag returned no URL that can be verified with the tag's own keys." }
}
