// Determining whether a MIFARE Classic is genuine — NXP AN10833 (MIFARE Plus in security level 1); Proxmark3,
// doc/magic_cards_notes.md
import ReaderInterface

/// The evidence that a MIFARE Classic gives about its origin.
///
/// Copies whose block 0 can be written ("magic" cards) are recognised by answers that no genuine card gives. A copy
/// without such answers is possible: only a write to block 0 would reveal it, and nfctool does not make such a write.
public struct ClassicOrigin: Hashable, Sendable {
    /// A sign that no genuine card shows.
    public enum Sign: Hashable, Sendable {
        /// The card answers the short frame 40, with which copies of generation 1a give access to their memory without
        /// keys.
        case backdoor
        /// The answer to RATS is that of copies of generation 2, whose block 0 can be written like any other.
        case copyATS
        /// The check byte of the UID in block 0 is wrong.
        case checkByte(found: UInt8, expected: UInt8)
        /// Block 0 contains a UID that differs from that of the card.
        case otherUID
        /// Block 0 contains the bytes 62…69 that the makers of compatible chips use.
        case compatibleMaker
    }

    /// The card's answer to RATS, with its length byte.
    ///
    /// It is empty if the card did not answer or RATS was not sent.
    public let ats: [UInt8]
    /// The signs that the card is not genuine; empty if there are none.
    public let signs: [Sign]

    /// Whether the signs show that block 0 can be written.
    public var isWritable: Bool { signs.contains(.backdoor) || signs.contains(.copyATS) }

    /// Whether the card is a MIFARE Plus.
    ///
    /// The historical bytes show this with the category indicator, the length of the card identifier, and the chip type
    /// — AN10833.
    public var isMIFAREPlus: Bool { Self.isMIFAREPlus(ats: ats) }

    static func isMIFAREPlus(ats: [UInt8]) -> Bool {
        guard let start = Self.historicalStart(ats) else { return false }
        return ats[start...].starts(with: [0xC1, 0x05])
    }

    /// The answers to RATS from copies of generation 2, with their length bytes — Proxmark3's notes, flavours 2, 4 and
    /// 6.
    static let copies: [[UInt8]] = [
        [0x09, 0x78, 0x00, 0x91, 0x02, 0xDA, 0xBC, 0x19, 0x10],
        [0x0D, 0x78, 0x00, 0x71, 0x02, 0x88, 0x49, 0xA1, 0x30, 0x20, 0x15, 0x06, 0x08],
    ]

    init(ats: [UInt8], hasBackdoor: Bool, block0: [UInt8]?, uid: [UInt8]) {
        self.ats = ats
        var signs: [Sign] = hasBackdoor ? [.backdoor] : []
        if Self.copies.contains(ats) { signs.append(.copyATS) }
        if let block0, block0.count == ClassicLayout.blockSize {
            if uid.count == 4 {
                let check = block0[..<4].reduce(0, ^)
                if block0[4] != check { signs.append(.checkByte(found: block0[4], expected: check)) }
            }
            // A 4-byte UID that starts with 08 is random — ISO/IEC 14443-3.
            if uid.count == 7 || uid.count == 4 && uid[0] != 0x08, !block0.starts(with: uid) { signs.append(.otherUID) }
            if block0[8...].elementsEqual(0x62...0x69) { signs.append(.compatibleMaker) }
        }
        self.signs = signs
    }

    /// Returns the index of the historical bytes in an ATS, or `nil` if the ATS is invalid — ISO/IEC 14443-4, ATS.
    ///
    /// The historical bytes follow TL, T0, and those of TA(1), TB(1) and TC(1) that are present.
    private static func historicalStart(_ ats: [UInt8]) -> Int? {
        guard ats.count > 1 else { return nil }
        let start = 2 + [UInt8(0x10), 0x20, 0x40].count { ats[1] & $0 != 0 }
        return start <= ats.count ? start : nil
    }
}

extension ClassicTag {
    private static let frameTime = Duration.milliseconds(50)
    /// The RATS command, with a frame size of 256 bytes and CID 0 — ISO/IEC 14443-4.
    private static let rats: [UInt8] = [0xE0, 0x80]
    private static let deselect: [UInt8] = [0xC2]
    private static let backdoor: UInt8 = 0x40

    /// Checks whether the card is a MIFARE Plus or a copy, and activates it again.
    ///
    /// Sends RATS and a short frame, if the reader can send them. Nothing is written. Only the first frame of the
    /// backdoor command is sent. This frame alone does not give access.
    ///
    /// - Parameter block0: the manufacturer block, or `nil` if it cannot be read.
    /// - Returns: the origin. If the reader cannot send these frames, it is based only on block 0 and the UID.
    /// - Throws: ``TagError/reader(_:)`` if the reader fails or the card cannot be activated again.
    public func inspectOrigin(block0: [UInt8]?) throws(TagError) -> ClassicOrigin {
        var (ats, hasBackdoor) = ([UInt8](), false)
        do throws(ReaderError) {
            // An activated card treats the short frame as an error and returns to IDLE or HALT. In these states, copies
            // accept the frame. With a reader that cannot send it, do not send RATS either, because RATS may disturb
            // the reader's own activation.
            var answer: FrameAnswer?
            for _ in 0..<2 {
                answer = try onlyAnswer { () throws(ReaderError) in
                    try channel.exchangeShortFrame(Self.backdoor, timeout: Self.frameTime)
                }
            }
            hasBackdoor = answer == .nibble(0x0A)
            try memory.activateOnReader()
            ats = try answerToSelect()
        } catch .cannotSend {
            // The reader cannot send the frame, so the result is based only on block 0 and the UID.
        } catch {
            throw .reader(error)
        }
        try memory.activateAgain()
        let origin = ClassicOrigin(ats: ats, hasBackdoor: hasBackdoor, block0: block0, uid: memory.uid)
        self.origin = origin
        return origin
    }

    private func answerToSelect() throws(ReaderError) -> [UInt8] {
        let answer = try onlyAnswer { () throws(ReaderError) in
            try channel.exchangeFrame(Self.rats, timeout: Self.frameTime)
        }
        // Deselect the card even if RATS got no answer, because the card is in ISO-DEP if only the answer was lost. A
        // card that does not support RATS ignores this command.
        for _ in 0..<(answer == nil ? 2 : 4) {
            let isDeselected = try onlyAnswer { () throws(ReaderError) in
                try channel.exchangeFrame(Self.deselect, timeout: Self.frameTime)
            }
            if case .bytes? = isDeselected { break }
        }
        guard case .bytes(let bytes)? = answer, bytes.first.map({ Int($0) == bytes.count }) ?? false else { return [] }
        return bytes
    }

    /// Returns the answer, or `nil` if the card does not answer.
    @discardableResult
    private func onlyAnswer<Answer>(_ exchange: () throws(ReaderError) -> Answer) throws(ReaderError) -> Answer? {
        do throws(ReaderError) { return try exchange() } catch .noAnswer { return nil }
    }
}
