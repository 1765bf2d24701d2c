// `--yes`, on the commands that may ask

import ArgumentParser
import Testing

@testable import nfctool

@Suite struct YesOptionTests {
    @Test func aCommandThatAsksNothingHasNoYes() throws {
        #expect(throws: (any Error).self) { try ReadersCommand.parse(["--yes"]) }
        #expect(throws: (any Error).self) { try ProvisionStatusCommand.parse(["plan.csv", "--yes"]) }
        #expect(try ReadersCommand.parse(["--json", "--quiet"]).output.json)
    }

    @Test func aCommandThatMayAskHasYes() throws {
        #expect(try ProvisionReleaseCommand.parse(["12", "--yes"]).output.yes)
    }
}
