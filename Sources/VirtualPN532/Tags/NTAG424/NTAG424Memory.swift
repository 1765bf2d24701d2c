// The memory of an NTAG 424 DNA — NXP NT4H2421Gx, 8.2 user memory, 10.5.1 SetConfiguration

/// An application key with its version and its counters for failed authentications.
struct NTAG424Key: Hashable, Sendable {
    /// The number of consecutive failures after which answers are delayed (AN12196, "Failed authentication counter").
    private static let firstDelayedFailure = 50

    var cipher = BlockCipher(algorithm: .aes, key: [UInt8](repeating: 0, count: BlockCipher.keySize))
    var version: UInt8 = 0
    /// TotFailCtr: the number of failures.
    ///
    /// Each success reduces it.
    var totalFailures: UInt16 = 0
    /// SeqFailCtr: the number of failures since the last success.
    var failuresInARow: UInt8 = 0
    /// SpentTimeCtr: the number of delayed answers since the last failure.
    var spentDelays: UInt16 = 0

    /// The number of delayed answers that are still due before the key can be tried again.
    ///
    /// Assumed: one for the 50th consecutive failure, and one more for each further failure. NXP says only that the
    /// delay grows up to a maximum.
    var dueDelays: Int { max(0, Int(failuresInARow) - Self.firstDelayedFailure + 1 - Int(spentDelays)) }

    mutating func countFailure() {
        totalFailures += totalFailures < .max ? 1 : 0
        failuresInARow += failuresInARow < .max ? 1 : 0
        spentDelays = 0
    }

    mutating func countSuccess(decrement: UInt16) {
        totalFailures -= min(totalFailures, decrement)
        (failuresInARow, spentDelays) = (0, 0)
    }
}

/// The communication mode of a file (CommMode).
enum NTAG424Mode: UInt8, Hashable, Sendable {
    case plain = 0x00
    case mac = 0x01
    case full = 0x03

    /// Decodes bits 1 and 0 of a FileOption.
    ///
    /// Without bit 0, the mode is plain.
    init(fileOption: UInt8) { self = fileOption & 0x01 == 0 ? .plain : fileOption & 0x02 == 0 ? .mac : .full }
}

/// A StandardData file with its settings and content.
struct NTAG424File: Hashable, Sendable {
    enum Right: Int { case change, readWrite, write, read }

    /// Access conditions that are not key numbers.
    static let free: UInt8 = 0xE
    static let never: UInt8 = 0xF
    /// The bit in FileOption for Secure Dynamic Messaging and mirroring.
    static let dynamicOption: UInt8 = 0x40

    let number: UInt8
    /// The file identifier of ISO/IEC 7816-4, high byte first.
    let isoIdentifier: [UInt8]
    /// Bits 1 and 0 of FileOption.
    var communication: UInt8
    /// Read, Write, ReadWrite and Change: four bits each, highest first.
    var accessRights: UInt16
    var content: [UInt8]
    var sdm: NTAG424SDM?
    /// SDMReadCtr, which has 24 bits.
    var readCounter = 0

    /// Returns the condition for an access right: a key number, ``free`` or ``never``.
    func condition(_ right: Right) -> UInt8 { UInt8(accessRights >> UInt16(4 * right.rawValue) & 0xF) }

    var mode: NTAG424Mode { NTAG424Mode(fileOption: communication) }

    /// FileType to SDMReadCtrLimit, as in the answer to GetFileSettings.
    var settings: [UInt8] {
        [0x00, communication | (sdm == nil ? 0 : Self.dynamicOption)] + accessRights.bigEndianBytes.reversed()
            + NTAG424Memory.bytes(of: content.count) + (sdm?.bytes ?? [])
    }
}

/// The options of SetConfiguration.
///
/// The initial values are those at delivery.
struct NTAG424Configuration: Hashable, Sendable {
    /// Option 00: whether the UID is random from the next power-up.
    ///
    /// This cannot be undone.
    var hasRandomID = false
    /// Option 04: whether WriteData in CommMode.MAC and CommMode.Full may be longer than one frame.
    ///
    /// After it has been switched off, it cannot be switched on again.
    var hasChainedWriting = true
    /// Option 05: whether LRP mode is on.
    ///
    /// It cannot be switched off.
    ///
    /// The simulation does not support LRP, so no authentication succeeds in this mode.
    var usesLRP = false
    /// Option 05: PDCap2.5 and PDCap2.6.
    var capabilities: [UInt8] = [0x00, 0x00]
    /// Option 0A: TotFailCtrLimit; nil if failed authentications never lock a key.
    var failureLimit: UInt16? = 1000
    /// Option 0A: TotFailCtrDecr.
    var failureDecrement: UInt16 = 10
    /// Option 0B: whether the back modulation is strong.
    var hasStrongBackModulation = true

    /// PDCap2, 6 bytes.
    var pdCap2: [UInt8] { [usesLRP ? 0x02 : 0x00, 0x00, 0x00, 0x00] + capabilities }
}

struct NTAG424Memory: Hashable, Sendable {
    static let keyCount = 5
    /// The number of the file in which Secure Dynamic Messaging is possible.
    static let ndefFile: UInt8 = 0x02
    /// The DF names and the file identifiers of the MF and the application.
    static let masterFileName: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x00]
    static let applicationName: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    static let masterFile: [UInt8] = [0x3F, 0x00]
    static let applicationFile: [UInt8] = [0xE1, 0x10]

    let uid: [UInt8]
    /// The batch number and the calendar week and year of production (7 bytes).
    var production: [UInt8] = [0xBA, 0x54, 0x90, 0xDB, 0x80, 0x21, 0x14]
    var keys = [NTAG424Key](repeating: NTAG424Key(), count: Self.keyCount)
    var configuration = NTAG424Configuration()
    /// Files 01, 02 and 03 at delivery — tables 5, 8 and 13.
    var files = [
        NTAG424File(
            number: 0x01, isoIdentifier: [0xE1, 0x03], communication: 0x00, accessRights: 0xE000,
            content: Self.padded(Self.capabilityContainer, to: 32)),
        NTAG424File(
            number: Self.ndefFile, isoIdentifier: [0xE1, 0x04], communication: 0x00, accessRights: 0xEEE0,
            content: Self.padded([], to: 256)),
        NTAG424File(
            number: 0x03, isoIdentifier: [0xE1, 0x05], communication: 0x03, accessRights: 0x2330,
            content: Self.padded([], to: 128)),
    ]

    /// The signature in the answer to Read_Sig, 56 bytes.
    ///
    /// In a new chip, it is derived from the UID. It is never valid, because only NXP can create a valid one.
    var signature: [UInt8]

    init(uid: [UInt8]) {
        self.uid = uid
        var noise = TearNoise(seed: uid)
        signature = (0..<7).flatMap { _ in noise.next().bigEndianBytes }
    }

    /// The content of file 01 at delivery (8.2.3.2).
    private static let capabilityContainer: [UInt8] = [
        0x00, 0x17, 0x20, 0x01, 0x00, 0x00, 0xFF,
        0x04, 0x06, 0xE1, 0x04, 0x01, 0x00, 0x00, 0x00,
        0x05, 0x06, 0xE1, 0x05, 0x00, 0x80, 0x82, 0x83,
    ]

    /// The hardware, software and production information in the answer to GetVersion (28 bytes).
    ///
    /// HWSubType is 08 as in the example of AN12196, but table 54 says X2. Bit 7 means standard back modulation.
    var version: [UInt8] {
        [0x04, 0x04, configuration.hasStrongBackModulation ? 0x08 : 0x88, 0x30, 0x00, 0x11, 0x05]
            + [0x04, 0x04, 0x02, 0x01, 0x02, 0x11, 0x05]
            + (configuration.hasRandomID ? [UInt8](repeating: 0, count: uid.count) : uid) + production
    }

    func isLocked(_ key: NTAG424Key) -> Bool {
        configuration.failureLimit.map { key.totalFailures >= $0 } ?? false
    }

    /// Encodes a number as three bytes, low byte first.
    static func bytes(of number: Int) -> [UInt8] { [0, 8, 16].map { UInt8(truncatingIfNeeded: number >> $0) } }

    /// Decodes a number of up to three bytes, low byte first.
    static func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func padded(_ bytes: [UInt8], to size: Int) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }
}
