// The signature record (`Sig`) — NFC Forum Signature Record Type Definition 2.0

/// A signature over the preceding records, with its certificates.
///
/// This type does not verify the signature.
///
/// Payload: version (1 byte, 20h), signature field and certificate chain field. Lengths are big-endian.
/// - Signature field: `URI flag and method (1), hash (1), length (2), signature or URI`.
/// - Certificate chain field: `URI flag, format and number (1)`, for each certificate `length (2), bytes`, and with the
///   URI flag `length (2), URI`.
public struct SignatureRecord: Hashable, Sendable {
    static let type = Array("Sig".utf8)
    private static let uriFlag: UInt8 = 0x80

    /// The version: major in the upper 4 bits, minor in the lower 4 bits.
    public var version: UInt8
    /// The signature method, 7 bits.
    ///
    /// It is 0 for a record that is only a marker and has no signature.
    public var method: UInt8
    /// The number of the hash algorithm; 2 means SHA-256.
    public var hash: UInt8
    /// The signature.
    ///
    /// It is empty if ``signatureURI`` refers to it.
    public var signature: [UInt8]
    /// The URI of the signature; nil if the record contains the signature itself.
    public var signatureURI: String?
    /// The format of the certificates, 3 bits: 0 means X.509, 1 means M2M.
    public var certificateFormat: UInt8
    /// The certificates, at most 15, starting with that of the signer.
    public var certificates: [[UInt8]]
    /// The URI of the rest of the certificate chain; nil if there is none.
    public var certificateURI: String?

    /// Creates a signature record without checking its parts.
    public init(
        version: UInt8 = 0x20, method: UInt8 = 0, hash: UInt8 = 2, signature: [UInt8] = [], signatureURI: String? = nil,
        certificateFormat: UInt8 = 0, certificates: [[UInt8]] = [], certificateURI: String? = nil
    ) {
        self.version = version
        self.method = method
        self.hash = hash
        self.signature = signature
        self.signatureURI = signatureURI
        self.certificateFormat = certificateFormat
        self.certificates = certificates
        self.certificateURI = certificateURI
    }

    private static let methods = [
        "none", "RSASSA-PSS-1024", "RSASSA-PKCS1-v1_5-1024", "DSA-1024", "ECDSA-P192", "RSASSA-PSS-2048",
        "RSASSA-PKCS1-v1_5-2048", "DSA-2048", "ECDSA-P224", "ECDSA-K233", "ECDSA-B233", "ECDSA-P256",
    ]

    /// The name of the method; nil if the RTD reserves its number.
    public var methodName: String? {
        Self.methods.indices.contains(Int(method)) ? Self.methods[Int(method)] : nil
    }

    /// The name of the hash algorithm; nil if the RTD reserves its number.
    public var hashName: String? { hash == 2 ? "SHA-256" : nil }

    /// The name of the certificate format; nil if the RTD reserves its number.
    public var certificateFormatName: String? {
        switch certificateFormat {
        case 0: "X.509"
        case 1: "M2M"
        default: nil
        }
    }

    /// The version as text, such as `2.0`.
    public var versionText: String { "\(version >> 4).\(version & 0x0F)" }

    /// Whether this type can parse the record.
    ///
    /// A record of version 1.0 has a different layout.
    ///
    /// An empty payload counts as readable, so that the parser reports the error.
    static func isReadable(_ record: NDEFRecord) -> Bool { record.payload.first.map { $0 >> 4 == 2 } ?? true }

    /// Parses a record with TNF 1, type `Sig` and version 2.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .wellKnown, record.type == Self.type else { throw ContentError("Not a Signature record.") }
        guard let version = record.payload.first, version >> 4 == 2 else {
            throw ContentError("The signature's version is not 2.")
        }
        self.init(version: version)
        var rest = record.payload.dropFirst()
        let flags = try Self.byte(&rest, "The signature's method")
        method = flags & ~Self.uriFlag
        hash = try Self.byte(&rest, "The signature's hash")
        let body = try Self.counted(&rest, "The signature")
        if flags & Self.uriFlag != 0 {
            signatureURI = try String(utf8: body, "The signature's URI")
        } else {
            signature = body
        }
        let chain = try Self.byte(&rest, "The certificate chain")
        certificateFormat = chain >> 4 & 0x07
        for _ in 0..<(chain & 0x0F) { certificates.append(try Self.counted(&rest, "A certificate")) }
        if chain & Self.uriFlag != 0 {
            certificateURI = try String(utf8: try Self.counted(&rest, "The certificates' URI"), "The certificates' URI")
        }
    }

    /// Encodes the signature as a record.
    /// - Throws: ``ContentError`` if there are more than 15 certificates, or if a part is longer than its length field
    ///   allows.
    public func record() throws(ContentError) -> NDEFRecord {
        guard certificates.count <= 15 else { throw ContentError("There are more than 15 certificates.") }
        var payload = [version, method & 0x7F | (signatureURI == nil ? 0 : Self.uriFlag), hash]
        payload += try Self.counted(signatureURI.map { Array($0.utf8) } ?? signature)
        let count = UInt8(truncatingIfNeeded: certificates.count)
        payload.append((certificateURI == nil ? 0 : Self.uriFlag) | (certificateFormat & 0x07) << 4 | count)
        for certificate in certificates { payload += try Self.counted(certificate) }
        if let certificateURI { payload += try Self.counted(Array(certificateURI.utf8)) }
        return NDEFRecord(tnf: .wellKnown, type: Self.type, payload: payload)
    }

    private static func byte(_ rest: inout ArraySlice<UInt8>, _ field: String) throws(ContentError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw ContentError("\(field) is missing.") }
        return byte
    }

    private static func counted(_ rest: inout ArraySlice<UInt8>, _ field: String) throws(ContentError) -> [UInt8] {
        let length = Int(try byte(&rest, "\(field)'s length")) << 8 | Int(try byte(&rest, "\(field)'s length"))
        guard length <= rest.count else {
            throw ContentError("\(field) \(NDEFError.shortage(needed: length, left: rest.count))")
        }
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
    }

    private static func counted(_ bytes: [UInt8]) throws(ContentError) -> [UInt8] {
        guard let length = UInt16(exactly: bytes.count) else {
            throw ContentError("A part of the signature is longer than 65535 bytes.")
        }
        return [UInt8(length >> 8), UInt8(length & 0xFF)] + bytes
    }
}
