// Background tag reading: scan --open and --rules, with a substitute for xdg-open — Docs/BackgroundReading.md

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct BackgroundTests {
        /// Runs a shell line in a folder with an `xdg-open` that records its arguments in the file `opened`.
        private static func run(
            _ line: String, opener: String = "", files: [String: String] = [:]
        ) async throws -> (outcome: Outcome, opened: [String]) {
            try await Tool.withFolder { folder in
                let script = #"#!/bin/sh\#necho "chatter"; printf '%s\n' "$#" "$@" >> opened; \#(opener)"#
                try script.write(toFile: folder + "/xdg-open", atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/xdg-open")
                for (name, text) in files {
                    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
                }
                let outcome = try await Tool.shell("PATH=$PWD:$PATH; \(line)", in: folder)
                let opened = try? String(contentsOfFile: folder + "/opened", encoding: .utf8)
                return (
                    outcome, opened?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
                )
            }
        }

        /// Writes a message to a tag, and scans the tag.
        private static func scan(
            _ records: String, _ options: String, opener: String = "", files: [String: String] = [:]
        ) async throws -> (outcome: Outcome, opened: [String]) {
            try await run(
                """
                nfctool write --quiet --force --reader virtual:t.nfc \(records) > written
                nfctool scan --count 1 --reader virtual:t.nfc \(options)
                """, opener: opener, files: files)
        }

        @Test func theLinkIsOneArgumentOfXDGOpen() async throws {
            let uri = "https://example.com/a?b=$(id>hacked);`id`&c='\"|d%20*"
            let (outcome, opened) = try await Self.scan(
                "--uri '\(uri.replacing("'", with: #"'\''"#))'", "--open --json")
            #expect(outcome.status == 0)
            #expect(opened == ["1", uri, ""])
            let events = try outcome.jsonLines()
            #expect(events.map { $0["event"] as? String } == ["tag", "opened"])
            #expect(events.last?["uri"] as? String == uri)
            #expect(events.last?["uid"] as? String == events.first?["uid"] as? String)
        }

        @Test(arguments: ["mailto:a@example.com", "sms:+491234", "tel:+491234", "http://example.com"])
        func theOtherKindsOfLinksAreOpened(_ uri: String) async throws {
            let (outcome, opened) = try await Self.scan("--text first --uri \(uri)", "--open")
            #expect(opened == ["1", uri, ""])
            #expect(outcome.output.contains("opened \(uri)"))
        }

        @Test(arguments: [
            ("--uri myapp://open --uri https://example.com", "an iPhone would not open myapp: from a tag either"),
            ("--uri file:///etc/passwd", "an iPhone would not open file: from a tag either"),
            ("--uri example", "it has no scheme"),
            ("--uri facetime://a@example.com", "no program on Linux opens facetime:"),
            ("--uri X-HM://0023ISYWY", "no program on Linux opens x-hm:"),
            ("--uri $'https://example.com/\\x01'", "there are control characters in it"),
        ])
        func otherLinksStayClosedAndItIsToldWhy(_ records: String, reason: String) async throws {
            let (outcome, opened) = try await Self.scan(records, "--open --json")
            #expect(outcome.status == 0)
            #expect(opened == [])
            #expect(outcome.errors.contains(reason))
            let event = try outcome.json(line: 1)
            #expect(event["event"] as? String == "notOpened")
            #expect(event["reason"] as? String == reason)
        }

        @Test(arguments: ["--text https://example.com", "--smart-poster https://example.com --title x", "--empty"])
        func tagsWithoutURIRecordOpenNothing(_ records: String) async throws {
            let (outcome, opened) = try await Self.scan(records, "--open --json")
            #expect(opened == [])
            #expect(outcome.errors == "")
            #expect(try outcome.jsonLines().count == 1)
        }

        @Test func whatFailsIsToldAndTheScanGoesOn() async throws {
            let (outcome, _) = try await Self.run(
                """
                for tag in a b; do nfctool write --quiet --uri https://example.com/$tag --reader virtual:$tag.nfc; done > written
                nfctool scan --count 2 --quiet --open --reader 'virtual:a.nfc,b.nfc?stream&gap=700ms'
                """, opener: "exit 3")
            #expect(outcome.status == 0)
            let told = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("nfctool: ") }
            #expect(told.count == 2)
            #expect(
                told.allSatisfy {
                    $0.hasSuffix("xdg-open ended with exit code 3: no program for such links was found.")
                })
        }

        @Test func aMissingXDGOpenIsToldOnceWithAdvice() async throws {
            let (outcome, opened) = try await Self.run(
                """
                for tag in a b; do nfctool write --quiet --uri https://example.com/$tag --reader virtual:$tag.nfc; done > written
                nfctool=$(command -v nfctool); rm xdg-open; PATH=$PWD
                $nfctool scan --json --count 2 --open --reader 'virtual:a.nfc,b.nfc?stream&gap=700ms'
                """)
            #expect(outcome.status == 0)
            #expect(opened == [])
            #expect(
                outcome.errors.split(separator: "\n").map { $0.replacing(/tag \w+/, with: "tag UID") } == [
                    "nfctool: The link https://example.com/a of tag UID was not opened: there is no xdg-open in PATH.",
                    "  Install it:  sudo apt install xdg-utils ; without a desktop, use --rules or --exec.",
                ])
            let events = try outcome.jsonLines().filter { $0["event"] as? String == "notOpened" }
            #expect(events.count == 2)
        }

        @Test func aBrowserThatStaysOpenDoesNotHoldTheScan() async throws {
            let (outcome, opened) = try await Self.scan(
                "--uri https://example.com", "--open", opener: "exec sleep 60 > /dev/null 2>&1")
            #expect(outcome.status == 0)
            #expect(opened == ["1", "https://example.com", ""])
            #expect(outcome.output.contains("opened https://example.com"))
        }

        static let rules = """
            # Lines of comment, and none
            {"uid": "04 11 22 33", "run": "echo wrong uid"}

            {"type": "t", "run": "echo great and small letters count"}
            {"uri": "https://example.org", "run": "echo wrong uri"}
            {"type": "T", "uri": "https://example.com/door", "run": "echo rule; wc -l; echo $NFC_URI"}
            {"type": "U", "run": "echo too late"}
            """

        @Test func theFirstRuleThatMatchesHasTheTag() async throws {
            let (outcome, opened) = try await Self.scan(
                "--text hi --uri https://example.com/door/1", "--json --open --rules rules",
                files: ["rules": Self.rules])
            #expect(outcome.status == 0)
            // The output of a command is not an event.
            #expect(outcome.errors == "rule\n1\nhttps://example.com/door/1\n")
            #expect(opened == [])
            let events = try outcome.jsonLines()
            #expect(events.map { $0["event"] as? String } == ["tag", "rule"])
            let event = try #require(events.last)
            #expect(event["line"] as? Int == 6)
            #expect(event["reason"] == nil)
        }

        @Test func aTagThatNoRuleTakesIsOpened() async throws {
            let (outcome, opened) = try await Self.scan(
                "--uri https://example.com/shop", "--quiet --open --rules rules",
                files: ["rules": #"{"uri": "https://example.com/door", "run": "echo rule"}"#])
            #expect(opened == ["1", "https://example.com/shop", ""])
            #expect(!outcome.output.contains("rule"))
        }

        @Test(arguments: [
            ("--text hi", #""type": "T""#), ("--mime 'text/vcard=BEGIN:VCARD'", #""type": "Text/vCard""#),
            ("--app com.example", #""type": "android.com:pkg""#),
            ("--smart-poster https://example.com --title x", #""type": "Sp""#),
            ("--smart-poster https://example.com --title x", #""uri": "https://""#),
        ])
        func rulesMatchByTypeAndURI(_ records: String, condition: String) async throws {
            let (outcome, _) = try await Self.scan(
                records, "--quiet --rules rules", files: ["rules": "{\(condition), \"run\": \"echo matched\"}"])
            #expect(outcome.output.contains("matched"))
        }

        @Test func aRuleKnowsAUIDHoweverItIsWritten() async throws {
            let (outcome, _) = try await Self.run(
                "nfctool scan --quiet --count 1 --reader virtual --rules rules",
                files: ["rules": #"{"uid": "04:a1:b2:c3:d4:e5:80", "run": "echo matched"}"#])
            #expect(outcome.output.contains("matched"))
        }

        /// The same letters appear in both URIs, but the characters differ.
        @Test func aURIIsComparedLetterByLetter() async throws {
            let rules = """
                # lines end\u{2028}at LF\r
                {"uri": "https://example.com/e\u{301}", "run": "echo wrong"}\r
                {"uri": "https://example.com/", "run": "echo matched"}
                """
            let (outcome, _) = try await Self.scan(
                "--uri https://example.com/\u{301}\u{E9}", "--quiet --rules rules", files: ["rules": rules])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.hasSuffix("matched\n"))
        }

        /// A pipe that is already full, and that no process reads.
        @Test func aScanWhoseOutputNobodyTakesIsEndedByASignal() async throws {
            let (outcome, _) = try await Self.run(
                """
                mkfifo pipe && exec 3<>pipe && head -c 65536 /dev/zero >&3
                timeout --preserve-status --signal INT --kill-after 20 1 nfctool scan --json --reader virtual >&3
                """)
            #expect(outcome.status == 130)
        }

        @Test func aCommandThatFailsIsToldWithItsExitCode() async throws {
            let (outcome, _) = try await Self.run(
                "nfctool scan --json --count 1 --reader virtual --rules rules --exec 'exit 4'",
                files: ["rules": #"{"type": "T", "run": "exit 7"}"#])
            #expect(outcome.status == 0)
            #expect(
                outcome.errors == """
                    nfctool: The command for tag 04A1B2C3D4E580 ended with exit code 4.
                    nfctool: The command of rule 1 for tag 04A1B2C3D4E580 ended with exit code 7.

                    """)
            #expect(try outcome.json(line: 1)["reason"] as? String == "ended with exit code 7")
        }

        @Test(arguments: [
            (
                #"{"uri":"x","rnu":"y"}"#,
                "line 1, key \"rnu\". This key is unknown. A rule can have uri, type, uid and run."
            ),
            ("# x\n\n" + #"{"uri":"x"}"#, "line 3, key \"run\". The command to run is missing."),
            (
                #"{"run":"x"}"#,
                "line 1. The rule does not say which tags it is for. Add uri, type or uid; for all tags, use --exec."
            ),
            ("[1]", "line 1. The line is not a JSON object."), ("null", "line 1. The line is not a JSON object."),
            (#"{"uri":"\"","run":"x","run":"y"}"#, "line 1. A key occurs twice."),
            (
                #"{"uid":"04A1B2","run":"y"}"#,
                "line 1, key \"uid\". This is not a UID. A UID looks like 04A1B2C3D4E580."
            ),
            (
                #"{"uri":"x","run":"\#(String(repeating: "y", count: 131_072))"}"#,
                "line 1, key \"run\". The text is too long."
            ),
            (#"{"uri":3,"run":"x"}"#, "line 1, key \"uri\". The value must be text between quotes."),
            (#"{"uri":null,"run":"x"}"#, "line 1, key \"uri\". The value must be text between quotes."),
            (
                #"{"uri":"x" "run":"x"}"#,
                #"line 1. The line is not JSON. Write each rule on its own line, such as {"type": "T", "run": "COMMAND"}."#
            ),
            (#"{"uid":"xyz","run":"y"}"#, "line 1, key \"uid\". This is not a UID. A UID looks like 04A1B2C3D4E580."),
            (
                #"{"type":"ä","run":"y"}"#,
                "line 1, key \"type\". This is not a record type. Examples: T, text/vcard, android.com:pkg."
            ),
            (#"{"uri":"","run":"x"}"#, "line 1, key \"uri\". The text is empty."),
            (#"{"uri":"x","run":"a\u0000b"}"#, "line 1, key \"run\". The text contains a NUL byte."),
        ])
        func aBrokenRuleIsToldBeforeTheReaderIsOpened(_ text: String, problem: String) async throws {
            let (outcome, _) = try await Self.run(
                "nfctool scan --json --rules rules --reader pn532_uart:/dev/missing", files: ["rules": text])
            #expect(outcome.status == 65)
            let failure = try outcome.failure()
            #expect(failure["error"] as? String == "badFile")
            #expect(failure["message"] as? String == "rules is not a valid rules file: \(problem)")
        }

        @Test func aFileThatIsMissingOrHoldsNoRuleIsRefused() async throws {
            let (missing, _) = try await Self.run("nfctool scan --json --rules none --reader virtual")
            #expect(missing.status == 65)
            let (empty, _) = try await Self.run(
                "nfctool scan --json --rules rules --reader virtual", files: ["rules": "# nothing\n"])
            #expect(
                try empty.failure()["message"] as? String
                    == "rules is not a valid rules file. The file contains no rule.")
        }

        private static let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs").path

        @Test func theRulesOfTheDocumentationAreRules() async throws {
            let text = try String(contentsOfFile: Self.documents + "/BackgroundReading.md", encoding: .utf8)
            let block = try #require(
                text.split(separator: "```").first { $0.contains(#""run""#) && $0.hasPrefix("json") })
            let (outcome, _) = try await Self.run(
                "nfctool scan --json --rules rules --reader pn532_uart:/dev/missing",
                files: ["rules": String(block.dropFirst("json\n".count))])
            // The rules were accepted: only the reader is missing.
            #expect(try outcome.failure()["error"] as? String == "noReader")
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
        func systemdTakesTheUnit() async throws {
            let outcome = try await Tool.withFolder { folder in
                try await Tool.shell(
                    """
                    export XDG_RUNTIME_DIR=$PWD
                    sed "s|=nfctool|=$(command -v nfctool)|" '\(Self.documents)/nfctool-scan.service' > nfctool-scan.service
                    systemd-analyze --user verify ./nfctool-scan.service
                    """, in: folder)
            }
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
        }
    }
}
