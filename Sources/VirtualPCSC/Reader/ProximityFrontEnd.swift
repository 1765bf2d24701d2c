// ISO 14443, FeliCa and Topaz on the air, with a PN532 as the reader's front end — NXP UM0701-02

import VirtualPN532

/// Activates one tag and communicates with it.
///
/// Only the reader's thread may use it.
final class ProximityFrontEnd {
    private let chip: PN532
    private let statistics = StatisticsCounter()
    private let latency: Latency
    private var counted = Duration.zero
    /// Whether the target was selected and no error has occurred since then.
    private var isActive = false

    private enum Command {
        static let setParameters: UInt8 = 0x12
        static let configuration: UInt8 = 0x32
        static let exchange: UInt8 = 0x40
        static let list: UInt8 = 0x4A
    }

    private static let automaticRATS: UInt8 = 0x14
    private static let noRATS: UInt8 = 0x04
    private static let moreInformation: UInt8 = 0x40

    init(field: Field, faults: PCSCFaultCounter, latency: Latency) {
        self.latency = latency
        chip = PN532(field: field, faults: faults.tag, statistics: statistics, latency: latency, now: { .now })
        // Allow three attempts to find a tag: the first one may fail and only return the tag to IDLE.
        _ = chip.execute([Command.configuration, 0x05, 0x00, 0x00, 0x02])
    }

    /// Returns the modelled time since the last call.
    ///
    /// The time is zero unless the latency is real.
    func takeElapsed() -> Duration {
        let total = statistics.value.modelledTime
        defer { counted = total }
        return latency == .real ? total - counted : .zero
    }

    /// Executes a raw PN532 command without TFI.
    ///
    /// Returns nil if the chip gives no answer.
    func execute(_ command: [UInt8]) -> [UInt8]? {
        guard case .answer(let answer) = chip.execute(command) else {
            chip.abort()
            return nil
        }
        return answer
    }

    /// Selects the tag.
    ///
    /// Returns the data that the chip reports after the target's number, or nil if the chip does not find the tag.
    func activate(_ tag: any VirtualTag, sendsRATS: Bool = true) -> [UInt8]? {
        isActive = false
        _ = execute([Command.setParameters, sendsRATS ? Self.automaticRATS : Self.noRATS])
        let request: [UInt8]
        switch tag {
        case let tag as any TypeATag: request = [0x01, 0x00] + Self.cascade(tag.nfcID1)
        case is any TypeBTag: request = [0x01, 0x03, 0x00]
        case is any FeliCaTag: request = [0x01, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x00]
        case is any Type1Tag: request = [0x01, 0x04]
        default: return nil
        }
        guard let answer = execute([Command.list] + request), answer.count > 3, answer[1] == 1 else { return nil }
        isActive = true
        return Array(answer.dropFirst(3))
    }

    private static func cascade(_ uid: [UInt8]) -> [UInt8] {
        switch uid.count {
        case 7: [0x88] + uid
        case 10: [0x88] + uid.prefix(3) + [0x88] + uid.dropFirst(3)
        default: uid
        }
    }

    /// Sends a tag command, or an APDU for an ISO-DEP card, in as many frames as necessary.
    ///
    /// Returns nil after an error. The next command then selects the tag again.
    func exchange(_ data: [UInt8], with tag: any VirtualTag) -> [UInt8]? {
        guard isActive || activate(tag) != nil else { return nil }
        var collected: [UInt8] = []
        var command = data
        while let answer = execute([Command.exchange, 0x01] + command), answer.count >= 2 {
            guard answer[1] & ~Self.moreInformation == 0 else { break }
            collected += answer.dropFirst(2)
            guard answer[1] & Self.moreInformation != 0 else { return collected }
            command = []
        }
        isActive = false
        return nil
    }

    /// Sends a frame with its checksum, and returns the answer; nil if there is no valid answer.
    ///
    /// An ACK or NAK has 4 bits.
    func exchangeFrame(_ frame: [UInt8]) -> (bytes: [UInt8], lastBits: Int)? { chip.exchangeFrame(frame) }
}
