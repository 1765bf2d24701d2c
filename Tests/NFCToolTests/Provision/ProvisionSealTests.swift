// Locks and passwords in a provisioning: the tag enforces what is reported — Docs/Provisioning.md

import Foundation
import Testing

extension BuiltBinaryProvision {
    @Suite struct ProvisionSealTests {
        @Test func lockingAsksOnceAndIsProven() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let reader = "virtual:tag.nfc?serial=1,kind=ntag213"
                #expect(try await run.provision(reader, "--lock").status == 64)
                let (status, events) = try await run.provision(reader, "--lock", "--yes")
                #expect(status == 0)
                #expect(events.last?["sealed"] as? Int == 1)
                let write = try await Tool.run(
                    "write", "--text", "x", "--reader", "virtual:tag.nfc?serial=1", in: run.folder)
                #expect(write.status == 77)
            }
        }

        /// The first step of a lock makes the tag read-only to readers; the later steps must not be forgotten.
        @Test(arguments: [26, 28, 30])
        func aLockThatWasCutOffIsFinished(number: Int) async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let cut = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213&tear=\(number)", "--lock", "--yes")
                #expect(cut.status == 75)
                #expect(try await run.provision("virtual:tag.nfc?serial=1", "--lock", "--yes").status == 0)
                let file = run.folder + "/tag.nfc"
                let sealed = try String(contentsOfFile: file, encoding: .utf8)
                let lock = try await Tool.run("lock", "--yes", "--reader", "virtual:tag.nfc?serial=1", in: run.folder)
                #expect(lock.status == 0)
                #expect(try String(contentsOfFile: file, encoding: .utf8) == sealed)
                #expect(try FileManager.default.contentsOfDirectory(atPath: run.folder + "/nfctool/writes") == [])
            }
        }

        @Test func aPasswordIsSetAndProven() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let (status, events) = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213", "--protect", "--password-file", "password")
                #expect(status == 0)
                #expect(events.last?["sealed"] as? Int == 1)
                let write = ["write", "--text", "x", "--reader", "virtual:tag.nfc?serial=1"]
                #expect(try await Tool.run(write, in: run.folder).status == 77)
                #expect(try await Tool.run(write + ["--password-file", "password"], in: run.folder).status == 0)
            }
        }

        @Test func aTagIsProtectedAndThenLocked() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let (status, events) = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213", "--protect", "--lock", "--yes", "--password-file",
                    "password")
                #expect(status == 0)
                #expect(events.last?["sealed"] as? Int == 1)
            }
        }

        /// The password that was set before the run still opens the tag.
        @Test(arguments: ["", "11223344"])
        func aTagThatWasProtectedMoreStronglyStaysSo(password old: String) async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let (new, file) = ("1A2B3C4D", run.folder + "/tag.nfc")
                try new.write(toFile: run.folder + "/new", atomically: true, encoding: .utf8)
                try (old.isEmpty ? new : old).write(toFile: run.folder + "/old", atomically: true, encoding: .utf8)
                let reader = ["--reader", "virtual:tag.nfc?serial=1,kind=ntag213"]
                let protect = ["protect", "--read", "--limit", "3", "--yes", "--password-file", "old"]
                #expect(try await Tool.run(protect + reader, in: run.folder).status == 0)
                // The run's password opens the tag, but the row has its own password.
                try "id,box,password\n1,2,\(new)\n"
                    .write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                let (status, events) = try await run.provision(
                    "virtual:tag.nfc?serial=1", "--protect", "--yes", "--password-file", "old")
                #expect(status == 0 && events.last?["sealed"] as? Int == 1, "\(events)")
                let tag = try String(contentsOfFile: file, encoding: .utf8)
                // AUTH0, and ACCESS with PROT and AUTHLIM 3 — NXP NTAG213, configuration pages.
                #expect(tag.contains("Page 41: 04 00 00 04"), "\(tag)")
                #expect(tag.contains("Page 42: 83"), "\(tag)")
                let write = ["write", "--yes", "--text", "x", "--password-file", "new"] + reader
                #expect(try await Tool.run(write, in: run.folder).status == 0)
            }
        }

        /// No value of --overwrite lets a run replace the content of a locked tag.
        @Test(arguments: [true, false])
        func aLockedTagIsReadOnlyWhateverItHolds(hasPassword: Bool) async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let reader = "virtual:tag.nfc?serial=1,kind=ntag213"
                #expect(try await Tool.run("write", "--text", "x", "--reader", reader, in: run.folder).status == 0)
                #expect(try await Tool.run("lock", "--yes", "--reader", reader, in: run.folder).status == 0)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                for overwrite in ["never", "same", "always"] {
                    let more = hasPassword ? ["--protect", "--password-file", "password"] : []
                    let outcome = try await Tool.run(
                        [
                            "provision", "tags.csv", "--uri", run.uri, "--timeout", "500ms", "--overwrite", overwrite,
                            "--reader", "virtual:tag.nfc",
                        ] + more, in: run.folder)
                    #expect(outcome.output.contains("read-only"), "\(outcome.output)")
                    #expect(!outcome.output.contains("--overwrite"), "\(outcome.output)")
                }
            }
        }

        /// A lock that other tools can ignore is not enough for a row with a lock.
        @Test func aTagWhoseKindHasNoLockGetsNoRowThatWantsOne() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let (status, events) = try await run.provision("virtual:type3", "--lock", "--yes")
                #expect(status == 75)
                let refused = events.filter { $0["event"] as? String == "refused" }
                #expect(refused.compactMap { $0["error"] as? String } == ["cannotLock"])
                #expect(refused.first?["quarantined"] as? Bool == false)
                #expect((refused.first?["message"] as? String)?.contains("it has no lock, only a mark") == true)
                #expect(events.last?["locked"] as? Int == 0 && events.last?["pending"] as? Int == 1)
                // The row waits for another tag. Without a lock, this tag is suitable.
                let lockable = try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213", "--lock", "--yes")
                #expect(lockable.status == 0 && lockable.events.last?["locked"] as? Int == 1)
            }
        }

        @Test("A tag without a lock is refused by the name of its chip") func refusedChip() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let (_, events) = try await run.provision("virtual:st25tv02k-ndef", "--lock", "--yes")
                let refused = events.filter { $0["event"] as? String == "refused" }
                #expect(refused.compactMap { $0["error"] as? String } == ["cannotLock"])
                #expect(refused.compactMap { $0["chip"] as? String } == ["ST25TV02K"])
            }
        }

        @Test func aTagThatIsMarkedReadOnlyAlreadyIsNotCountedAsLocked() async throws {
            try await ProvisionRun.with { run in
                try "uri\nhttps://example.com\n"
                    .write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                let script = """
                    nfctool simulate --tag type3 --symlink reader & until test -e reader; do :; done
                    export NFCTOOL_READER=pn532_uart:$PWD/reader
                    nfctool write --quiet --uri https://example.com && nfctool lock --yes --quiet
                    nfctool provision tags.csv --lock --yes --overwrite same --timeout 1s --json
                    kill $!; wait
                    """
                let outcome = try await Tool.shell(script, in: run.folder)
                #expect(outcome.output.contains(#""error":"cannotLock""#), "\(outcome.output) \(outcome.errors)")
                #expect(!outcome.output.contains(#""locked":true"#))
            }
        }

        @Test(arguments: [
            ("type4", "cannot be locked"), ("ntag424", "cannot be locked"), ("type4-read-only", "read-only"),
        ])
        func aTagThatIsNotLockedIsNotCalledLocked(kind: String, words: String) async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let outcome = try await Tool.run(
                    "provision", "tags.csv", "--uri", run.uri, "--lock", "--yes", "--timeout", "500ms", "--reader",
                    "virtual:\(kind)", in: run.folder)
                #expect(outcome.status == 75)
                let line = try #require(
                    outcome.output.split(separator: "\n").first { $0.contains(words) && !$0.contains("  reader ") })
                #expect(!line.contains("locked:") || line.contains("cannot be locked:"))
                #expect(!outcome.output.contains("unlocked"))
                if words == "read-only" {
                    #expect(line.contains("Use another tag. This tool cannot make it writable."))
                }
            }
        }

        @Test(arguments: ["ultralight", "ultralight-ev1", "classic1k", "desfire", "felica-lite-s", "topaz96-blank"])
        func aBlankTagIsInitialisedAndLocked(kind: String) async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let (status, events) = try await run.provision("virtual:\(kind)", "--lock", "--yes")
                #expect(status == 0)
                #expect(events.last?["locked"] as? Int == 1)
            }
        }

        @Test func whatInitialisingSetsIsSaidOnceBeforeTheFirstBlankTag() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let provision = [
                    "provision", "tags.csv", "--uri", run.uri, "--yes", "--timeout", "1s", "--reader",
                    "virtual:ultralight*2?stream&dwell=200ms&gap=20ms",
                ]
                let people = try await Tool.run(provision, in: run.folder)
                #expect(people.status == 0)
                let lines = people.output.split(separator: "\n")
                let facts = lines.indices.filter { lines[$0].contains("sets one-time bits and cannot be undone") }
                let rows = lines.indices.filter { lines[$0].contains("verified") }
                #expect(facts.count == 1 && rows.count == 2)
                #expect(facts.first ?? .max < rows.first ?? 0)
            }
        }

        @Test func programsAreToldOfEachBlankTag() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let (_, events) = try await run.provision(
                    "virtual:ultralight*2?stream&dwell=200ms&gap=20ms", "--yes")
                #expect(ProvisionRun.rows(events, "initialising") == [1, 2])
            }
        }
    }
}
