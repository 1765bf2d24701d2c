// Whatever a tag holds, the lint returns sentences

import Chips
import Chance
import NDEF
import PhoneLint
import Testing

@Suite struct LintFuzzTests {
    /// Xorshift64* (Marsaglia 2003, Vigna 2014), which gives the same numbers in every run.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return state &* 0x2545_F491_4F6C_DD1D
        }
    }

    @Test func tenThousandRandomTagsAreJudged() {
        var generator = SplitMix(state: 0x5048_4F4E)
        var rules: Set<String> = []
        for _ in 0..<10_000 {
            let message = NDEFMessage(
                records: (0..<Int.random(in: 0...3, using: &generator)).map { _ in Self.record(&generator) })
            let findings = PhoneLint().findings(in: message, on: Self.tag(&generator))
            rules.formUnion(findings.map(\.rule))
            #expect(findings.allSatisfy { !$0.phones.isEmpty && ($0.record ?? 0) <= message.records.count })
            #expect(findings.map(\.severity) == findings.map(\.severity).sorted())
            #expect(Saving.all(in: message).allSatisfy { $0.bytes > 0 && $0.bytes < message.length })
        }
        // Random tags cannot break three rules: two require a certain chip, and one a longer message.
        #expect(rules.count >= PhoneLint.ruleNames.count - 3)
    }

    private static func record(_ generator: inout SplitMix) -> NDEFRecord {
        let samples: [NDEFRecord] = [
            .page, .text("Hello"), .empty, .wifi, .external, .app("com.example"), .media("text/vcard"),
            .uri("http://http:"), .uri(":"), .uri(""), NDEFRecord(tnf: .wellKnown, type: hex("5370"), payload: []),
            NDEFRecord(tnf: .absoluteURI, type: hex("613A"), payload: []),
            NDEFRecord(tnf: .unknown, type: [], payload: []), NDEFRecord(tnf: .reserved, type: [], payload: []),
        ]
        var record = samples[Int.random(in: 0..<samples.count, using: &generator)]
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            guard let index = record.payload.indices.randomElement(using: &generator) else { break }
            record.payload[index] = .random(in: 0...255, using: &generator)
        }
        return record
    }

    private static func tag(_ generator: inout SplitMix) -> TagFacts {
        let kinds: [TagFacts.Kind?] = [.type1, .type2, .type2, .type2, .type3, .type4, .mifareClassic, nil]
        let states: [TagFacts.Status] = [.notSupported, .readWrite, .readOnly]
        let accesses: [UInt8] = [0x00, 0x0F, 0x08, 0x88, 0xFF]
        let passwords: [TagFacts.Password?] = [nil, nil, .writing, .reading]
        return TagFacts(
            kind: kinds[Int.random(in: 0..<kinds.count, using: &generator)], chip: .ntag213,
            status: states[Int.random(in: 0..<states.count, using: &generator)],
            capabilityContainer: [
                0xE1, .random(in: 0x0F...0x20, using: &generator), .random(in: 0x06...0x3E, using: &generator),
            ]
                + [accesses[Int.random(in: 0..<accesses.count, using: &generator)]],
            dataArea: (0..<Int.random(in: 0...12, using: &generator)).map { _ in .random(in: 0...3, using: &generator)
            },
            isLocked: [nil, true, false][Int.random(in: 0..<3, using: &generator)],
            password: passwords[Int.random(in: 0..<passwords.count, using: &generator)],
            fileReadAccess: [nil, nil, 0x80][Int.random(in: 0..<3, using: &generator)])
    }
}
