// Verifying NXP's originality signature — NXP AN11350 (NTAG21x) and AN11341 (Ultralight EV1); SEC 2, secp128r1
import Chips
import Clibcrypto
import ReaderInterface

/// The result of checking a chip for its manufacturer's signature over its UID.
public enum Originality: Hashable, Sendable {
    /// The signature is valid for the public key with this name.
    case genuine(key: String)
    /// The chip has a signature, but it was not made with a known key.
    case notGenuine
    /// The chip has no signature.
    case notSupported
    /// The chip has, or may have, a signature that nfctool does not read.
    case notRead
    /// The dump contains no signature, but the chip may have one.
    case notInFile
}

extension Originality {
    /// Returns the verdict to report, or `nil` for a simulated tag without a valid signature.
    ///
    /// A simulated tag has a valid signature only if it is a copy of a real tag.
    package func said(ofVirtual isVirtual: Bool) -> Originality? { isVirtual && self == .notGenuine ? nil : self }

    /// Creates the result from a chip's answer to READ_SIG, which is `nil` if the chip does not support the command.
    public init(signature: [UInt8]?, uid: [UInt8]) {
        self = signature.flatMap(OriginalitySignature.init)?.verdict(on: uid) ?? .notSupported
    }
}

/// An ECDSA signature over a UID: r and s, with 16 bytes each.
///
/// The UID is signed without a hash.
struct OriginalitySignature: Hashable, Sendable {
    /// A public key, with its name and its point in the form `04`, x, y.
    struct Key: Hashable, Sendable {
        let name: String
        let point: [UInt8]
    }

    static let length = 32

    /// The keys of NXP's Type 2 Tag chips, from the two application notes.
    static let keys = [
        Key(
            name: "NXP NTAG21x",
            point: [
                0x04, 0x49, 0x4E, 0x1A, 0x38, 0x6D, 0x3D, 0x3C, 0xFE, 0x3D, 0xC1, 0x0E, 0x5D, 0xE6, 0x8A, 0x49, 0x9B,
                0x1C, 0x20, 0x2D, 0xB5, 0xB1, 0x32, 0x39, 0x3E, 0x89, 0xED, 0x19, 0xFE, 0x5B, 0xE8, 0xBC, 0x61,
            ]),
        Key(
            name: "NXP MIFARE Ultralight EV1",
            point: [
                0x04, 0x90, 0x93, 0x3B, 0xDC, 0xD6, 0xE9, 0x9B, 0x4E, 0x25, 0x5E, 0x3D, 0xA5, 0x53, 0x89, 0xA8, 0x27,
                0x56, 0x4E, 0x11, 0x71, 0x8E, 0x01, 0x72, 0x92, 0xFA, 0xF2, 0x32, 0x26, 0xA9, 0x66, 0x14, 0xB8,
            ]),
    ]

    let bytes: [UInt8]

    /// Creates a signature, or returns `nil` if `bytes` is not 32 bytes long.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    func verdict(on uid: [UInt8]) -> Originality {
        Self.keys.first { isRight(for: uid, under: $0) }.map { .genuine(key: $0.name) } ?? .notGenuine
    }

    private func isRight(for uid: [UInt8], under key: Key) -> Bool {
        guard let signature = encoded, let publicKey = Self.publicKey(key.point) else { return false }
        defer { EVP_PKEY_free(publicKey) }
        let context = EVP_PKEY_CTX_new(publicKey, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_verify_init(context) == 1 else { return false }
        return EVP_PKEY_verify(context, signature, signature.count, uid, uid.count) == 1
    }

    /// The signature as libcrypto expects it, an ASN.1 sequence of two integers, or `nil` if libcrypto cannot encode
    /// it.
    private var encoded: [UInt8]? {
        let signature = ECDSA_SIG_new()
        defer { ECDSA_SIG_free(signature) }
        // If this succeeds, the signature owns the two numbers.
        guard ECDSA_SIG_set0(signature, Self.number(bytes.prefix(16)), Self.number(bytes.suffix(16))) == 1
        else { return nil }
        var encoding: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(signature, &encoding)
        guard count > 0, let encoding else { return nil }
        defer { CRYPTO_free(encoding, nil, 0) }
        return Array(UnsafeBufferPointer(start: encoding, count: Int(count)))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> OpaquePointer? {
        BN_bin2bn(Array(bytes), CInt(bytes.count), nil)
    }

    private static func publicKey(_ point: [UInt8]) -> OpaquePointer? {
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        var key: OpaquePointer?
        var point = point
        var curve = Array("secp128r1".utf8CString)
        // The names must stay in memory, because the parameters keep pointers to them.
        OSSL_PKEY_PARAM_GROUP_NAME.withCString { groupName in
            OSSL_PKEY_PARAM_PUB_KEY.withCString { pointName in
                curve.withUnsafeMutableBufferPointer { curve in
                    point.withUnsafeMutableBytes { point in
                        var parameters = [
                            OSSL_PARAM_construct_utf8_string(groupName, curve.baseAddress, 0),
                            OSSL_PARAM_construct_octet_string(pointName, point.baseAddress, point.count),
                            OSSL_PARAM_construct_end(),
                        ]
                        _ = EVP_PKEY_fromdata(context, &key, nfctool_EVP_PKEY_PUBLIC_KEY, &parameters)
                    }
                }
            }
        }
        return key
    }
}

extension Type2Tag {
    /// Reads the originality signature and verifies it with the manufacturer's keys.
    public func verifyOriginality() throws(TagError) -> Originality {
        Originality(signature: try originalitySignature(), uid: channel.target.identifier)
    }

    /// Reads the originality signature, or returns `nil` if the chip has none.
    public func originalitySignature() throws(TagError) -> [UInt8]? {
        try identify()
        return try readSignature()
    }

    /// Sends READ_SIG and returns the signature, or `nil` if the chip has none.
    ///
    /// READ_SIG is also tried on an unknown chip that answered GET_VERSION. A chip that refuses
    /// GET_VERSION is too old for READ_SIG.
    func readSignature() throws(TagError) -> [UInt8]? {
        if let chip = memory.chip {
            guard chip.features.contains(.signature) else { return nil }
        } else if memory.version == nil {
            return nil
        }
        return try memory.ask([0x3C, 0x00], framing: .raw, count: OriginalitySignature.length)
    }
}
