// Files that commands create: never over an existing file without a question, complete, and private if they may hold
// keys

import Foundation
import Testing

@testable import nfctool

extension BuiltBinary {
    @Suite struct ResultFileTests {
        /// A command that creates the file `result`, with the commands that must precede it.
        struct Maker: Sendable, CustomTestStringConvertible {
            let line: String
            var preparation = "true"
            var option = "--overwrite"
            let mode: Int
            var file = "result"

            var testDescription: String { line }

            static let all: [Maker] = [
                .init(line: "read --output result --reader virtual", mode: 0o600),
                .init(line: "dump result --format bin --reader virtual", mode: 0o600),
                .init(line: "ndef encode --text x --output result", mode: 0o600),
                .init(line: "emulate --writable --for 100ms --output result --reader virtual", mode: 0o600),
                .init(line: "doctor --bundle result --reader virtual", mode: 0o644),
                .init(
                    line: "provision export result.csv --plan plan.csv",
                    preparation:
                        "printf 'uri\\ntel:1\\n' > plan.csv; nfctool provision -q plan.csv --reader virtual:ntag213",
                    mode: 0o644, file: "result.csv"),
                .init(
                    line: "provision plan.csv --report result.csv --reader virtual:ntag213",
                    preparation: "echo uri > plan.csv; echo tel:1 >> plan.csv", option: "--overwrite-report",
                    mode: 0o644,
                    file: "result.csv"),
            ]
        }

        @Test(arguments: Maker.all) func aFileThatExistsIsReplacedWhenThatIsAskedForOnly(_ maker: Maker) async throws {
            try await Tool.withFolder { folder in
                #expect(try await Tool.shell(maker.preparation, in: folder).status == 0)
                let file = "\(folder)/\(maker.file)"
                try "precious".write(toFile: file, atomically: true, encoding: .utf8)
                // Nothing is done before this is decided, so no reader and no journal are used.
                for options in ["", " --yes"] where options.isEmpty || !maker.line.hasPrefix("ndef") {
                    guard options.isEmpty || !maker.line.hasPrefix("doctor") else { continue }
                    let refused = try await Tool.shell("nfctool \(maker.line)\(options) < /dev/null", in: folder)
                    #expect(refused.status == 64)
                    #expect(refused.errors.contains("\(maker.file) already exists. Nothing was overwritten."))
                    #expect(refused.errors.contains("To replace it:  \(maker.option)\n"))
                    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
                }
                let made = try await Tool.shell("nfctool \(maker.line) \(maker.option)", in: folder)
                #expect(made.status == 0, "\(made.errors)")
                if !maker.line.hasPrefix("emulate") {
                    #expect(try Data(contentsOf: URL(filePath: file)) != Data("precious".utf8))
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(names.filter { $0.hasSuffix(".new") } == [])
            }
        }

        @Test(arguments: Maker.all.filter { !$0.line.hasPrefix("emulate") })
        func aNewFileIsClosedToOthersWhereItMayHoldKeys(_ maker: Maker) async throws {
            try await Tool.withFolder { folder in
                let made = try await Tool.shell("umask 022; \(maker.preparation); nfctool \(maker.line)", in: folder)
                #expect(made.status == 0, "\(made.errors)")
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(maker.file)")
                #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o777 } == maker.mode)
            }
        }

        @Test func aNewVirtualTagFollowsTheUmask() async throws {
            try await Tool.withFolder { folder in
                let line = "umask 027; nfctool write --uri tel:1 --quiet --reader virtual:tag.nfc"
                #expect(try await Tool.shell(line, in: folder).status == 0)
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/tag.nfc")
                #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o777 } == 0o640)
            }
        }

        @Test func aPlanThatGoesOnReplacesItsOwnReport() async throws {
            try await Tool.withFolder { folder in
                try "uri\ntel:1\ntel:2\n".write(toFile: folder + "/plan.csv", atomically: true, encoding: .utf8)
                for name in ["r.csv", "r.jsonl", "r.html"] {
                    let line =
                        "nfctool provision plan.csv --count 1 -q --timeout 300ms --report \(name) --reader virtual:ntag213 </dev/null"
                    #expect(try await Tool.shell(line, in: folder).status == 75)
                    #expect(try await Tool.shell(line, in: folder).status == 75)
                    try "precious".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
                    #expect(try await Tool.shell(line, in: folder).status == 64)
                    #expect(try await Tool.shell("rm -r plan.csv.journal nfctool/plans", in: folder).status == 0)
                }
            }
        }

        @Test(arguments: ["r.csv", "r.jsonl", "r.html"])
        func aPlanThatGoesOnReplacesNoReportOfAnotherPlanAndNoVerification(name: String) async throws {
            try await Tool.withFolder { folder in
                let begin = """
                    for plan in a b; do
                        printf 'id\\n1\\n2\\n' > $plan.csv
                        nfctool provision $plan.csv --uri "https://$plan.com/{id}" --count 1 -q --timeout 5s \
                            --reader "virtual:$plan.nfc?kind=ntag213" --report $plan-\(name)
                    done
                    nfctool provision verify a.csv --timeout 5s --reader virtual:a.nfc --report v-\(name)
                    """
                #expect(try await Tool.shell(begin, in: folder).status == 0)
                let go =
                    "nfctool provision b.csv --uri 'https://b.com/{id}' -q --timeout 300ms --reader virtual:b.nfc </dev/null"
                for other in ["a-\(name)", "v-\(name)"] {
                    let before = try Data(contentsOf: URL(filePath: "\(folder)/\(other)"))
                    let refused = try await Tool.shell("\(go) --report \(other)", in: folder)
                    #expect(refused.status == 64, "\(refused.errors)")
                    #expect(refused.errors.contains("\(other) already exists. Nothing was overwritten."))
                    #expect(try Data(contentsOf: URL(filePath: "\(folder)/\(other)")) == before)
                }
                #expect(try await Tool.shell("\(go) --report b-\(name)", in: folder).status == 75)
                // Added rows belong to the same plan.
                let more = try await Tool.shell("echo 3 >> b.csv; \(go) --extend --report b-\(name)", in: folder)
                #expect(more.status == 75, "\(more.errors)")
            }
        }

        @Test func aReportThatCannotBeWrittenDoesNotPreventTheOthers() async throws {
            try await Tool.withFolder { folder in
                try "uri\ntel:1\n".write(toFile: folder + "/plan.csv", atomically: true, encoding: .utf8)
                // A device that is always full.
                let line = "ln -s /dev/full full.html; nfctool"
                let reports = "--report full.html --report r.csv"
                let run = try await Tool.shell(
                    "\(line) provision plan.csv -q --reader virtual:ntag213 \(reports)", in: folder)
                #expect(run.status != 0 && run.errors.contains("full.html cannot be written"), "\(run.errors)")
                #expect(try String(contentsOfFile: folder + "/r.csv", encoding: .utf8).contains("proven"))
                let export = try await Tool.shell(
                    "\(line) provision export full.html e.csv --plan plan.csv", in: folder)
                #expect(export.status != 0 && export.errors.contains("full.html cannot be written"))
                #expect(export.output == "Wrote e.csv.\n")
            }
        }

        @Test func aPersonIsAskedBeforeAFileIsReplaced() async throws {
            try await Tool.withFolder { folder in
                for (answer, content) in [("n\n", "precious"), ("y\n", "D00000\n")] {
                    try "precious".write(toFile: folder + "/a", atomically: true, encoding: .utf8)
                    let run = try TerminalRun(["ndef", "encode", "--empty", "--hex", "--output", "a"], in: folder)
                    try await run.wait(for: "a already exists.\r\nOverwrite a? [y/N] ")
                    run.type(answer)
                    #expect(try await run.ended() == (answer == "y\n" ? 0 : 130))
                    let text = try String(contentsOfFile: folder + "/a", encoding: .utf8)
                    #expect(text == content)
                }
            }
        }

        @Test func aFileThatAppearsMeanwhileIsNotReplaced() async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/result"
                let file = try ResultFile(path, .shared).claimed(overwrite: false)
                try "precious".write(toFile: path, atomically: true, encoding: .utf8)
                #expect(throws: UnwritableFile.self) { try file.write([1]) }
                #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["result"])
            }
        }

        @Test func aReplacedFileIsNotOpenedToMorePeople() async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/result"
                try "precious".write(toFile: path, atomically: true, encoding: .utf8)
                chmod(path, 0o600)
                try ResultFile(path, .shared).claimed(overwrite: true).write([1])
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
        }

        @Test(arguments: [
            ("lock --yes --force --reader virtual:ntag213", "These bits will be set permanently"),
            ("protect --limit 2 --yes --password-file pw --reader virtual:ntag213", "After 2 wrong passwords"),
            (
                "restore u.bin --otp --yes --reader virtual:ultralight",
                "capability container, block 3: 00000000 becomes E1100600"
            ),
            (
                "provision plan.csv --lock --yes --reader virtual:ntag213",
                "1 tag will be locked permanently once its row is verified."
            ),
        ])
        func whatBecomesPermanentIsShownAlsoWithoutAQuestion(line: String, says: String) async throws {
            try await Tool.withFolder { folder in
                let preparation = """
                    echo 11223344 > pw; echo uri > plan.csv; echo tel:1 >> plan.csv
                    nfctool write --text x --yes -q --reader 'virtual:u.nfc?serial=1,kind=ultralight'
                    nfctool dump -q u.bin --reader virtual:u.nfc?serial=1
                    """
                #expect(try await Tool.shell(preparation, in: folder).status == 0)
                let shown = try await Tool.shell("nfctool \(line)", in: folder)
                #expect(shown.status == 0, "\(shown.errors)")
                #expect(shown.errors.contains(says), "\(shown.errors)")
                let program = try await Tool.shell("rm -rf *.journal nfctool/plans; nfctool \(line) --json", in: folder)
                #expect(program.errors.contains(says) && program.errors.contains(#""event":"confirmed""#))
                let quiet = try await Tool.shell("rm -rf *.journal nfctool/plans; nfctool \(line) --quiet", in: folder)
                #expect(quiet.errors == "")
            }
        }

        @Test func aQuestionThatCannotBeAskedSaysWhy() async throws {
            let arguments = ["lock", "--force", "--reader", "virtual:ntag213"]
            #expect(
                try await Tool.run(arguments).errors.contains(
                    "Cannot ask for confirmation: standard input is not a terminal. Nothing was changed.\n  Add --yes"))
            #expect(
                try await Tool.run(arguments + ["--json"]).failure()["message"] as? String
                    == "Lock tag 0410571F000180? Cannot ask for confirmation: --json allows no questions. Nothing was changed."
            )
        }
    }
}
