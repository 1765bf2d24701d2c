// The originality signature of a chip, as read from the tag — NXP AN11350

import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// A chip's originality signature, with the UID that it signs.
///
/// The signature is checked only when the verdict is requested.
struct ChipSignature: Sendable {
    private let bytes: [UInt8]?
    private let uid: [UInt8]
    private let isVirtual: Bool

    /// Reads the signature of a tag, or returns nil if it is not a Type 2 Tag.
    static func read(of tag: ConnectedTag, in session: TagSession) async throws -> ChipSignature? {
        let isVirtual = session.session.isVirtual
        return try await tag.perform { tag -> ChipSignature? in
            guard let tag = tag as? Type2Tag else { return nil }
            return ChipSignature(
                bytes: try tag.originalitySignature(), uid: tag.channel.target.identifier, isVirtual: isVirtual)
        }
    }

    /// The result of the check, or nil if nothing is to be reported.
    ///
    /// The signature is checked each time this is read, which takes about a millisecond.
    var verdict: String? {
        switch Originality(signature: bytes, uid: uid).said(ofVirtual: isVirtual) {
        case .genuine?: "genuine"
        case .notGenuine?: "notGenuine"
        case .notSupported?: "notSupported"
        case .notRead?, .notInFile?, nil: nil
        }
    }
}
