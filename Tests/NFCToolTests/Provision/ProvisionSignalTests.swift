// The signals for the operator at the reader: beep and LED — Docs/CommandLine.md, --beep and --led

import ProvisionPresentation
import Provisioning
import ReaderInterface
import Testing

@testable import nfctool

private typealias Sample = ProvisionSamples

@Suite struct ProvisionSignalTests {
    @Test(arguments: [
        ("ok", Beep.ok), ("fail", Beep.fail), ("ok,fail", Beep([.ok, .fail])),
        ("fail,ok", Beep([.ok, .fail])), ("off", Beep()),
    ])
    func beepIsASetOfWords(_ argument: String, _ beep: Beep) {
        #expect(Beep(argument: argument) == beep)
    }

    @Test(arguments: ["", "on", "ok,", "ok,off", "OK", "ok fail"])
    func whatIsNoBeepIsRefused(_ argument: String) {
        #expect(Beep(argument: argument) == nil)
    }

    @Test func bellRingsForWhatTheOperatorHasToLookAt() {
        let rings = { (beep: Beep) in Sample.run.map { beep.rings(for: $0) ? "x" : "." }.joined() }
        #expect(rings(.fail) == ".......xxxxxx...")
        #expect(rings(.ok) == "..x.xxx.......x.")
        #expect(!rings([]).contains("x"))
    }

    @Test func theLampStaysRedAfterARefusedTagUntilTheNextOneIsDone() {
        var lamps = RefusalLamps()
        let reds = [
            Sample.refused(1), .removed(Sample.tag(1)), .removed(Sample.tag(2, reader: "other")), Sample.proven(3),
            .removed(Sample.tag(3)), Sample.refused(4, .severalTags), .removed(Sample.tag(4)),
        ].map { lamps.stayRed(after: $0) ? "x" : "." }.joined()
        #expect(reds == ".x.....")
        #expect(ProvisionEvent.manyRefused(reader: "", refused: 3, of: 3).signal == .failure)
        #expect(Beep.fail.rings(for: .manyRefused(reader: "", refused: 3, of: 3)))
    }
}
