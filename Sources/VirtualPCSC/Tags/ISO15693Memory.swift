// The non-volatile memory of an ISO 15693 tag

/// The blocks and their locks, AFI and DSFID, and the memory that custom commands use.
struct ISO15693Memory: Hashable, Sendable {
    let chip: ISO15693Chip
    /// The UID with the byte E0 first.
    let uid: [UInt8]
    var bytes: [UInt8]
    var isLocked: [Bool]
    var afi: UInt8 = 0x00
    var dsfid: UInt8 = 0x00
    var isAFILocked = false
    var isDSFIDLocked = false
    var custom = CustomMemory()

    init(chip: ISO15693Chip, uid: [UInt8]) {
        (self.chip, self.uid) = (chip, uid)
        bytes = chip.factoryBytes + [UInt8](repeating: 0, count: chip.size - chip.factoryBytes.count)
        isLocked = [Bool](repeating: false, count: chip.blockCount)
        custom = CustomMemory(chip: chip)
    }

    subscript(block: Int) -> [UInt8] {
        get { Array(bytes[(block * chip.blockSize)..<((block + 1) * chip.blockSize)]) }
        set { bytes.replaceSubrange((block * chip.blockSize)..<((block + 1) * chip.blockSize), with: newValue) }
    }
}

/// The memory that custom commands use.
struct CustomMemory: Hashable, Sendable {
    /// The passwords by their identifier (NXP, 4 bytes each) or number (ST, 8 bytes each).
    var passwords: [UInt8: [UInt8]] = [:]
    var lockedPasswords: Set<UInt8> = []
    /// Whether electronic article surveillance (EAS) is set.
    var isEASSet = false
    var isEASLocked = false
    var needsEASPassword = false
    var needsAFIPassword = false
    var easID: [UInt8] = [0, 0]
    /// The number of the first block of the second page (SLIX2).
    var protectionPointer: UInt8 = 0
    var protectionCondition: UInt8 = 0
    var isProtectionLocked = false
    /// Whether access to protected blocks requires both the read password and the write password.
    var needsBothPasswords = false
    var isPrivate = false
    var isDestroyed = false
    var signature = [UInt8](repeating: 0, count: 32)
    /// The static registers (ST25DV); empty for other chips.
    var registers: [UInt8] = []

    init() {}

    init(chip: ISO15693Chip) {
        switch chip.family {
        case .none: break
        case .slix: passwords = [ICODEPassword.easAFI: [0, 0, 0, 0]]
        case .slixL:
            passwords = [
                ICODEPassword.privacy: ICODEPassword.factoryPrivacy,
                ICODEPassword.destroy: ICODEPassword.factoryPrivacy,
                ICODEPassword.easAFI: [0, 0, 0, 0],
            ]
        case .slix2:
            passwords = [
                ICODEPassword.read: [0, 0, 0, 0], ICODEPassword.write: [0, 0, 0, 0],
                ICODEPassword.privacy: ICODEPassword.factoryPrivacy,
                ICODEPassword.destroy: ICODEPassword.factoryPrivacy,
                ICODEPassword.easAFI: [0, 0, 0, 0],
            ]
        case .st25DV:
            for number in 0...3 as ClosedRange<UInt8> { passwords[number] = [UInt8](repeating: 0, count: 8) }
            registers = ST25DVRegister.factory(chip)
        }
    }
}
