// Verifies that a URL comes from a tag with certain keys — NXP NT4H2421Gx 9.3.9, AN12196 chapter 3

/// The data of a verified tap, whose URL was created by a tag that has the keys.
///
/// A genuine URL can be copied and used again. Store the last counter of each tag, and reject a URL whose counter is
/// not higher.
public struct SDMTap: Hashable, Sendable {
    /// The UID of the tag, 7 bytes, or nil if the URL does not contain it.
    public let uid: [UInt8]?
    /// The value of the read counter (number of taps), 0 to 16,777,215, or nil if the URL does not contain it.
    public let counter: Int?
    /// The decrypted file data, or nil if the URL contains no file data.
    public let fileData: [UInt8]?

    /// The constants in the session vectors SV1 and SV2, from which the keys of a tap are derived.
    private static let cipherPrefix: [UInt8] = [0xC3, 0x3C, 0x00, 0x01, 0x00, 0x80]
    private static let codePrefix: [UInt8] = [0x3C, 0xC3, 0x00, 0x01, 0x00, 0x80]
    /// PICCDataTag: the flags for UID and counter, and the mask for the length of the UID.
    private static let (hasUID, hasCounter, lengthMask): (UInt8, UInt8, UInt8) = (0x80, 0x40, 0x0F)
    private static let uidLength = 7

    /// Verifies a URL.
    ///
    /// - Parameters:
    ///   - address: the parts of the URL.
    ///   - metaReadKey: the SDMMetaRead key, which encrypts the UID and counter. It is not used if they are in plain
    ///     text.
    ///   - fileReadKey: the SDMFileRead key, from which the keys for a tap are derived.
    /// - Throws: ``SDMError/undecipherable``, ``SDMError/forged``, ``SDMError/incomplete(missing:)``.
    public init(_ address: SDMAddress, metaReadKey: AES128Key, fileReadKey: AES128Key) throws(SDMError) {
        try self.init(address, metaReadKey) { _ in fileReadKey }
    }

    /// Verifies a URL with the keys of a key file, which may be master keys.
    ///
    /// - Throws: the errors of ``init(_:metaReadKey:fileReadKey:)``; ``SDMError/incomplete(missing:)`` if the keys are
    ///   master keys and the URL has no UID.
    public init(_ address: SDMAddress, _ keys: SDMKeyFile) throws(SDMError) {
        try self.init(address, keys.keys(of: []).metaRead) { uid throws(SDMError) in
            guard uid != nil || keys.diversification == nil else { throw .incomplete(missing: .uid) }
            return keys.keys(of: uid ?? []).fileRead
        }
    }

    /// Verifies a URL without a template, by recognising the values in its query by their lengths.
    ///
    /// If several values have the same length, all possible assignments to the parts are tried. Only a tag with these
    /// keys can create a MAC that matches one of them.
    /// - Throws: the errors of ``init(_:_:)``; ``SDMError/misshapenMAC(name:digits:)``.
    public static func verified(_ address: String, _ keys: SDMKeyFile) throws(SDMError) -> SDMTap {
        var failure = SDMError.incomplete(missing: .picc)
        for (index, candidate) in try SDMAddress.candidates(address).enumerated() {
            do throws(SDMError) { return try SDMTap(candidate, keys) } catch {
                if index == 0 || error == .forged { failure = error }
            }
        }
        throw failure
    }

    private init(
        _ address: SDMAddress, _ metaReadKey: AES128Key,
        fileReadKey keyOf: (_ uid: [UInt8]?) throws(SDMError) -> AES128Key
    ) throws(SDMError) {
        var (uid, counter) = (address.parts[.uid], address.parts[.counter].map { Array($0.reversed()) })
        if let picc = address.parts[.picc] { (uid, counter) = try Self.identity(metaReadKey.deciphered(picc)) }
        guard uid != nil || counter != nil else { throw .incomplete(missing: .uid) }
        guard let code = address.parts[.mac] else { throw .incomplete(missing: .mac) }
        let identity = (uid ?? []) + (counter ?? [])
        let fileReadKey = try keyOf(uid)
        func sessionKey(_ prefix: [UInt8]) -> AES128Key? {
            let vector = prefix + identity
            let padding = (AES128Key.length - vector.count % AES128Key.length) % AES128Key.length
            return AES128Key(fileReadKey.authenticationCode(of: vector + [UInt8](repeating: 0, count: padding)))
        }
        guard let codeKey = sessionKey(Self.codePrefix), let cipherKey = sessionKey(Self.cipherPrefix) else {
            throw .forged
        }
        // The tag sends only every second byte of the CMAC, beginning with the second.
        let whole = codeKey.authenticationCode(of: address.signed)
        let expected = stride(from: 1, to: whole.count, by: 2).map { whole[$0] }
        guard expected.count == code.count, zip(expected, code).allSatisfy({ $0 == $1 }) else {
            throw .forged
        }
        self.uid = uid
        self.counter = counter.map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
        fileData = address.parts[.file].map { file in
            let count = (counter ?? []) + [UInt8](repeating: 0, count: AES128Key.length - (counter?.count ?? 0))
            return cipherKey.deciphered(file, vector: cipherKey.enciphered(count))
        }
    }

    /// Returns the UID and the counter (low byte first) in decrypted PICCData.
    ///
    /// Each of them is nil if the data does not contain it.
    private static func identity(_ data: [UInt8]) throws(SDMError) -> ([UInt8]?, [UInt8]?) {
        guard let tag = data.first, tag & (hasUID | hasCounter) != 0, tag & 0x30 == 0 else { throw .undecipherable }
        var rest = data.dropFirst()
        var uid: [UInt8]?
        if tag & hasUID != 0 {
            guard tag & lengthMask == uidLength else { throw .undecipherable }
            uid = Array(rest.prefix(uidLength))
            rest = rest.dropFirst(uidLength)
        }
        return (uid, tag & hasCounter != 0 ? Array(rest.prefix(3)) : nil)
    }
}
