// A change of protection with RF loss or power loss after every command: the tag opens with the reported password

import Chance
import Foundation
import Testing

extension BuiltBinaryCuts {
    @Suite(.alsoAtRealLatencyInCampaigns) struct ProtectionCutTests {
        /// The change: the passwords before and after.
        enum Change: String, CaseIterable, CustomTestStringConvertible {
            case protect, replace, unprotect
            var testDescription: String { rawValue }
        }

        private static let passwords = ["old": "11223344", "new": "A1B2C3D4:0102"]

        @Test(arguments: Change.allCases, ["loss", "tear"])
        func everyCutLeavesATagThatOpensAsSaid(change: Change, fault: String) async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                for (name, text) in Self.passwords { try Data(text.utf8).write(to: URL(filePath: folder + "/" + name)) }
                func run(_ arguments: [String], _ password: String?, options: String = "") async throws -> Outcome {
                    let file = password.map { ["--password-file", folder + "/" + $0] } ?? []
                    // The tag returns to its earlier state, and so does this computer's record of its password.
                    try? FileManager.default.removeItem(atPath: folder + "/nfctool/passwords")
                    return try await Tool.run(
                        arguments + file + ["--json", "--reader", "virtual:\(path)?kind=ntag213\(options)"], in: folder)
                }
                /// Returns the password that opens the tag: `none`, `old` or `new`, or nil if none of them does.
                func opener() async throws -> String? {
                    let information = try await run(["info"], nil)
                    #expect(information.status == 0)
                    let protection = try information.json()["password"] as? [String: Any]
                    let isWritable = try await run(["write", "--text", "open", "--no-journal"], nil).status == 0
                    // The report of info must match the behaviour of the tag.
                    #expect((protection?["from"] is NSNull) == isWritable)
                    if isWritable { return "none" }
                    for name in ["old", "new"] {
                        let status = try await run(["write", "--text", name, "--no-journal"], name).status
                        if status == 0 { return name }
                    }
                    return nil
                }

                #expect(try await run(["write", "--text", "Hello"], nil).status == 0)
                if change != .protect { #expect(try await run(["protect"], "old").status == 0) }
                let before = change == .protect ? "none" : "old"
                let after = change == .unprotect ? "none" : "new"
                let original = try String(contentsOfFile: path, encoding: .utf8)
                var found: [String: Int] = [:]
                var cuts = 0
                for number in Campaign.cuts(through: 300, every: 4) {
                    try original.write(toFile: path, atomically: true, encoding: .utf8)
                    let arguments =
                        switch change {
                        case .protect: ["protect"]
                        case .replace: ["protect", "--old-password-file", folder + "/old"]
                        case .unprotect: ["unprotect"]
                        }
                    let outcome = try await run(
                        arguments + ["--timeout", "1s", "--no-wait"], change == .unprotect ? "old" : "new",
                        options: "&\(fault)=\(number)")
                    let opener = try #require(try await opener(), "\(fault)=\(number): nothing opens the tag")
                    found[opener, default: 0] += 1
                    if outcome.status == 0 {
                        #expect(opener == after)
                        break
                    }
                    cuts += 1
                    #expect(outcome.status == 75, "\(outcome.errors)")
                    let said = try outcome.failure()["password"] as? String
                    let possible: [String] =
                        switch said {
                        case nil: [before]
                        case "oldOrNone": ["old", "none"]
                        case "newOrNone": ["new", "none"]
                        case let said?: [said]
                        }
                    #expect(
                        possible.contains(opener), "\(fault)=\(number): said \(said ?? before), opens with \(opener)")
                    #expect(number < 298)
                }
                print("\(change), \(fault): \(cuts) cuts; opened with \(found.sorted { $0.key < $1.key })")
                #expect(found[before, default: 0] > 0)
                #expect(found[after, default: 0] > 0)
                #expect(cuts > (Campaign.isLong ? 10 : 3))
            }
        }
    }
}
