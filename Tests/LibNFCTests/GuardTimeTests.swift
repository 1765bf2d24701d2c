// A tag does not answer in a field that was just switched on — NFC Forum Digital 2.0, GT_A, GT_B, GT_F

import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct GuardTimeTests {
    @Test func eachTechnologyHasItsGuardTime() {
        let start = ContinuousClock.now
        let field = FieldStart(start)
        for technology in [Technology.nfcA, .nfcB, .jewel] {
            #expect(field.rest(of: technology, at: start) == .milliseconds(5))
        }
        #expect(field.rest(of: .nfcF, at: start) == .milliseconds(20))
        // Only the remaining time is waited for.
        #expect(field.rest(of: .nfcF, at: start + .milliseconds(12)) == .milliseconds(8))
        #expect(field.rest(of: .nfcA, at: start + .milliseconds(12)) == .zero)
        #expect(field.rest(of: .nfcF, at: start + .seconds(1)) == .zero)
    }

    /// The chip's field is on for the guard time before the first command, so no poll is wasted, whatever the
    /// technology.
    @Test(arguments: [VirtualTagKind.ntag213, .type4b, .type3, .topaz96])
    func theFirstPollAfterEachNewFieldFindsATagThatPowersUpSlowly(_ kind: VirtualTagKind) throws {
        let tag = kind.make()
        let bench = try Bench([tag], fault: "powerup", value: "on")
        try bench.open { reader in
            let technologies: [Technology] = [Self.technology(of: kind)]
            for _ in 0..<3 {
                let target = try #require(try reader.poll(for: technologies).first)
                #expect(target.technology == technologies[0])
                _ = try reader.powerUp(target)
            }
        }
    }

    private static func technology(of kind: VirtualTagKind) -> Technology {
        switch kind {
        case .type4b: .nfcB
        case .type3: .nfcF
        case .topaz96: .jewel
        default: .nfcA
        }
    }
}
