import Chance
import ReaderInterface
import Testing

@testable import PCSCReaders

/// A reader that gives arbitrary answers.
@Suite struct HostileReaderTests {
    private static let commands: [(Target, [UInt8], Framing)] = [
        (.ntag, [0x30, 4], .handled), (.ntag, [0xA2, 4, 1, 2, 3, 4], .handled), (.ntag, [0x60], .raw),
        (.ntag, [0x3A, 0, 200], .raw), (.classic, [0x60, 7, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4], .handled),
        (.classic, [0x30, 7], .handled), (.type4, [0x00, 0xB0, 0, 0, 0], .handled),
        (.icode, [0x02, 0x20, 5], .raw), (.icode, [0x02, 0x23, 5, 255], .raw),
        (.icode, [0x02, 0x33, 5, 0, 255, 255], .raw),
        (.icode, [0x02, 0x21, 5, 1, 2, 3, 4], .raw), (.icode, [0x02, 0x2B], .raw), (.icode, [0x02], .raw),
        (.feliCa, [6, 0, 0xFF, 0xFF, 1, 0], .raw), (.jewelTag, [0x78, 0, 0], .handled),
    ]

    @Test func noAnswerTraps() {
        var chance = SplitMix(state: 3)
        let heads: [[UInt8]] = [
            [], [0xD5, 0x43], [0xD5, 0x43, 0x00], [0xC0, 0x03, 0x00, 0x90, 0x00], [0xC0, 0x03, 0x00, 0x90, 0x00, 0x97],
            [0xC0, 0x00], [0x96, 0x00, 0x97, 0x01, 0x0A], [0x92, 0x00, 0x97, 0x00],
        ]
        var outcomes: Set<Bool> = []
        for _ in 0..<2_000 {
            let dialect = (ReaderDialect.all + [.generic]).randomElement(using: &chance) ?? .generic
            var answers = chance
            let reader = ScriptedReader { _ in
                let noise = (0..<Int.random(in: 0...40, using: &answers)).map { _ in
                    UInt8.random(in: 0...255, using: &answers)
                }
                let status: [[UInt8]] = [
                    [0x90, 0x00], [0x90, 0x00], [0x6C, noise.first ?? 0], [0x6A, 0x82], [0x90], [],
                ]
                return (heads.randomElement(using: &answers) ?? []) + noise
                    + (status.randomElement(using: &answers) ?? [])
            }
            _ = chance.next()
            let (target, command, framing) = Self.commands.randomElement(using: &chance) ?? Self.commands[0]
            let channel = reader.channel(dialect, target)
            for _ in 0..<4 {
                outcomes.insert((try? channel.transceive(command, framing: framing)) != nil)
                _ = try? channel.exchangeFrame(command, timeout: Duration.seconds(1))
            }
            #expect(reader.received.count < 200)
            _ = try? TargetIdentification(carrier: reader, dialect: dialect).target(
                atr: [0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0, 0, 3, 6, 0x11, 0, 0x3B, 0, 0, 0, 0, 0x42])
        }
        #expect(outcomes == [true, false])
    }
}

extension Target {
    fileprivate static let jewelTag = Target.jewel(JewelTarget(sensRes: [0x0C, 0x00], uid: [1, 2, 3, 4]))
}
