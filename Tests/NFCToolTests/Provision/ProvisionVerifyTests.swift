// Protected tags that are placed again: what their password protects, and whether it was tried — Docs/Provisioning.md,
// Verifying

import Foundation
import Testing

extension BuiltBinaryProvision {
    @Suite struct ProvisionVerifyTests {
        /// Writes and protects the tag of a plan with one row.
        private static func withProtectedTag(_ test: (ProvisionRun) async throws -> Void) async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let (status, _) = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213", "--protect", "--password-file", "password")
                #expect(status == 0)
                try await test(run)
            }
        }

        private static func verify(_ run: ProvisionRun, _ more: String...) async throws -> Outcome {
            try await Tool.run(
                ["provision", "verify", "tags.csv", "--timeout", "1s", "--reader", "virtual:tag.nfc?serial=1"] + more,
                in: run.folder)
        }

        private static func report(_ run: ProvisionRun) async throws -> String {
            let outcome = try await Tool.run("provision", "export", "r.csv", "--overwrite", in: run.folder)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try String(contentsOfFile: run.folder + "/r.csv", encoding: .utf8)
        }

        @Test func passwordsThatWereNotTriedAreSaidOnce() async throws {
            try await Self.withProtectedTag { run in
                let untried = try await Self.verify(run)
                #expect(untried.status == 0, "\(untried.errors)")
                #expect(untried.errors.components(separatedBy: "--password-file").count == 2, "\(untried.errors)")
                let tried = try await Self.verify(run, "--password-file", "password")
                #expect(tried.status == 0 && tried.errors == "", "\(tried.errors)")
                #expect(try await Self.verify(run, "--quiet").errors == "")
            }
        }

        @Test func theReportShowsTheColumnsOfThePlanAndTagsThatWereSeenComeFirst() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let first = try await run.provision("virtual:one.nfc?serial=1,kind=ntag213", "--count", "1")
                let second = try await run.provision("virtual:two.nfc?serial=2,kind=ntag213")
                #expect(first.status == 75 && second.status == 0)
                let verified = try await Tool.run(
                    "provision", "verify", "tags.csv", "--timeout", "1s", "--report", "v.html", "--reader",
                    "virtual:two.nfc?serial=2", in: run.folder)
                #expect(verified.status == 75, "\(verified.errors)")
                let page = try String(contentsOfFile: run.folder + "/v.html", encoding: .utf8)
                #expect(page.contains(#"<th scope="col">id</th><th scope="col">box</th>"#))
                let seen = try #require(page.range(of: "box 2"))
                let unseen = try #require(page.range(of: "box 1"))
                #expect(seen.lowerBound < unseen.lowerBound)
            }
        }

        @Test func rowsThatWereNotSeenEndTheCommandAsRowsThatAreLeftUnlessItIsASpotCheck() async throws {
            try await ProvisionRun.with { run in
                try run.plan(3)
                for (name, serial) in [("one", 1), ("two", 2)] {
                    let written = try await run.provision(
                        "virtual:\(name).nfc?serial=\(serial),kind=ntag213", "--count", "1")
                    #expect(written.status == 75)
                }
                let verify = [
                    "provision", "verify", "tags.csv", "--timeout", "1s", "--reader", "virtual:two.nfc?serial=2",
                ]
                let part = try await Tool.run(verify, in: run.folder)
                #expect(part.status == 75)
                #expect(part.errors.contains("1 of 2 rows not checked."), "\(part.errors)")
                let failure = try await Tool.run(verify + ["--json"], in: run.folder).failure()
                #expect(failure["error"] as? String == "rowsLeft" && failure["pending"] as? Int == 1)
                #expect(failure["uids"] as? [String] == ["0410571F000180"])
                let spot = try await Tool.run(verify + ["--count", "1"], in: run.folder)
                #expect(spot.status == 0, "\(spot.errors)")
                #expect(try await Tool.run(verify + ["--count", "0"], in: run.folder).status == 64)
            }
        }

        @Test(arguments: [[], ["--lock", "--yes"]])
        func aTagThatLostItsPasswordIsNamedUntilItHasItAgain(lock: [String]) async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                try "A1B2C3D4".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let password = ["--password-file", "password"]
                func provision(_ reader: String) async throws -> Outcome {
                    let line = ["provision", "tags.csv", "--uri", run.uri, "--timeout", "1s", "--reader", reader]
                    return try await Tool.run(line + ["--protect"] + password + lock, in: run.folder)
                }
                func tool(_ command: String...) async throws -> Int32 {
                    let line = command + ["--yes", "--reader", "virtual:tag.nfc"] + password
                    return try await Tool.run(line, in: run.folder).status
                }
                #expect(try await provision("virtual:tag.nfc?serial=1,kind=ntag213").status == 0)
                #expect(try await tool("unprotect") == 0)
                #expect(try await Self.verify(run).status == 65)
                // A run with the tag does not say that it is protected.
                let placed = try await provision("virtual:tag.nfc")
                #expect(placed.status == 75, "\(placed.errors)")
                #expect(!placed.output.contains("already verified"), "\(placed.output)")
                #expect((placed.output + placed.errors).contains("lost its password"), "\(placed.output)")
                let status = try await Tool.run("provision", "status", in: run.folder).output
                #expect(status.contains("no longer requires its password"), "\(status)")
                #expect(try await Self.report(run).contains("no longer requires its password"))
                let without = try await provision("virtual:other.nfc?kind=ntag213")
                #expect(without.status == 75)
                #expect(without.errors.contains("a tag was changed after it was verified"), "\(without.errors)")
                #expect(try await tool("protect") == 0)
                #expect(try await Self.verify(run, "--password-file", "password").status == 0)
                #expect(try await provision("virtual:tag.nfc").status == 0)
            }
        }

        @Test func aTagWithAnotherPasswordIsNamedUntilItAcceptsItsOwn() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                for (name, text) in [("password", "A1B2C3D4"), ("other", "11223344")] {
                    try text.write(toFile: run.folder + "/" + name, atomically: true, encoding: .utf8)
                }
                func tool(_ line: String...) async throws -> Outcome {
                    try await Tool.run(line + ["--reader", "virtual:tag.nfc?serial=1,kind=ntag213"], in: run.folder)
                }
                func provision() async throws -> Outcome {
                    try await tool(
                        "provision", "tags.csv", "--uri", run.uri, "--timeout", "1s", "--protect", "--password-file",
                        "password")
                }
                #expect(try await provision().status == 0)
                let files = ["--old-password-file", "password", "--password-file", "other"]
                #expect(try await tool("protect", files[0], files[1], files[2], files[3]).status == 0)
                #expect(try await Self.verify(run, "--password-file", "password").status == 65)
                let status = try await Tool.run("provision", "status", in: run.folder).output
                #expect(status.contains("no longer accepts its password"), "\(status)")
                // A run does not try the password, so it does not say that the tag has it.
                let placed = try await provision()
                #expect(placed.status == 75 && placed.output.contains("lost its password"), "\(placed.output)")
                #expect(try await tool("protect", files[0], files[3], files[2], files[1]).status == 0)
                #expect(try await provision().status == 75)
                // Without the password, a verification does not know either.
                _ = try await Self.verify(run)
                #expect(try await provision().status == 75)
                #expect(try await Self.verify(run, "--password-file", "password").status == 0)
                #expect(try await provision().status == 0)
            }
        }

        @Test func aTagWhosePasswordWasNotSentDoesNotAgree() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let outcome = try await Tool.shell(
                    """
                    echo A1B2C3D4 > password; tag='virtual:tag.nfc?serial=1,kind=ntag213'
                    nfctool provision tags.csv --uri '\(run.uri)' --timeout 1s --protect --password-file password \
                        --quiet --reader "$tag" || exit 1
                    nfctool protect --limit 3 --password-file password --yes --quiet --reader "$tag" || exit 2
                    XDG_STATE_HOME=$PWD/another nfctool provision verify tags.csv --password-file password \
                        --timeout 1s --reader "$tag"
                    """, in: run.folder)
                #expect(outcome.status == 65, "\(outcome.errors)")
                #expect(outcome.output.contains("its password was not tried"), "\(outcome.output)")
            }
        }

        @Test func aTagWithoutARowDoesNotKeepAStreamFromTheNextTag() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:a.nfc,b.nfc?serial=1,kind=ntag213&stream").status == 0)
                let other = ["write", "--text", "x", "--quiet", "--reader", "virtual:other.nfc?kind=ntag213"]
                #expect(try await Tool.run(other, in: run.folder).status == 0)
                let reader = "virtual:a.nfc,other.nfc,b.nfc?stream&gap=20ms"
                let found = try await Tool.run(
                    "provision", "verify", "tags.csv", "--timeout", "2s", "--reader", reader, "--json", in: run.folder)
                let tags = try found.jsonLines().filter { $0["event"] as? String == "checked" }
                #expect(tags.compactMap { $0["row"] as? Int } == [1, 2], "\(found.output)")
                #expect(tags.count == 3 && tags.allSatisfy { $0["chip"] as? String == "NTAG213" }, "\(found.output)")
            }
        }

        @Test func virtualTagsWithoutFilesAreSaidToBeNew() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:ntag213?serial=1").status == 0)
                let reader = "virtual:ntag213?serial=1"
                let found = try await Tool.run(
                    "provision", "verify", "tags.csv", "--timeout", "1s", "--reader", reader, in: run.folder)
                #expect(found.status == 65)
                #expect(found.errors.contains("Virtual tags without files are new and empty"), "\(found.errors)")
            }
        }

        @Test func tagsThatVerifyFoundErasedGetTheirOwnRowsAgain() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let both = "virtual:a.nfc,b.nfc?stream&gap=20ms&dwell=100ms"
                #expect(try await run.provision("virtual:a.nfc,b.nfc?serial=1,kind=ntag213&stream").status == 0)
                let uris = [try await run.uri(on: "a.nfc"), try await run.uri(on: "b.nfc")]
                for name in ["a.nfc", "b.nfc"] {
                    #expect(
                        try await Tool.run("erase", "--yes", "--reader", "virtual:\(name)", in: run.folder).status == 0)
                }
                let verify = ["provision", "verify", "tags.csv", "--timeout", "1s", "--reader", both]
                let found = try await Tool.run(verify, in: run.folder)
                #expect(found.status == 65)
                #expect(
                    found.errors.contains(
                        "To write rows 1, 2 to their tags again, run nfctool provision with the options of the plan, and "
                            + "place each tag on the reader."), "\(found.errors)")
                #expect(try await Self.report(run).components(separatedBy: "has since been erased.").count == 3)
                let shown = try await Tool.run("provision", "status", "tags.csv", in: run.folder).output
                #expect(shown.contains("Tags that no longer hold their rows:\nrow 1  0410571F000180  NTAG213"))
                let changed = try await Tool.run("provision", "status", "--json", in: run.folder).json()["changed"]
                #expect((changed as? [[String: Any]])?.compactMap { $0["row"] as? Int } == [1, 2])
                // The tags come in the other order, and each gets its own row.
                let (status, events) = try await run.provision("virtual:b.nfc,a.nfc?stream&gap=20ms&dwell=100ms")
                #expect(status == 0 && ProvisionRun.rows(events) == [2, 1])
                #expect([try await run.uri(on: "a.nfc"), try await run.uri(on: "b.nfc")] == uris)
                #expect(try await Tool.run(verify, in: run.folder).status == 0)
            }
        }

        /// Without the password, the content is compared all the same, apart from what the chip fills in.
        @Test func aCounterOnAProtectedTagIsNoChange() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let written = try await Tool.run(
                    "provision", "tags.csv", "--uri", "https://example.com/{id}?c={counter:mirror}", "--protect",
                    "--password-file", "password", "--json", "--timeout", "1s", "--reader",
                    "virtual:tag.nfc?serial=1,kind=ntag213", in: run.folder)
                #expect(written.status == 0, "\(written.errors)")
                for _ in 0..<2 {
                    let verified = try await Self.verify(run)
                    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
                }
            }
        }

        @Test func nothingIsStoredAboutTagsWhileAnotherProcessWorksWithTheJournal() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let first = try await run.provision("virtual:a.nfc?serial=1,kind=ntag213")
                #expect(first.status == 75)
                #expect(try await Tool.run("erase", "--yes", "--reader", "virtual:a.nfc", in: run.folder).status == 0)
                let desk = [
                    "provision", "tags.csv", "--uri", run.uri, "--timeout", "20s", "--json", "--reader",
                    "virtual:?loss=1",
                ]
                _ = try await Tool.start(desk, in: run.folder) { tool in
                    _ = try await tool.line { $0.contains("reader") }
                    let found = try await Tool.run(
                        "provision", "verify", "tags.csv", "--timeout", "1s", "--reader", "virtual:a.nfc",
                        in: run.folder)
                    #expect(found.status == 65, "\(found.errors)")
                    #expect(!found.errors.contains("to its tag again") && found.errors.contains("reset 1"))
                    #expect(found.errors.contains("Warning: The journal does not record these results: "))
                    tool.send(SIGINT)
                }
                #expect(try await !Self.report(run).contains("has since been erased."))
            }
        }

        @Test func aRemarkOfVerifyDisappearsWhenTheTagHoldsItsRow() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:a.nfc?serial=1,kind=ntag213").status == 0)
                let (file, kept) = (run.folder + "/a.nfc", run.folder + "/kept.nfc")
                try FileManager.default.copyItem(atPath: file, toPath: kept)
                let verify = ["provision", "verify", "tags.csv", "--timeout", "1s", "--reader", "virtual:a.nfc"]
                let other = try await Tool.run(
                    "write", "--text", "other", "--yes", "--reader", "virtual:a.nfc", in: run.folder)
                #expect(other.status == 0)
                let reason = "but now holds another message."
                #expect(try await Tool.run(verify, in: run.folder).status == 65)
                // A copy of the journal alone has the remark, too.
                let log = try FileManager.default.contentsOfDirectory(atPath: run.folder).filter {
                    $0.hasSuffix("-wal")
                }
                for name in log { try FileManager.default.removeItem(atPath: "\(run.folder)/\(name)") }
                #expect(try await Self.report(run).contains(reason))
                try FileManager.default.removeItem(atPath: file)
                try FileManager.default.copyItem(atPath: kept, toPath: file)
                #expect(try await Tool.run(verify, in: run.folder).status == 0)
                #expect(try await !Self.report(run).contains(reason))
            }
        }

        @Test func aPasswordThatProtectsFewerBlocksIsReported() async throws {
            try await Self.withProtectedTag { run in
                let file = run.folder + "/tag.nfc"
                let tag = try String(contentsOfFile: file, encoding: .utf8)
                #expect(tag.contains("Page 41: 04 00 00 04"), "\(tag)")
                // AUTH0, NXP NTAG213, configuration pages.
                try tag.replacingOccurrences(of: "Page 41: 04 00 00 04", with: "Page 41: 04 00 00 10")
                    .write(toFile: file, atomically: true, encoding: .utf8)
                let text = try await Self.verify(run, "--password-file", "password")
                #expect(text.status == 65, "\(text.errors)")
                #expect(text.output.contains("its password protects only the blocks from 16 onwards"), "\(text.output)")
                let checked = try await Self.verify(run, "--password-file", "password", "--json").jsonLines()
                    .first { $0["event"] as? String == "checked" }
                #expect(checked?["problems"] as? [String] == ["partlyProtected"])
                #expect(checked?["protectedFrom"] as? Int == 16 && checked?["readingProtected"] as? Bool == false)
            }
        }
    }
}
