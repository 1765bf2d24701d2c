// Tags that come again during a provisioning: unfinished, finished, changed or erased — Docs/Provisioning.md

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct ProvisionReturnTests {
        @Test func aTagThatHasItsRowGetsNoOther() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213").status == 75)
                let (status, events) = try await run.provision("virtual:tag.nfc?serial=1")
                #expect(status == 75)
                #expect(ProvisionRun.rows(events, "known") == [1])
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test(arguments: ["loss", "tear"], [3, 7, 10, 14, 18, 22])
        func aTagThatLeavesIsFinishedWhenItComesBack(fault: String, number: Int) async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let first = try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213&\(fault)=\(number)")
                #expect([0, 75].contains(first.status))
                let second = try await run.provision("virtual:tag.nfc?serial=1")
                #expect(second.status == 0)
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test func aTagThatIsTornStaysWithItsRowWhileOthersGoOn() async throws {
            try await ProvisionRun.with { run in
                try run.plan(3)
                #expect(try await run.provision("virtual:torn.nfc?serial=1,kind=ntag213&tear=9").status == 75)
                let (status, events) = try await run.provision("virtual:ntag215*3?stream&dwell=200ms&gap=20ms")
                #expect(status == 75)
                #expect(ProvisionRun.rows(events) == [2, 3])
                #expect(events.last?["open"] as? [Int] == [1])
                #expect(try await run.provision("virtual:torn.nfc?serial=1").status == 0)
            }
        }

        @Test func aLostTagsRowIsReleasedByTheUser() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:torn.nfc?serial=1,kind=ntag213&tear=9").status == 75)
                let release = try await Tool.run("provision", "release", "1", in: run.folder)
                #expect(release.status == 0)
                #expect(try await run.provision("virtual:tag.nfc?serial=1").status == 0)
                // A row that was proven is not given away without asking.
                #expect(try await Tool.run("provision", "release", "1", in: run.folder).status == 64)
            }
        }

        @Test func aTagThatWasChangedSinceIsSeen() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213").status == 75)
                let write = ["write", "--text", "mine", "--quiet", "--reader", "virtual:tag.nfc?serial=1"]
                #expect(try await Tool.run(write, in: run.folder).status == 0)
                let (_, events) = try await run.provision("virtual:tag.nfc?serial=1")
                let refused = events.filter { $0["event"] as? String == "refused" }
                #expect(refused.compactMap { $0["error"] as? String } == ["contentChanged"])
                // The line and the summary count the same.
                #expect(events.last?["refusedNow"] as? Int == 1)
            }
        }

        @Test(arguments: [["erase"], ["write", "--empty"]])
        func aTagThatWasErasedSinceIsToldSoAndGetsItsRowAgain(command: [String]) async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let first = try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213", "--limit", "1")
                #expect(first.events.last?["provisioned"] as? Int == 1)
                let erase = try await Tool.run(
                    command + ["--quiet", "--reader", "virtual:tag.nfc?serial=1"], in: run.folder)
                #expect(erase.status == 0)
                let (_, events) = try await run.provision("virtual:tag.nfc?serial=1", "--limit", "1")
                #expect(ProvisionRun.rows(events, "erased") == [1])
                #expect(ProvisionRun.rows(events) == [1])
                #expect(ProvisionRun.rows(events, "refused") == [])
                #expect(events.last?["provisioned"] as? Int == 1)
                #expect(events.last?["pending"] as? Int == 1)
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test func anErasedTagThatIsProtectedIsOpenedWithItsRowsPassword() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let password = "--password-file"
                let first = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213", "--limit", "1", "--protect", password, "password")
                #expect(first.events.last?["provisioned"] as? Int == 1)
                let erase = ["erase", "--quiet", password, "password", "--reader", "virtual:tag.nfc?serial=1"]
                #expect(try await Tool.run(erase, in: run.folder).status == 0)
                let (_, events) = try await run.provision(
                    "virtual:tag.nfc?serial=1", "--limit", "1", "--protect", password, "password")
                #expect(ProvisionRun.rows(events, "erased") == [1])
                #expect(ProvisionRun.rows(events) == [1])
                #expect(events.last?["sealed"] as? Int == 1)
            }
        }
    }
}
