// Password, counters, mirror and signature in words — NXP NTAG21x, MF0ULx1 and MF0ICU2

import Hexadecimal
import SafeTag
package import TagTypes

/// The features of a chip apart from storing data, as named facts.
struct ChipFacts {
    private let map: MemoryMap
    private let originality: Originality?

    init(_ map: MemoryMap, _ originality: Originality?) {
        self.map = map
        self.originality = originality
    }

    /// The named facts, in which nil means that the chip does not have the feature.
    var named: [(String, String?)] {
        [("Password", protection(.password)), ("Key", protection(.key)), ("Mirror", mirror)] + sunFacts
            + map.counters.map { (name(of: $0), value(of: $0)) } + hiddenCounter + [("Signature", signature)]
    }

    /// The NFC counter of an NTAG21x that was not read — NXP NTAG213/215/216, 8.5.7: NFC_CNT_EN and NFC_CNT_PWD_PROT.
    ///
    /// Empty for any other chip.
    private var hiddenCounter: [(String, String?)] {
        guard map.counters.isEmpty, let mirror = map.mirror, let protection = map.password else { return [] }
        if protection.isCounterEnabled {
            return protection.protectsCounter ? [("NFC counter", "on, readable only with the password")] : []
        }
        return mirror.content == .uid || mirror.content == nil ? [] : [("NFC counter", "off")]
    }

    private func protection(_ secret: Protection.Secret) -> String? {
        guard let protection = Protection(map), protection.secret == secret else { return nil }
        let lock = protection.isConfigurationLocked ? "configuration locked" : nil
        let limit = protection.rules.limit
        let attempts = limit == 0 ? "no limit on attempts" : "at most \(limit) wrong attempts"
        guard let first = protection.rules.first else {
            let auth0 = "protects nothing (AUTH0 \(protection.auth0.hex) lies beyond the memory)"
            return [auth0, limit > 0 ? attempts : nil, lock].compactMap { $0 }.joined(separator: ", ")
        }
        let actions = protection.rules.isReadingProtected ? "read and write" : "write"
        let need = "needed to \(actions) from block \(first) onwards"
        return [need, attempts, lock].compactMap { $0 }.joined(separator: ", ")
    }

    /// The SUN message of an NTAG 22x DNA, and the access that requires a password or key.
    private var sunFacts: [(String, String?)] {
        guard let sun = map.sun else { return [] }
        let key = sun.isKeyLocked.map { $0 ? "key locked" : "key can be replaced" }
        let parts = sun.hasStatus ? "UID, NFC counter, status and CMAC" : "UID, NFC counter and CMAC"
        let place = "block \(sun.block), byte \(sun.byte)"
        let shown =
            sun.messageOffset.map { "in the message, starting at byte \($0) (\(place))" } ?? "from \(place) onwards"
        let message = sun.isOn ? "shows \(parts) \(shown)" : "off"
        let actions = sun.protectsReading ? "read and write" : "write"
        let protection =
            sun.firstProtected.map { "password or key needed to \(actions) from block \($0) onwards" }
            ?? "protects nothing (AUTH0 \(sun.auth0.hex) lies beyond the memory)"
        return [("SUN message", [message, key].compactMap { $0 }.joined(separator: ", ")), ("Protection", protection)]
    }

    private var mirror: String? {
        guard let mirror = map.mirror else { return nil }
        guard let content = mirror.content else { return "off" }
        let place = "from block \(mirror.block), byte \(mirror.byte) onwards"
        guard let offset = mirror.messageOffset else { return "shows \(content.words) \(place), not in the message" }
        return
            "shows \(content.words) in the message, starting at byte \(offset) (block \(mirror.block), byte \(mirror.byte))"
    }

    /// Returns the name of a counter.
    ///
    /// On chips with a single counter, the NFC counter has number 2 in READ_CNT. The three counters of an EV1 have
    /// numbers but no names.
    private func name(of counter: MemoryMap.Counter) -> String {
        if map.counters.count > 1 { return "Counter \(counter.number)" }
        return counter.number == 2 ? "NFC counter" : "Counter"
    }

    private func value(of counter: MemoryMap.Counter) -> String {
        switch counter.isTorn {
        case true?: "\(counter.value); an increment was interrupted"
        case false?, nil: "\(counter.value)"
        }
    }

    private var signature: String? {
        switch originality {
        case .genuine(let key)?: "genuine: made with the key of \(key)"
        case .notGenuine?: "not genuine: NXP did not sign this UID"
        // Nothing was checked on a tag without blocks.
        case .notSupported?: map.blocks.isEmpty ? nil : "not supported by this chip"
        case .notRead?: "not read by nfctool"
        case .notInFile?: map.blocks.isEmpty ? nil : "not in this file"
        case nil: nil
        }
    }
}

extension MirrorContent {
    /// The mirrored content in words.
    package var words: String {
        switch self {
        case .uid: "the UID"
        case .counter: "the NFC counter"
        case .uidAndCounter: "the UID and the NFC counter"
        }
    }
}
