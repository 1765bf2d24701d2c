// The card's side of the half-duplex block protocol — ISO/IEC 14443-4 (RATS/ATS, PPS, blocks, DESELECT)

/// The block protocol for one tag.
///
/// It joins blocks into commands, and splits answers into blocks.
struct ISODEPLink: Sendable {
    enum Event: Hashable, Sendable {
        /// A frame without an answer, because it is invalid, unexpected or for another tag.
        case ignored
        /// A block or a PPS response to send unchanged.
        case block([UInt8])
        /// A complete command.
        ///
        /// ``respond(_:)`` returns the block to send.
        case command([UInt8])
        /// S(DESELECT).
        ///
        /// The value is the answer, after which the tag goes to HALT.
        case deselected([UInt8])
    }

    private struct Session: Sendable {
        /// The largest frame that the reader accepts (FSD), in bytes including PCB and CRC.
        var fsd: Int
        var cid: UInt8
        /// The card's block number, which starts at 1 (rule C).
        var blockNumber: UInt8 = 1
        var hasCID = false
        var bitRates = BitRates.standard
        var hasAnsweredPPS = false
        var received: [UInt8] = []
        var unsent: [UInt8] = []
        var lastBlock: [UInt8] = []
    }

    /// The ATS: TL, T0, TA(1), TB(1), TC(1) and historical bytes.
    ///
    /// It is nil for a type B card.
    let ats: [UInt8]?
    /// The largest frame that the card accepts (FSC), in bytes including PCB and CRC.
    private let fsc: Int
    private let supportsCID: Bool
    /// TA(1), which contains the supported bit rates.
    private let ta1: UInt8
    private var session: Session?

    /// The frame sizes in bytes including the CRC, indexed by FSDI or FSCI.
    private static let frameSizes = [16, 24, 32, 40, 48, 64, 96, 128, 256]
    private static let crcSize = 2
    /// The length in bytes of the longest command, an extended one: header, Lc, 65535 bytes of data, Le.
    private static let longestCommand = 4 + 3 + 65_535 + 2

    init(ats: [UInt8]) {
        self.ats = ats
        // Without T0, the default FSCI is 2.
        fsc = Self.frameSize(ats.count > 1 ? ats[1] & 0x0F : 2)
        supportsCID = Self.supportsCID(ats)
        ta1 = ats.count > 2 && ats[1] & 0x10 != 0 ? ats[2] : 0x00
    }

    /// Creates the link for a type B card.
    ///
    /// - Parameter protocolInfo: the protocol info in ATQB, 3 bytes.
    init(protocolInfo: [UInt8]) {
        ats = nil
        fsc = Self.frameSize(protocolInfo[1] >> 4)
        supportsCID = protocolInfo[2] & 0x01 != 0
        ta1 = 0x00
    }

    /// Whether RATS or ATTRIB has opened the link.
    ///
    /// If so, the tag is in the PROTOCOL state.
    var isOpen: Bool { session != nil }

    /// The bit rates that a PPS selected.
    ///
    /// They are valid until the link is closed.
    var bitRates: BitRates { session?.bitRates ?? .standard }

    /// Whether the reader still has to request blocks of an answer.
    var isSending: Bool { session.map { !$0.unsent.isEmpty } ?? false }

    /// The first part of a command whose last block has not arrived.
    var unfinished: [UInt8] { session?.received ?? [] }

    mutating func close() {
        session = nil
    }

    private static func frameSize(_ index: UInt8) -> Int {
        frameSizes[min(Int(index), frameSizes.count - 1)]
    }

    /// Whether the card supports a CID: bit 2 of TC(1), or true without TC(1).
    private static func supportsCID(_ ats: [UInt8]) -> Bool {
        guard ats.count > 1, ats[1] & 0x40 != 0 else { return true }
        let index = 2 + (ats[1] & 0x10 != 0 ? 1 : 0) + (ats[1] & 0x20 != 0 ? 1 : 0)
        return index < ats.count ? ats[index] & 0x02 != 0 : true
    }

    /// Handles RATS (`E0`, then FSDI and CID in one byte), and returns the ATS.
    ///
    /// Returns nil for any other frame.
    mutating func answerToSelect(_ frame: [UInt8]) -> [UInt8]? {
        guard let ats, frame.count == 2, frame[0] == 0xE0, frame[1] & 0x0F != 0x0F else { return nil }
        open(fsdi: frame[1] >> 4, cid: frame[1] & 0x0F)
        return ats
    }

    mutating func open(fsdi: UInt8, cid: UInt8) { session = Session(fsd: Self.frameSize(fsdi), cid: cid) }

    /// Whether a frame is an I-block or an R-block for this card.
    func isCommand(_ frame: [UInt8]) -> Bool {
        guard let session, let pcb = frame.first, pcb & 0xE6 == 0x02 || pcb & 0xE6 == 0xA2 else { return false }
        return isAddressed(frame, session)
    }

    private func isAddressed(_ frame: [UInt8], _ session: Session) -> Bool {
        guard let pcb = frame.first, pcb & 0x08 != 0 else { return session.cid == 0 }
        return supportsCID && frame.count > 1 && frame[1] & 0x0F == session.cid
    }

    /// Handles a frame in the PROTOCOL state.
    ///
    /// The frame's CRC has been removed.
    mutating func receive(_ frame: [UInt8]) -> Event {
        guard var session, let pcb = frame.first, frame.count + Self.crcSize <= fsc else { return .ignored }
        defer { self.session = session }
        // A frame that starts with `D` and the CID is a PPS (PPSS). No other frame starts like this.
        if ats != nil, pcb == BitRates.ppsStart | session.cid, session.lastBlock.isEmpty, !session.hasAnsweredPPS {
            return selectBitRates(frame, &session)
        }

        guard isAddressed(frame, session) else { return .ignored }
        let hasCID = pcb & 0x08 != 0
        let information = frame.dropFirst(hasCID ? 2 : 1)
        session.hasCID = hasCID
        switch pcb {
        case _ where pcb & 0xE6 == 0x02:  // I-block without NAD
            return receiveInformation(information, isChaining: pcb & 0x10 != 0, &session)
        case _ where pcb & 0xE6 == 0xA2 && information.isEmpty:
            return receiveReady(isNAK: pcb & 0x10 != 0, blockNumber: pcb & 0x01, &session)
        case _ where pcb & 0xF7 == 0xC2 && information.isEmpty:
            return .deselected(hasCID ? [pcb, session.cid] : [pcb])
        default:
            return .ignored
        }
    }

    mutating func respond(_ response: [UInt8]) -> [UInt8] {
        guard var session else { return [] }
        defer { self.session = session }
        session.unsent = response
        return nextBlock(&session)
    }

    func waitingTimeExtension(_ factor: UInt8) -> [UInt8] {
        guard let session else { return [] }
        return session.hasCID ? [0xFA, session.cid, factor] : [0xF2, factor]
    }

    /// Whether a frame is S(WTX), the reader's response to the card's request.
    func isWaitingTimeExtension(_ frame: [UInt8]) -> Bool {
        guard let session, let pcb = frame.first, pcb & 0xF7 == 0xF2 else { return false }
        return frame.count == (pcb & 0x08 != 0 ? 3 : 2) && isAddressed(frame, session)
    }

    /// Whether a frame is an R-block for this card.
    func isReady(_ frame: [UInt8]) -> Bool {
        guard let session, let pcb = frame.first, pcb & 0xE6 == 0xA2 else { return false }
        return frame.count == (pcb & 0x08 != 0 ? 2 : 1) && isAddressed(frame, session)
    }

    /// Handles a PPS.
    ///
    /// The answer is sent at the old bit rates. A card does not answer a request that TA(1) does not permit.
    private func selectBitRates(_ frame: [UInt8], _ session: inout Session) -> Event {
        guard let rates = BitRates(pps: frame.dropFirst()), rates.isSupported(by: ta1) else { return .ignored }
        (session.bitRates, session.hasAnsweredPPS) = (rates, true)
        return .block([BitRates.ppsStart | session.cid])
    }

    private func receiveInformation(
        _ information: ArraySlice<UInt8>, isChaining: Bool, _ session: inout Session
    ) -> Event {
        // Rule D: toggle the card's block number, regardless of the number in the received block.
        session.blockNumber ^= 1
        session.unsent = []
        guard session.received.count + information.count <= Self.longestCommand else {
            session.received = []
            return .ignored
        }
        session.received += information
        if isChaining {
            return .block(ready(&session))
        }
        defer { session.received = [] }
        return .command(session.received)
    }

    private func receiveReady(isNAK: Bool, blockNumber: UInt8, _ session: inout Session) -> Event {
        if blockNumber == session.blockNumber {
            // Rule 11: send the last block again.
            return session.lastBlock.isEmpty ? .ignored : .block(session.lastBlock)
        }
        if isNAK {
            // Rule 12: answer R(ACK). Readers use this to check whether the tag is still present.
            return .block(ready(&session))
        }
        // Rules E and 13: the reader acknowledged a chained block.
        guard !session.unsent.isEmpty else { return .ignored }
        session.blockNumber ^= 1
        return .block(nextBlock(&session))
    }

    private func ready(_ session: inout Session) -> [UInt8] {
        frame(pcb: 0xA2, [], &session)
    }

    private func nextBlock(_ session: inout Session) -> [UInt8] {
        let room = session.fsd - Self.crcSize - (session.hasCID ? 2 : 1)
        let information = session.unsent.prefix(room)
        session.unsent.removeFirst(information.count)
        return frame(pcb: session.unsent.isEmpty ? 0x02 : 0x12, information, &session)
    }

    private func frame(pcb: UInt8, _ information: ArraySlice<UInt8>, _ session: inout Session) -> [UInt8] {
        let cidField = session.hasCID ? [session.cid] : []
        session.lastBlock = [pcb | session.blockNumber | (session.hasCID ? 0x08 : 0)] + cidField + information
        return session.lastBlock
    }
}
