// An ACR122U's own commands for LED, buzzer and polling — ACS ACR122U API 2.04, pseudo-APDUs

@preconcurrency import Glibc
import ReaderInterface

struct ACR122U {
    private let pipe: USBPipe
    /// The bSeq of the next message.
    ///
    /// With it, an answer to another message is not mistaken for the answer to this one.
    private var sequence: UInt8 = 1

    /// Returns nil if the reader is not an ACR122U.
    init?(_ pipe: USBPipe) {
        guard pipe.descriptors.isACR122U else { return nil }
        self.pipe = pipe
    }

    /// Direct Transmit of GetFirmwareVersion.
    ///
    /// Like any new command, it ends the command that the PN532 is executing (UM0701-02).
    static let chipVersion: [UInt8] = [0xFF, 0x00, 0x00, 0x00, 0x02, 0xD4, 0x02]
    /// Set Buzzer Output During Card Detection: off.
    static let quietDetection: [UInt8] = [0xFF, 0x00, 0x52, 0x00, 0x00]
    /// Set the PICC Operating Parameter: the default value, with which the reader itself looks for all kinds of cards.
    static let ownPolling: [UInt8] = [0xFF, 0x00, 0x51, 0xFF, 0x00]

    /// Returns the command Bi-color LED and Buzzer Control for a signal, with its duration in milliseconds.
    ///
    /// Nil for a signal without light or sound.
    static func command(for signal: Signal) -> (apdu: [UInt8], milliseconds: Int)? {
        let beeps = signal.sounds ? signal.event.beeps : 0
        guard signal.lights || beeps > 0 else { return nil }
        let light: UInt8 = signal.lights ? lightMasks | signal.event.light : 0
        guard beeps > 0 else { return ([0xFF, 0x00, 0x40, light, 4, 0, 0, 0, 0], 0) }
        // The buzzer sounds during T1, not during T2 (both in tenths of a second). The reader answers after the whole
        // signal.
        let pause: UInt8 = beeps > 1 ? 1 : 0
        return ([0xFF, 0x00, 0x40, light, 4, 1, pause, beeps, 1], 100 * Int(beeps) * Int(1 + pause))
    }

    /// P2: the bits that allow changes to the red and the green LED.
    private static let lightMasks: UInt8 = 0x0C

    /// Sends a command and returns its answer.
    ///
    /// At most ``mostStaleAnswers`` answers to other messages are skipped.
    mutating func exchange(_ apdu: [UInt8], within milliseconds: Int) throws(USBDeviceFile.Failure) -> [UInt8] {
        let message = CCIDMessage(sequence: sequence, apdu: apdu)
        sequence = sequence == 0xFF ? 1 : sequence + 1
        try pipe.send(message.encoded, within: milliseconds)
        for _ in 0..<Self.mostStaleAnswers {
            if let answer = message.answer(in: try pipe.receive(within: milliseconds)) { return answer }
        }
        throw USBDeviceFile.Failure(code: EPROTO)
    }

    /// Whether the reader answers the next message, and its PN532 answers the GetFirmwareVersion that the message
    /// contains.
    mutating func isInStep(within milliseconds: Int) throws(USBDeviceFile.Failure) -> Bool {
        try exchange(Self.chipVersion, within: milliseconds).starts(with: [0xD5, 0x03])
    }

    /// The maximum number of stale answers to skip.
    ///
    /// libnfc may have left two answers unread: the answer to its last command and the answer to its abort.
    private static let mostStaleAnswers = 4
}

extension Signal.Event {
    /// P2: the states of the red and the green LED.
    fileprivate var light: UInt8 {
        switch self {
        case .success: 0x02
        case .failure: 0x01
        case .idle: 0x00
        }
    }

    fileprivate var beeps: UInt8 {
        switch self {
        case .success: 1
        case .failure: 2
        case .idle: 0
        }
    }
}
