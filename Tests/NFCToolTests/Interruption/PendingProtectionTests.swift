// A change of protection that is interrupted at any command and run again has the same result as without an
// interruption

import Chance
import Foundation
import Testing

extension BuiltBinaryCuts {
    @Suite struct PendingProtectionTests {
        private struct Bench {
            let folder: String
            var path: String { folder + "/tag.nfc" }

            func run(_ arguments: [String], _ password: String? = nil, options: String = "") async throws -> Outcome {
                let file = password.map { ["--password-file", folder + "/" + $0] } ?? []
                return try await Tool.run(
                    arguments + file + ["--json", "--reader", "virtual:\(path)?kind=ntag213\(options)"], in: folder)
            }

            /// Returns AUTH0, ACCESS and the password of the chip, and the number of wrong passwords that it counted.
            func configuration() throws -> [String] {
                let text = try String(contentsOfFile: path, encoding: .utf8)
                return text.split(separator: "\n").filter { line in
                    ["Page 41:", "Page 42:", "Page 43:", "Failed authentication attempts:"].contains {
                        line.hasPrefix($0)
                    }
                }.map(String.init)
            }
        }

        /// Creates a tag whose old password protects reading, and which is closed by a single wrong password.
        private static func withBench(_ body: (Bench) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let bench = Bench(folder: folder)
                for (name, text) in ["old": "11223344", "new": "55667788", "third": "99AABBCC"] {
                    try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
                }
                #expect(try await bench.run(["write", "--text", "Hello"]).status == 0)
                let protect = ["protect", "--limit", "1", "--read", "--from", "5", "--yes"]
                #expect(try await bench.run(protect, "old").status == 0)
                try await body(bench)
            }
        }

        /// Interrupts a command after every tag command, runs it again, and checks the state of the chip.
        private static func finishEverywhere(
            _ bench: Bench, _ fault: String, _ arguments: [String], _ password: String?, again: [String]? = nil
        ) async throws {
            let manager = FileManager.default
            let (kept, state) = (bench.folder + "/kept", bench.folder + "/nfctool")
            let original = try String(contentsOfFile: bench.path, encoding: .utf8)
            try manager.copyItem(atPath: state, toPath: kept)
            #expect(try await bench.run(arguments, password).status == 0)
            let wanted = try bench.configuration()
            #expect(wanted.count == 4)
            var cuts = 0
            for number in Campaign.cuts(through: 300, every: 4) {
                try original.write(toFile: bench.path, atomically: true, encoding: .utf8)
                try manager.removeItem(atPath: state)
                try manager.copyItem(atPath: kept, toPath: state)
                let cut = try await bench.run(
                    arguments + ["--timeout", "1s", "--no-wait"], password, options: "&\(fault)=\(number)")
                if cut.status == 0 { break }
                // If the answer to a password was lost, only a person can confirm that it is sent again.
                if try cut.failure()["error"] as? String == "passwordUnanswered" { continue }
                cuts += 1
                #expect(cut.status == 75, "\(fault)=\(number): \(cut.errors)")
                let finished = try await bench.run(again ?? arguments, password)
                #expect(finished.status == 0, "\(fault)=\(number): \(cut.errors)\(finished.errors)")
                #expect(try bench.configuration() == wanted, "\(fault)=\(number): \(cut.errors)")
            }
            print("\(arguments[0]), \(fault): finished after \(cuts) cuts")
            #expect(cuts > 3)
        }

        private static func replace(_ bench: Bench) -> [String] {
            ["protect", "--old-password-file", bench.folder + "/old"]
        }

        @Test func aRestoreLeavesTheConfigurationAloneWhileAPasswordIsBeingChanged() async throws {
            try await Self.withBench { bench in
                let dump = bench.folder + "/o.json"
                #expect(try await bench.run(["dump", dump, "--yes"], "old").status == 0)
                let change = [
                    "protect", "--yes", "--no-wait", "--timeout", "2s", "--old-password-file", bench.folder + "/old",
                ]
                #expect(try await bench.run(change, "new", options: "&tear=32").status == 75)
                let torn = try bench.configuration()
                let refused = try await bench.run(["restore", dump, "--configuration", "--yes"])
                #expect(refused.status == 75)
                #expect(try refused.failure()["error"] as? String == "unfinishedWrite")
                #expect(try bench.configuration() == torn)
                #expect(try await bench.run(change, "new").status == 0)
                #expect(try await bench.run(["read"], "new").status == 0)
            }
        }

        @Test func aRestoreSaysThatWrongPasswordsWillCloseTheTag() async throws {
            try await Self.withBench { bench in
                let dump = bench.folder + "/o.json"
                #expect(try await bench.run(["dump", dump, "--yes"], "old").status == 0)
                #expect(try await bench.run(["unprotect", "--yes"], "old").status == 0)
                let asked = try await bench.run(["restore", dump, "--configuration"])
                #expect(asked.status == 64)
                let message = try asked.failure()["message"] as? String ?? ""
                #expect(message.contains("After one wrong password, the tag closes permanently."), "\(message)")
            }
        }

        @Test(arguments: ["loss", "tear"])
        func theSameCommandFinishesAPasswordChangeAndKeepsWhatWasProtected(fault: String) async throws {
            try await Self.withBench { bench in
                try await Self.finishEverywhere(bench, fault, Self.replace(bench) + ["--yes"], "new")
            }
        }

        @Test(arguments: ["loss", "tear"])
        func theSameCommandFinishesARemovalOfThePassword(fault: String) async throws {
            try await Self.withBench { bench in
                try await Self.finishEverywhere(bench, fault, ["unprotect", "--yes"], "old")
            }
        }

        /// Interrupts a change of password when the tag requires the new password, or none.
        private static func cut(_ bench: Bench, where opener: Set<String>) async throws {
            let original = try String(contentsOfFile: bench.path, encoding: .utf8)
            for number in 20...90 {
                let outcome = try await bench.run(
                    replace(bench) + ["--yes", "--timeout", "1s", "--no-wait"], "new", options: "&loss=\(number)")
                if let said = try outcome.failure()["password"] as? String, opener.contains(said) { return }
                try original.write(toFile: bench.path, atomically: true, encoding: .utf8)
                try? FileManager.default.removeItem(atPath: bench.folder + "/nfctool/passwords")
            }
            Issue.record("No interruption left such a tag.")
        }

        @Test func afterACutTheNewPasswordIsSentWithoutAskingAndTheOldOneNotWithYesEither() async throws {
            try await Self.withBench { bench in
                try await Self.cut(bench, where: ["new"])
                let before = try bench.configuration()
                let old = try await bench.run(["write", "--text", "x", "--yes"], "old")
                #expect(old.status == 77)
                #expect(
                    old.errors.contains("was interrupted. The tag now requires a different password, or none."))
                #expect(try bench.configuration() == before)
                let again = try await bench.run(Self.replace(bench), "new")
                #expect(again.status == 0, "\(again.errors)")
                #expect(try bench.configuration() == before)
            }
        }

        @Test func afterACutLessProtectionIsAskedFor() async throws {
            try await Self.withBench { bench in
                try await Self.cut(bench, where: ["none"])
                let less = try await bench.run(Self.replace(bench) + ["--no-read"], "new")
                #expect(less.status == 64)
                #expect(less.errors.contains("At present, reading needs the password"), "\(less.errors)")
                let third = try await bench.run(Self.replace(bench), "third")
                #expect(third.status == 0, "\(third.errors)")
                let protection = try third.json()["password"] as? [String: Any]
                #expect(protection?["protectsReading"] as? Bool == true)
                #expect(protection?["from"] as? Int == 5)
            }
        }

        @Test func aDamagedRecordIsSaidAndAskedAbout() async throws {
            try await Self.withBench { bench in
                try await Self.cut(bench, where: ["new"])
                let folder = bench.folder + "/nfctool/passwords"
                let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
                try Data("{".utf8).write(to: URL(filePath: folder + "/" + name))
                let unasked = try await bench.run(["write", "--text", "x"], "new")
                #expect(unasked.status == 64 && unasked.errors.contains("is damaged"), "\(unasked.errors)")
                #expect(try await bench.run(["write", "--text", "x", "--yes"], "new").status == 0)
                #expect(FileManager.default.fileExists(atPath: folder + "/" + name + ".damaged-1"))
            }
        }

        /// The tag has a limit and the old password; its row has another password.
        @Test(arguments: ["loss", "tear"])
        func aRowThatWasCutOffKeepsWhatItsTagProtected(fault: String) async throws {
            try await Self.withBench { bench in
                let manager = FileManager.default
                let original = try String(contentsOfFile: bench.path, encoding: .utf8)
                try "text,password\nhello,55667788\n".write(
                    toFile: bench.folder + "/plan.csv", atomically: true, encoding: .utf8)
                try manager.copyItem(atPath: bench.folder + "/nfctool", toPath: bench.folder + "/kept")
                func provision(_ number: Int, _ options: String = "") async throws -> Outcome {
                    try await bench.run(
                        [
                            "provision", bench.folder + "/plan.csv", "--protect", "--overwrite", "always", "--yes",
                            "--repeat-rows", "--timeout", "1s", "--journal", bench.folder + "/\(number).journal",
                        ], "old", options: options)
                }
                #expect(try await provision(0).status == 0)
                let wanted = try bench.configuration()
                var cuts = 0
                for number in stride(from: 50, through: 200, by: Campaign.isLong ? 1 : 4) {
                    try original.write(toFile: bench.path, atomically: true, encoding: .utf8)
                    try manager.removeItem(atPath: bench.folder + "/nfctool")
                    try manager.copyItem(atPath: bench.folder + "/kept", toPath: bench.folder + "/nfctool")
                    let cut = try await provision(number, "&\(fault)=\(number)")
                    if cut.status == 0 { break }
                    cuts += 1
                    let finished = try await provision(number)
                    #expect(finished.status == 0, "\(fault)=\(number): \(cut.output)\(finished.output)")
                    #expect(try bench.configuration() == wanted, "\(fault)=\(number): \(cut.output)")
                }
                print("provision, \(fault): finished after \(cuts) cuts")
                #expect(cuts > 3)
            }
        }
    }
}
