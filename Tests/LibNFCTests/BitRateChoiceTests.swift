// Tests of the choice of a bit rate — ISO/IEC 14443-4, TA(1)

import ReaderInterface
import Testing

@testable import LibNFC

@Suite struct BitRateChoiceTests {
    private static func target(_ ats: [UInt8], identifier: UInt8 = 1) -> Target {
        .nfcA(NFCATarget(sensRes: [0x03, 0x44], selRes: 0x20, nfcID1: [4, 2, 3, 4, 5, 6, identifier], ats: ats))
    }

    /// TA(1), followed by BRit and BRti of InPSL, or nil if no InPSL is sent.
    @Test(
        arguments: [
            (0x77, [0x02, 0x02]), (0x33, [0x02, 0x02]), (0x11, [0x01, 0x01]), (0x13, [0x02, 0x01]),
            (0x20, [0x00, 0x02]),
            // The same bit rate in both directions only.
            (0xF7, [0x02, 0x02]), (0x93, [0x01, 0x01]), (0xA1, nil), (0x80, nil),
            // 848 kbit/s only; none; the reserved bit.
            (0x44, nil), (0x00, nil), (0x7F, nil),
        ] as [(UInt8, [UInt8]?)])
    func theHighestBitRatesOfTheTagAreRequested(ta1: UInt8, parameters: [UInt8]?) {
        let rates = BitRates(ats: [0x77, ta1, 0x71, 0x02, 0x80], upTo: .kbps424)
        #expect(rates?.command == parameters.map { [0x4E, 0x01] + $0 })
    }

    @Test(arguments: [[], [0x75], [0x65, 0x77, 0x02], [0x10]] as [[UInt8]])
    func withoutTA1NothingIsRequested(ats: [UInt8]) {
        #expect(BitRates(ats: ats, upTo: .kbps424) == nil)
    }

    @Test func theSecondMissingAnswerLowersTheBitRate() {
        let target = Self.target([0x77, 0x77, 0x71, 0x02, 0x80])
        var choice = BitRateChoice()
        for expected in [.kbps424, .kbps424, .kbps212, .kbps212, nil, nil] as [BitRate?] {
            let rates = choice.rates(for: target)
            #expect(rates?.toTarget == expected)
            if rates != nil { choice.noteAgreement() }
            choice.noteSilence(of: target)
        }
        // For another target, the choice starts again.
        let other = choice.rates(for: Self.target([0x77, 0x77], identifier: 2))
        #expect(other?.toTarget == .kbps424)
    }

    @Test func silenceAt106KilobitsHasNoEffect() {
        let target = Self.target([0x77, 0x77, 0x71, 0x02, 0x80])
        var choice = BitRateChoice()
        _ = choice.rates(for: target)
        for _ in 0..<5 { choice.noteSilence(of: target) }
        let rates = choice.rates(for: target)
        #expect(rates?.toTarget == .kbps424)
    }

    @Test func aTargetThatDidNotAgreeIsNotAskedAgain() {
        let target = Self.target([0x77, 0x77, 0x71, 0x02, 0x80])
        var choice = BitRateChoice()
        let before = choice.rates(for: target)
        choice.noteRefusal()
        let after = choice.rates(for: target)
        #expect(before != nil)
        #expect(after == nil)
    }

    /// A field reset gives such a target another identifier.
    @Test func aTargetWithARandomIdentifierThatDidNotAgreeIsNotAskedAgain() {
        func target(_ number: UInt8) -> Target {
            .nfcA(NFCATarget(sensRes: [0x00, 0x04], selRes: 0x20, nfcID1: [0x08, number, 2, 3], ats: [0x77, 0x77]))
        }
        var choice = BitRateChoice()
        let before = choice.rates(for: target(1))
        choice.noteRefusal()
        let after = choice.rates(for: target(2))
        #expect(before != nil)
        #expect(after == nil)
    }

    @Test func onlyISODEPTargetsOfTypeAAreAsked() {
        var choice = BitRateChoice()
        let type2 = NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: [4, 2, 3, 4, 5, 6, 7])
        let typeB = NFCBTarget(nfcID0: [1, 2, 3, 4], applicationData: [0, 0, 0, 0], protocolInfo: [0x77, 0x81, 0x71])
        for target in [Target.nfcA(type2), .nfcB(typeB)] {
            let rates = choice.rates(for: target)
            #expect(rates == nil)
        }
    }
}
