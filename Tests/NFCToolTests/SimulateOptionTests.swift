// The options of simulate

import ArgumentParser
import Testing
import VirtualPCSC

@testable import nfctool

@Suite struct SimulateOptionTests {
    @Test func tagsAreNamedInOnePlace() throws {
        #expect(try SimulateCommand.parse(["--pcsc", "acr1552u", "--tag", "ntag215"]).pcsc.count == 1)
        #expect(try SimulateCommand.parse(["--pcsc", "acr1552u=ntag213"]).pcsc.first?.tags == "ntag213")
        let error = #expect(throws: (any Error).self) {
            try SimulateCommand.parse(["--pcsc", "acr1552u=ntag213", "--tag", "ntag215"])
        }
        let text = error.map { SimulateCommand.message(for: $0) }
        #expect(text?.contains("--pcsc acr1552u=TAGS or --tag TAGS") ?? false)
    }
}
