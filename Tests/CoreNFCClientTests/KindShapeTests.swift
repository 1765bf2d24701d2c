// A client that asks the tag of an NDEF session for its kind

import CoreNFC
import Testing
import VirtualPN532

extension ClientTests {
    @Suite struct KindShapeTests {
        @Test(arguments: [
            (VirtualTagKind.ntag213, "MiFare"), (.type4, "ISO7816"), (.feliCaLiteSNDEF, "FeliCa"),
            (.topaz512, "unknown"),
        ])
        func aPluginDescribesTheTag(_ kind: VirtualTagKind, _ name: String) async throws {
            let tag = kind.make()
            _ = try Bench.reader(with: [tag])
            let events = Events<String>()
            let describer = TagDescriber { description in
                let identifier = description?.identifier.map { $0.map { String(format: "%02x", $0) }.joined() }
                events.record("\(description?.kind ?? "none") \(identifier ?? "-")")
            }
            describer.scan()
            let uid = tag.identifier.map { String(format: "%02x", $0) }.joined()
            let hasIdentifier = name == "MiFare" || name == "ISO7816"
            #expect(try await events.next() == "\(name) \(hasIdentifier ? uid : "-")")
            withExtendedLifetime(describer) {}
        }
    }
}
