// Custom commands of the ICODE family — NXP data sheets SL2S2002, SL2S5002 and SL2S2602, 9.5.3

/// The password identifiers of the ICODE family.
enum ICODEPassword {
    static let read: UInt8 = 0x01
    static let write: UInt8 = 0x02
    static let privacy: UInt8 = 0x04
    static let destroy: UInt8 = 0x08
    static let easAFI: UInt8 = 0x10
    /// The privacy and destroy passwords at delivery.
    static let factoryPrivacy: [UInt8] = [0x0F, 0x0F, 0x0F, 0x0F]
}

extension ISO15693Card {
    private enum NXP {
        static let setEAS: UInt8 = 0xA2
        static let resetEAS: UInt8 = 0xA3
        static let lockEAS: UInt8 = 0xA4
        static let alarmEAS: UInt8 = 0xA5
        static let protectEAS: UInt8 = 0xA6
        static let writeEASID: UInt8 = 0xA7
        static let systemInformation: UInt8 = 0xAB
        static let random: UInt8 = 0xB2
        static let setPassword: UInt8 = 0xB3
        static let writePassword: UInt8 = 0xB4
        static let lockPassword: UInt8 = 0xB5
        static let protectPage: UInt8 = 0xB6
        static let lockProtection: UInt8 = 0xB7
        static let protectionStatus: UInt8 = 0xB8
        static let destroy: UInt8 = 0xB9
        static let enablePrivacy: UInt8 = 0xBA
        static let bothPasswords: UInt8 = 0xBB
        static let signature: UInt8 = 0xBD
    }

    /// The protection conditions in PROTECT PAGE: for reading and writing the blocks below the pointer (L) and the
    /// others (H).
    private enum Condition {
        static let readLow: UInt8 = 0x01
        static let writeLow: UInt8 = 0x02
        static let readHigh: UInt8 = 0x10
        static let writeHigh: UInt8 = 0x20
        static let all: UInt8 = 0x33
    }

    private static let passwordSize = 4
    /// The sequence with which a tag answers an EAS alarm.
    ///
    /// The pattern is from memory.
    private static let easSequence: [UInt8] = (0..<32).map { UInt8(truncatingIfNeeded: $0 &* 0x1D &+ 0x2F) }
    /// The features that a SLIX2 reports in GET NXP SYSTEM INFORMATION (from memory).
    private static let featuresSLIX2: [UInt8] = [0x7F, 0x35, 0x00, 0x00]

    /// Whether a request is permitted in privacy mode.
    ///
    /// Only the commands that end this mode are permitted.
    func isAllowedInPrivacy(_ request: ISO15693Request) -> Bool {
        request.manufacturer == Manufacturer.nxp && [NXP.random, NXP.setPassword].contains(request.command)
    }

    mutating func executeNXP(_ request: ISO15693Request) throws(ISO15693Error) -> [UInt8]? {
        let parameters = request.parameters
        switch request.command {
        case NXP.setEAS, NXP.resetEAS, NXP.lockEAS, NXP.alarmEAS, NXP.protectEAS, NXP.writeEASID:
            return try executeEAS(request.command, parameters)
        case NXP.random:
            volatile.random = [UInt8.random(in: 0...255, using: &noise), UInt8.random(in: 0...255, using: &noise)]
            return volatile.random
        case NXP.setPassword:
            guard let id = parameters.first else { throw .notRecognised }
            try give(id, Array(parameters.dropFirst()))
            if id == ICODEPassword.privacy { memory.custom.isPrivate = false }
            return []
        case NXP.writePassword:
            guard let id = parameters.first, parameters.count == 1 + Self.passwordSize else { throw .notRecognised }
            try checkPassword(id)
            memory.custom.passwords[id] = Array(parameters.dropFirst())
            return []
        case NXP.lockPassword:
            guard let id = parameters.first, parameters.count == 1 else { throw .notRecognised }
            try checkPassword(id)
            memory.custom.lockedPasswords.insert(id)
            return []
        case NXP.destroy where chip.family != .slix:
            try give(ICODEPassword.destroy, parameters)
            memory.custom.isDestroyed = true
            return []
        case NXP.enablePrivacy where chip.family != .slix:
            try give(ICODEPassword.privacy, parameters)
            memory.custom.isPrivate = true
            return []
        default:
            guard chip.family == .slix2 else { throw .notSupported }
            return try executeSLIX2(request.command, parameters)
        }
    }

    private mutating func executeSLIX2(_ command: UInt8, _ parameters: [UInt8]) throws(ISO15693Error) -> [UInt8] {
        switch command {
        case NXP.systemInformation:
            let locks: UInt8 =
                (memory.isAFILocked ? 0x01 : 0) | (memory.custom.isEASLocked ? 0x02 : 0)
                | (memory.isDSFIDLocked ? 0x04 : 0) | (memory.custom.isProtectionLocked ? 0x08 : 0)
            return [memory.custom.protectionPointer, memory.custom.protectionCondition, locks] + Self.featuresSLIX2
        case NXP.protectPage:
            guard parameters.count == 2, parameters[1] & ~Condition.all == 0 else { throw .notRecognised }
            guard Int(parameters[0]) < chip.userBlocks else { throw .noSuchBlock }
            guard !memory.custom.isProtectionLocked else { throw .locked }
            guard volatile.given.isSuperset(of: [ICODEPassword.read, ICODEPassword.write]) else { throw .unknown }
            (memory.custom.protectionPointer, memory.custom.protectionCondition) = (parameters[0], parameters[1])
        case NXP.lockProtection:
            guard parameters.count == 1 else { throw .notRecognised }
            guard volatile.given.isSuperset(of: [ICODEPassword.read, ICODEPassword.write]) else { throw .unknown }
            memory.custom.isProtectionLocked = true
        case NXP.protectionStatus:
            guard parameters.count == 2 else { throw .notRecognised }
            let first = Int(parameters[0])
            guard first < chip.blockCount else { throw .noSuchBlock }
            return (first..<min(chip.blockCount, first + Int(parameters[1]) + 1)).map { block in
                (memory.isLocked[block] ? 0x01 : 0) | (hasCondition(block, isWrite: false) ? 0x02 : 0)
                    | (hasCondition(block, isWrite: true) ? 0x04 : 0) | (memory.custom.isProtectionLocked ? 0x08 : 0)
            }
        case NXP.bothPasswords:
            guard parameters.isEmpty else { throw .notRecognised }
            guard volatile.given.isSuperset(of: [ICODEPassword.read, ICODEPassword.write]) else { throw .unknown }
            memory.custom.needsBothPasswords = true
        case NXP.signature:
            guard parameters.isEmpty else { throw .notRecognised }
            return memory.custom.signature
        default: throw .notSupported
        }
        return []
    }

    private mutating func executeEAS(_ command: UInt8, _ parameters: [UInt8]) throws(ISO15693Error) -> [UInt8]? {
        if command == NXP.alarmEAS {
            // There is no answer if EAS is not set.
            return memory.custom.isEASSet ? Self.easSequence : nil
        }
        guard !memory.custom.isEASLocked else { throw .locked }
        if memory.custom.needsEASPassword, !volatile.given.contains(ICODEPassword.easAFI) { throw .unknown }
        switch command {
        case NXP.setEAS: memory.custom.isEASSet = true
        case NXP.resetEAS: memory.custom.isEASSet = false
        case NXP.lockEAS: memory.custom.isEASLocked = true
        case NXP.protectEAS:
            guard volatile.given.contains(ICODEPassword.easAFI) else { throw .unknown }
            // The parameter is 0 for EAS and 1 for AFI.
            if parameters == [0x01] {
                memory.custom.needsAFIPassword = true
            } else {
                memory.custom.needsEASPassword = true
            }
        default:
            guard parameters.count == 2 else { throw .notRecognised }
            memory.custom.easID = parameters
        }
        return []
    }

    // MARK: Passwords

    /// Checks a password that the reader has XORed with the random number, repeated to four bytes.
    ///
    /// After a wrong password, the tag does not answer until it loses power.
    private mutating func give(_ id: UInt8, _ combined: [UInt8]) throws(ISO15693Error) {
        guard let password = memory.custom.passwords[id], combined.count == Self.passwordSize else {
            throw .notRecognised
        }
        let random = volatile.random + volatile.random
        guard zip(combined, random).map({ $0 ^ $1 }) == password else {
            volatile.isMute = true
            throw .unknown
        }
        volatile.given.insert(id)
    }

    private func checkPassword(_ id: UInt8) throws(ISO15693Error) {
        guard memory.custom.passwords[id] != nil else { throw .notRecognised }
        guard !memory.custom.lockedPasswords.contains(id) else { throw .locked }
        guard volatile.given.contains(id) else { throw .unknown }
    }

    private func hasCondition(_ block: Int, isWrite: Bool) -> Bool {
        guard block != chip.counterBlock else { return false }
        let isHigh = block >= Int(memory.custom.protectionPointer)
        let bit =
            isHigh
            ? (isWrite ? Condition.writeHigh : Condition.readHigh) : (isWrite ? Condition.writeLow : Condition.readLow)
        return memory.custom.protectionCondition & bit != 0
    }

    /// Whether the page protection now prevents access to a block.
    func needsPassword(_ block: Int, isWrite: Bool) -> Bool {
        guard hasCondition(block, isWrite: isWrite) else { return false }
        let wanted: Set<UInt8> =
            memory.custom.needsBothPasswords
            ? [ICODEPassword.read, ICODEPassword.write] : [isWrite ? ICODEPassword.write : ICODEPassword.read]
        return !volatile.given.isSuperset(of: wanted)
    }

    // MARK: Counter

    /// Writes to the counter.
    ///
    /// `01 00 00 xx` increments it. Any other data sets it: two bytes for the value, one byte RFU, and one byte that
    /// says whether incrementing requires a password.
    mutating func writeCounter(_ data: [UInt8]) throws(ISO15693Error) {
        guard let block = chip.counterBlock else { return }
        var counter = memory[block]
        if data[0] == 0x01, data[1] == 0x00 {
            if counter[3] & 0x01 != 0, !volatile.given.contains(ICODEPassword.read) { throw .unknown }
            let value = Int(counter[0]) | Int(counter[1]) << 8
            guard value < 0xFFFF else { throw .unknown }
            (counter[0], counter[1]) = (UInt8((value + 1) & 0xFF), UInt8((value + 1) >> 8))
            memory[block] = counter
        } else {
            guard volatile.given.contains(ICODEPassword.write) else { throw .unknown }
            memory[block] = [data[0], data[1], 0, data[3] & 0x01]
        }
    }
}
