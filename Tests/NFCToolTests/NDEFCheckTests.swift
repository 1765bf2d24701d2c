// nfctool ndef check on tags that cause problems on phones, and its exit codes

import Foundation
import PhoneLint
import Testing

extension BuiltBinary {
    @Suite struct NDEFCheckTests {
        /// Changed pages of an NTAG215 that holds a web page, and the rules that the tag breaks with them.
        static let tags: [(what: String, pages: [Int: String], rules: [String])] = [
            ("as written", [:], []),
            // nfcpy #236.
            ("nfcpy's write password", [3: "E1 10 3E 08"], ["accessConditions", "accessConditions"]),
            ("nfcpy's read password", [3: "E1 10 3E 88"], ["accessConditions"]),
            ("version 2", [3: "E1 20 3E 00"], ["mappingVersion"]),
            ("the size of an NTAG216", [3: "E1 10 6D 00"], ["dataAreaSize"]),
            ("no capability container", [3: "00 00 00 00"], ["noNDEFData"]),
            // NTAG213/215/216 data sheet: CFG 0 is page 83h, and AUTH0 its byte 3. CFG 1 is page 84h, ACCESS its byte 0,
            // and PROT bit 7 of that byte.
            ("AUTH0", [131: "04 00 00 04"], ["writeProtection"]),
            ("AUTH0 and PROT", [131: "04 00 00 04", 132: "80 05 00 00"], ["readPassword"]),
            ("AUTH0 behind the data", [131: "04 00 00 83"], []),
            ("lock bits alone", [2: "00 48 FF FF"], ["writeProtection"]),
        ]

        @Test(arguments: tags)
        func tagIsJudged(_ what: String, _ pages: [Int: String], _ rules: [String]) async throws {
            let outcome = try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                let reader = "virtual:\(path)"
                let written = try await Tool.run("write", "--uri", "https://example.com", "--quiet", "--reader", reader)
                #expect(written.status == 0)
                let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
                    guard let page = pages.first(where: { line.hasPrefix("Page \($0.key): ") }) else {
                        return String(line)
                    }
                    return "Page \(page.key): \(page.value)"
                }
                try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
                return try await Tool.run("ndef", "check", "--tag", "--json", "--reader", reader)
            }
            #expect(outcome.status == 0)
            let findings = try #require(try outcome.json()["findings"] as? [[String: Any]])
            #expect(findings.map { $0["rule"] as? String } == rules)
        }

        /// Arguments, and the exit code.
        static let exits: [(arguments: [String], status: Int32)] = [
            (["--uri", "https://example.com"], 0),
            (["--uri", "https://example.com", "--strict"], 0),
            (["--text", "Hello", "--strict"], 0),
            (["--uri", "example.com"], 0),
            (["--uri", "example.com", "--strict"], 65),
            (["--external", "android.com:pkg=app", "--strict", "--phone", "ios"], 0),
            (["--external", "android.com:pkg=app", "--strict", "--phone", "android"], 65),
            (["/nosuch/file"], 65),
            (["--phone", "palm", "--uri", "a:b"], 64),
            (["--uri", "a:b", "--tag"], 64),
            (["--uri", "a:b", "/nosuch/file"], 64),
            (["--reader", "virtual"], 64),
            (["--tag", "--reader", "nosuch"], 69),
        ]

        @Test(arguments: exits)
        func aFindingIsAnAnswerUnlessStrict(_ arguments: [String], _ status: Int32) async throws {
            #expect(try await Tool.run(["ndef", "check"] + arguments).status == status)
        }

        @Test func aTagWhoseMessageDoesNotDecodeBreaksItsRules() async throws {
            let outcome = try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                _ = try await Tool.run("write", "--text", "Hello", "--quiet", "--reader", "virtual:\(path)")
                let text = try String(contentsOfFile: path, encoding: .utf8)
                try text.replacing(/Page 4: .*/, with: "Page 4: 03 03 D1 01")
                    .write(toFile: path, atomically: true, encoding: .utf8)
                return try await Tool.run("ndef", "check", "--tag", "--json", "--reader", "virtual:\(path)")
            }
            #expect(outcome.status == 76)
            #expect(outcome.output.isEmpty)
            #expect(try outcome.failure()["error"] as? String == "tagProtocol")
        }

        @Test func theSameComesFromOptionsAFileAndStdin() async throws {
            try await Tool.withFolder { folder in
                let records = "--text Hello --uri https://example.com"
                let direct = try await Tool.shell("nfctool ndef check \(records) --json", in: folder)
                let file = try await Tool.shell(
                    "nfctool ndef encode \(records) -o m && nfctool ndef check m --json", in: folder)
                let pipe = try await Tool.shell(
                    "nfctool ndef encode \(records) | nfctool ndef check --json", in: folder)
                #expect(direct.status == 0)
                #expect(!direct.output.isEmpty)
                #expect(file.output == direct.output)
                #expect(pipe.output == direct.output)
            }
        }
    }
}
