// Which of several keys a tag has — NXP NT4H2421Gx, 9.1.5, 10.6.1

public import SecureDynamicMessaging
public import TagTypes

extension NTAG424 {
    /// Authenticates with the first of some keys that is the tag's.
    ///
    /// - Parameters:
    ///   - number: of the key, 0…4.
    ///   - keys: the likeliest first; the tag counts each wrong one.
    /// - Returns: the key that is the tag's.
    /// - Throws: `TagError.wrongKey` where none is.
    @discardableResult
    public mutating func authenticate(
        _ number: Int, anyOf keys: [AES128Key]
    ) throws(TagError) -> AES128Key {
        for (index, key) in keys.enumerated() where !keys[..<index].contains(key) {
            do throws(TagError) {
                try authenticate(number, key)
                return key
            } catch .wrongKey {
                continue
            }
        }
        throw .wrongKey(number: number)
    }

    /// Authenticates with a key, and tells a tag with other keys from one that still has those it was delivered with.
    ///
    /// - Parameters:
    ///   - number: of the key, 0…4.
    ///   - key: the key that the tag should have.
    /// - Throws: `TagError.factoryKeys`, `TagError.wrongKey`.
    public mutating func authenticate(_ number: Int, toldFromFactory key: AES128Key) throws(TagError) {
        do throws(TagError) {
            try authenticate(number, key)
        } catch .wrongKey {
            // The version of a key that was changed is rarely 0: the tag counts no further wrong key then.
            for other in SDMKeys.numbers where try keyVersion(other) != 0 { throw .wrongKey(number: number) }
            guard key != .factory else { throw .wrongKey(number: number) }
            try authenticate(number, .factory)
            throw .factoryKeys
        }
    }

    /// Authenticates with the key that an access right names; where everybody may, ends the session.
    ///
    /// - Parameters:
    ///   - access: who may do what is to be done.
    ///   - keys: sets of keys, one of which has the tag's.
    /// - Throws: `TagError.unsupported` where nobody may; as ``authenticate(_:anyOf:)``.
    public mutating func open(for access: FileAccess, _ keys: [SDMKeys]) throws(TagError) {
        switch access {
        case .key(let number): try authenticate(number, anyOf: keys.map { $0[number] })
        case .free: try select()
        case .never: throw .unsupported(reason: "the settings of its NDEF file are frozen")
        }
    }
}
