// A tag that leaves while its protection or mirror is changed, and comes back: the change continues to its end

import Chance
import Foundation
import Testing

extension BuiltBinaryRadio {
    @Suite(.alsoAtRealLatencyInCampaigns) struct ReturnTests {
        typealias Change = BuiltBinaryCuts.ProtectionCutTests.Change

        /// A change, the fault that interrupts it, the chip, and the limit on wrong passwords.
        struct Row: CustomTestStringConvertible {
            let change: Change
            let fault: String
            let kind: String
            let limit: [String]

            var testDescription: String { "\(change.rawValue), \(fault), \(kind)" }

            /// If one wrong password closes the tag, no wrong password is sent.
            static let all: [Row] =
                Change.allCases.map { Row(change: $0, fault: "loss", kind: "ntag213", limit: ["--limit", "1"]) } + [
                    Row(change: .replace, fault: "tear", kind: "ntag213", limit: []),
                    Row(change: .replace, fault: "loss", kind: "ultralight-c", limit: []),
                    Row(change: .unprotect, fault: "tear", kind: "ntag213", limit: []),
                ]
        }

        /// A tag in a file, which is reset before each interruption.
        private struct Bench {
            let folder: String
            let kind: String
            var path: String { folder + "/tag.nfc" }

            func run(_ arguments: [String], _ password: String? = nil, options: String = "") async throws -> Outcome {
                let file = password.map { ["--password-file", folder + "/" + $0] } ?? []
                return try await Tool.run(
                    arguments + file + ["--json", "--reader", "virtual:\(path)?kind=\(kind)\(options)"], in: folder)
            }

            /// Restores the tag's earlier state, and removes the record of the passwords that have opened it since.
            private func reset(to original: String) throws {
                try original.write(toFile: path, atomically: true, encoding: .utf8)
                try? FileManager.default.removeItem(atPath: folder + "/nfctool/passwords")
            }

            /// Interrupts a command after every tag command, first without a return of the tag, and again with one.
            ///
            /// `claim` is the detail of a failure that is present if something was changed. `check` tests the state
            /// after the tag came back. The result is the number of waits for the tag.
            func cutEverywhere(
                _ arguments: [String], _ password: String?, _ fault: String, claim: String,
                check: (_ outcome: Outcome, _ number: Int) async throws -> Void
            ) async throws -> Int {
                let original = try String(contentsOfFile: path, encoding: .utf8)
                var waits = 0
                for number in Campaign.cuts(through: 300, every: 4) {
                    let cut = try await run(arguments + ["--no-wait"], password, options: "&\(fault)=\(number)")
                    if cut.status == 0 { return waits }
                    #expect(cut.status == 75, "\(fault)=\(number): \(cut.errors)")
                    try reset(to: original)
                    // Before the first change, the user is asked to run the command again.
                    guard let said = try cut.failure()[claim] as? String, said != "unchanged" else { continue }
                    let outcome = try await run(arguments, password, options: "&\(fault)=\(number)&back=20ms")
                    #expect(outcome.status == 0, "\(fault)=\(number): \(outcome.errors)")
                    try await check(outcome, number)
                    try reset(to: original)
                    waits += 1
                }
                return waits
            }
        }

        @Test(arguments: Row.all)
        func aTagThatComesBackIsProtectedAsWanted(row: Row) async throws {
            try await Tool.withFolder { folder in
                let passwords =
                    row.kind == "ultralight-c"
                    ? ["old": "00112233445566778899AABBCCDDEEFF", "new": "FFEEDDCCBBAA99887766554433221100"]
                    : ["old": "11223344", "new": "A1B2C3D4:0102"]
                for (name, text) in passwords { try Data(text.utf8).write(to: URL(filePath: folder + "/" + name)) }
                let bench = Bench(folder: folder, kind: row.kind)
                #expect(try await bench.run(["write", "--text", "Hello", "--yes"]).status == 0)
                let limit = row.limit + (row.limit.isEmpty ? [] : ["--yes"])
                if row.change != .protect { #expect(try await bench.run(["protect"] + limit, "old").status == 0) }
                let arguments =
                    switch row.change {
                    case .protect: ["protect"] + limit
                    case .replace: ["protect", "--old-password-file", folder + "/old"] + limit
                    case .unprotect: ["unprotect", "--yes"]
                    }
                let waits = try await bench.cutEverywhere(
                    arguments, row.change == .unprotect ? "old" : "new", row.fault, claim: "password"
                ) { outcome, number in
                    let claimed = try outcome.json()["password"] as? [String: Any]
                    #expect(claimed?["from"] as? Int == (row.change == .unprotect ? nil : 4))
                    #expect(try outcome.json()["verified"] as? Bool == true)
                    let stranger = try await bench.run(["write", "--text", "stranger", "--no-journal"])
                    #expect(stranger.status == (row.change == .unprotect ? 0 : 77), "\(row.fault)=\(number)")
                    guard row.change != .unprotect else { return }
                    let owner = try await bench.run(["write", "--text", "owner", "--no-journal", "--yes"], "new")
                    #expect(owner.status == 0, "\(row.fault)=\(number): \(owner.errors)")
                }
                print("\(row.testDescription): waited for the tag \(waits) times")
                #expect(waits > (Campaign.isLong ? 8 : 2))
            }
        }

        /// One mirror is turned off before the write, and another one is turned on after it.
        @Test(arguments: ["loss", "tear"])
        func aMirrorIsTurnedOnWhenTheTagIsBack(fault: String) async throws {
            try await Tool.withFolder { folder in
                let bench = Bench(folder: folder, kind: "ntag213")
                #expect(try await bench.run(["write", "--text", "{counter:mirror}"]).status == 0)
                let waits = try await bench.cutEverywhere(
                    ["write", "--text", "I am {uid:mirror}."], nil, fault, claim: "contents"
                ) { outcome, number in
                    let uid = try #require(try outcome.json()["uid"] as? String)
                    #expect(try outcome.json()["verified"] as? Bool == true)
                    let read = try await bench.run(["read"])
                    #expect(read.output.contains("I am \(uid)."), "\(fault)=\(number): \(read.output)")
                }
                print("mirror, \(fault): waited for the tag \(waits) times")
                #expect(waits > (Campaign.isLong ? 8 : 2))
            }
        }

        @Test("A blank card that leaves while it is initialised is written when it comes back")
        func blankCardComesBack() async throws {
            try await Tool.withFolder { folder in
                let bench = Bench(folder: folder, kind: "mifare-mini")
                let written = try await bench.run(
                    ["write", "--text", "Hello", "--yes"], options: "&loss=45&back=300ms")
                #expect(written.status == 0, "\(written.errors)")
                #expect(try written.json()["verified"] as? Bool == true)
                let read = try await bench.run(["read"])
                #expect(read.output.contains("Hello"), "\(read.output)")
            }
        }

        /// The message names what opens the tag, whether it left during the write or after it.
        @Test func aTagThatStaysAwayIsReportedWithWhatOpensIt() async throws {
            try await Tool.withFolder { folder in
                try Data("11223344".utf8).write(to: URL(filePath: folder + "/old"))
                let bench = Bench(folder: folder, kind: "ntag213")
                #expect(try await bench.run(["protect"], "old").status == 0)
                var said: Set<String> = []
                for number in 1...60 {
                    let outcome = try await bench.run(
                        ["unprotect", "--timeout", "300ms"], "old", options: "&loss=\(number)")
                    guard outcome.status != 0 else { break }
                    #expect(outcome.status == 75)
                    guard let opener = try outcome.failure()["password"] as? String else { continue }
                    said.insert(opener)
                    // The tag left during a write, or was missing after the last power-up.
                    let ends = ["did not come back within 300 ms", "No tag was found within 300 ms"]
                    #expect(ends.contains { outcome.errors.contains($0) }, "\(outcome.errors)")
                    #expect(try await bench.run(["unprotect"], "old").status == 0)
                    #expect(try await bench.run(["protect"], "old").status == 0)
                }
                #expect(said == ["oldOrNone", "none"])
            }
        }
    }
}
