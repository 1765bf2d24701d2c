// The half-duplex block protocol, initiator's side — ISO/IEC 14443-4

/// The state of the block protocol with one ISO-DEP target: block number, frame size and waiting time.
struct ISODEPInitiator {
    /// RATS as the firmware sends it: FSD 64 bytes, CID 0.
    static let rats: [UInt8] = [0xE0, 0x50]
    /// The maximum number of data bytes in one InDataExchange answer.
    static let chunkSize = 262

    private enum Block {
        static let information: UInt8 = 0x02
        static let chaining: UInt8 = 0x10
        static let acknowledge: UInt8 = 0xA2
        static let notAcknowledge: UInt8 = 0xB2
        static let deselect: UInt8 = 0xC2
        static let waitingTimeExtension: UInt8 = 0xF2
        static let number: UInt8 = 0x01
        static let hasCID: UInt8 = 0x08

        static func isInformation(_ pcb: UInt8) -> Bool { pcb & 0xE2 == 0x02 }
        static func isAcknowledge(_ pcb: UInt8) -> Bool { pcb & 0xF6 == 0xA2 }
    }

    /// The values of FSC in bytes, indexed by FSCI.
    ///
    /// An FSCI above 8 is treated as 8.
    private static let frameSizes = [16, 24, 32, 40, 48, 64, 96, 128, 256]
    /// The maximum number of attempts to transfer a block.
    ///
    /// After these, the target counts as lost.
    private static let attempts = 3
    /// The maximum number of waiting time extensions for one block.
    private static let maximumExtensions = 100
    /// The time in which a target must answer a PPS: 65536 carrier periods.
    private static let activationWaitingTime = Duration.nanoseconds(4_833_000)

    private(set) var bitRates = BitRates.standard
    private let standardModulation: Modulation
    /// The largest frame that the target accepts (FSC), in bytes including PCB and CRC.
    let frameSize: Int
    let frameWaitingTime: Duration
    /// The card identifier; nil if the blocks do not contain one.
    private let cid: UInt8?
    private var number: UInt8 = 0
    /// Bytes of the answer that did not fit into the last chunk.
    private var backlog: [UInt8] = []
    /// Whether the target's last block announced another one.
    private var targetIsChaining = false

    /// Decodes FSCI and FWI of an ATS (`TL T0 [TA1] [TB1] [TC1] T1…`).
    ///
    /// The defaults replace values that are absent.
    init(ats: [UInt8]) {
        let format = ats.count > 1 ? ats[1] : 0x02
        let index = format & 0x10 == 0 ? 2 : 3
        let waiting = format & 0x20 != 0 && ats.count > index ? ats[index] >> 4 : 4
        self.init(modulation: .typeA106, frameSizeIndex: format & 0x0F, waitingTimeIndex: waiting, cid: nil)
    }

    /// Creates the state for a target that has answered RATS or ATTRIB.
    init(modulation: Modulation, frameSizeIndex: UInt8, waitingTimeIndex: UInt8, cid: UInt8?) {
        (standardModulation, self.cid) = (modulation, cid)
        frameSize = Self.frameSizes[min(Int(frameSizeIndex), 8)]
        // With an FWI of 0, the time is 256 × 16 carrier periods. It doubles with each step.
        frameWaitingTime = Duration.nanoseconds(302_065) * (1 << Int(min(waitingTimeIndex, 14)))
    }

    /// The modulation of blocks to the target.
    var modulation: Modulation { bitRates == .standard ? standardModulation : bitRates.toTag.modulation }
    private var answerModulation: Modulation {
        bitRates == .standard ? standardModulation : bitRates.toReader.modulation
    }

    /// Whether ``exchange(_:hasMore:over:)`` without data returns more of the answer.
    var hasMore: Bool { !backlog.isEmpty || targetIsChaining }

    /// Sends data in frames of at most ``frameSize`` bytes, and returns the next chunk of the answer.
    ///
    /// - Parameters:
    ///   - data: the data to send; empty to fetch more of an answer.
    ///   - hasMore: whether the host has more data for the same message. If so, the last block is chained too.
    ///   - radio: the radio whose field the target is in.
    /// - Returns: at most 262 bytes; no bytes while the host has more data.
    /// - Throws: `.protocolError` if the target broke the protocol, otherwise the reason why the last attempt to
    ///   transfer a block failed.
    mutating func exchange(_ data: [UInt8], hasMore: Bool, over radio: Radio) throws(ChipStatus) -> [UInt8] {
        if data.isEmpty, self.hasMore { return try collect(over: radio) }
        (backlog, targetIsChaining) = ([], false)
        let pieceSize = frameSize - (cid == nil ? 3 : 4)
        var rest = data[...]
        repeat {
            let piece = rest.prefix(pieceSize)
            rest = rest.dropFirst(pieceSize)
            let isChained = hasMore || !rest.isEmpty
            let pcb = Block.information | number | (isChained ? Block.chaining : 0)
            let answer = try transmit([pcb] + piece, onError: Block.notAcknowledge | number, over: radio)
            if isChained {
                guard Block.isAcknowledge(answer[0]) else { throw .protocolError }
                number ^= 1
            } else {
                try accept(answer)
            }
        } while !rest.isEmpty
        return hasMore ? [] : try collect(over: radio)
    }

    /// Sends R(NAK), and returns whether the target answers with R(ACK) and is therefore present.
    mutating func isPresent(over radio: Radio) -> Bool {
        guard let block = heard(radio.exchange(frame([Block.notAcknowledge | number]), timeout: frameWaitingTime))
        else { return false }
        return Block.isAcknowledge(block[0])
    }

    /// Sends S(DESELECT), which moves the target to HALT and ends the use of higher bit rates.
    mutating func deselect(over radio: Radio) {
        _ = radio.exchange(frame([Block.deselect]), timeout: frameWaitingTime, isCommand: false)
        (number, backlog, targetIsChaining, bitRates) = (0, [], false, .standard)
    }

    /// Sends a PPS, and uses its bit rates after the target has agreed.
    ///
    /// - Parameters:
    ///   - rates: the bit rates to use.
    ///   - retries: how many times the PPS is repeated if the answer is missing or garbled.
    ///   - radio: the radio whose field the target is in.
    /// - Throws: `.protocolError` for a wrong answer, otherwise the reason why no answer was received.
    mutating func select(_ rates: BitRates, retries: Int, over radio: Radio) throws(ChipStatus) {
        let request = AirFrame.withCRC(rates.pps, modulation)
        var answer = radio.exchange(request, timeout: Self.activationWaitingTime, isCommand: false)
        for _ in 0..<retries {
            guard answer.isError else { break }
            answer = radio.exchange(request, timeout: Self.activationWaitingTime, isCommand: false)
        }
        switch answer {
        case .silence: throw .timeout
        case .collision: throw .crcError
        case .garbled(_, let status): throw status
        case .frame(let frame):
            guard let answer = frame.data else { throw .crcError }
            guard answer == [BitRates.ppsStart] else { throw .protocolError }
        }
        bitRates = rates
    }

    /// Returns a frame with this block.
    ///
    /// If the target has a CID, the CID follows the PCB.
    private func frame(_ block: [UInt8]) -> AirFrame {
        guard let cid else { return .withCRC(block, modulation) }
        return .withCRC([block[0] | Block.hasCID, cid] + block.dropFirst(), modulation)
    }

    /// Returns the block in an answer, without the CID.
    ///
    /// Returns nil if the answer is not a valid block or contains another CID.
    private func heard(_ answer: AirAnswer) -> [UInt8]? {
        guard case .frame(let frame) = answer, frame.modulation == answerModulation, let block = frame.data else {
            return nil
        }
        guard let cid else { return block }
        guard block.count > 1, block[0] & Block.hasCID != 0, block[1] & 0x0F == cid else { return nil }
        return [block[0] & ~Block.hasCID] + block.dropFirst(2)
    }

    private mutating func accept(_ block: [UInt8]) throws(ChipStatus) {
        guard Block.isInformation(block[0]), block[0] & Block.number == number else { throw .protocolError }
        number ^= 1
        targetIsChaining = block[0] & Block.chaining != 0
        // Refuse empty chained blocks: with these, a target could keep the chip busy forever.
        if targetIsChaining, block.count == 1 { throw .protocolError }
        backlog += block.dropFirst()
    }

    private mutating func collect(over radio: Radio) throws(ChipStatus) -> [UInt8] {
        while targetIsChaining, backlog.count < Self.chunkSize {
            let acknowledge = Block.acknowledge | number
            try accept(transmit([acknowledge], onError: acknowledge, over: radio))
        }
        let chunk = Array(backlog.prefix(Self.chunkSize))
        backlog.removeFirst(chunk.count)
        return chunk
    }

    /// Sends a block until the target answers with a valid I-block or R-block.
    ///
    /// The result is never empty.
    ///
    /// After silence or garbage, `recovery` is sent instead. An R(ACK) with the other block number means that the
    /// target missed the block, so the block is sent again.
    private func transmit(_ block: [UInt8], onError recovery: UInt8, over radio: Radio) throws(ChipStatus) -> [UInt8] {
        var outgoing = block
        var timeout = frameWaitingTime
        var isCommand = true
        var failure = ChipStatus.timeout
        var failures = 0
        var extensions = 0
        while failures < Self.attempts {
            let answer = radio.exchange(frame(outgoing), timeout: timeout, isCommand: isCommand)
            (timeout, isCommand) = (frameWaitingTime, true)
            guard let received = heard(answer) else {
                switch answer {
                case .silence: failure = .timeout
                case .garbled(_, let status): failure = status
                case .frame, .collision: failure = .crcError
                }
                failures += 1
                outgoing = [recovery]
                continue
            }
            if received[0] == Block.waitingTimeExtension, received.count == 2 {
                extensions += 1
                let factor = received[1] & 0x3F
                guard (1...59).contains(factor), extensions <= Self.maximumExtensions else { throw .protocolError }
                outgoing = [Block.waitingTimeExtension, factor]
                (timeout, isCommand) = (frameWaitingTime * Int(factor), false)
            } else if Block.isAcknowledge(received[0]), received[0] & Block.number != number {
                failures += 1
                outgoing = block
            } else {
                return received
            }
        }
        throw failure
    }
}
