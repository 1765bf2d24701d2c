// Finding out which of several keys a tag has — NXP NT4H2421Gx, 9.1.5, 10.6.1

public import SecureDynamicMessaging
public import TagTypes

extension NTAG424 {
    /// Tries several keys, and authenticates with the first one that the tag has.
    ///
    /// - Parameters:
    ///   - number: the number of the key, 0…4.
    ///   - keys: the keys to try, the most likely one first. The tag counts each wrong key.
    /// - Returns: the key that the tag has.
    /// - Throws: `TagError.wrongKey` if the tag has none of them.
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

    /// Authenticates with a key.
    ///
    /// If the tag does not have this key, finds out whether it has its factory keys.
    ///
    /// - Parameters:
    /// - number: the number of the key, 0…4.
    /// - key: the key that the tag should have.
    /// - Throws: `TagError.factoryKeys` if the tag has its factory keys instead; `TagError.wrongKey` if it has other
    ///   keys.
    public mutating func authenticate(_ number: Int, toldFromFactory key: AES128Key) throws(TagError) {
        do throws(TagError) {
            try authenticate(number, key)
        } catch .wrongKey {
            // A version other than 0 shows that a key was changed. In that case, do not try the factory key, because
            // the tag would count another wrong key.
            for other in SDMKeys.numbers where try keyVersion(other) != 0 { throw .wrongKey(number: number) }
            guard key != .factory else { throw .wrongKey(number: number) }
            try authenticate(number, .factory)
            throw .factoryKeys
        }
    }

    /// Authenticates with the key that an access right names.
    ///
    /// If the operation needs no key, this ends the session.
    ///
    /// - Parameters:
    ///   - access: the access right of the intended operation.
    ///   - keys: sets of keys, one of which contains the tag's key.
    /// - Throws: `TagError.unsupported` if no key grants this access; the errors of ``authenticate(_:anyOf:)``.
    public mutating func open(for access: FileAccess, _ keys: [SDMKeys]) throws(TagError) {
        switch access {
        case .key(let number): try authenticate(number, anyOf: keys.map { $0[number] })
        case .free: try select()
        case .never: throw .unsupported(reason: "the settings of its NDEF file are frozen")
        }
    }
}
