// Passwords and keys stay secret: they appear neither in child processes, nor in traces, nor on the screen — radio.md,
// R7

import Foundation
import Testing

extension BuiltBinaryPasswords {
    @Suite struct SecretTests {
        private static let secret = "1122AABB"

        private static func tag(_ folder: String, _ kind: String = "ntag213") -> String {
            "--reader 'virtual:\(folder)/\(kind).nfc?kind=\(kind)'"
        }

        @Test func noChildInheritsThePassword() async throws {
            try await Tool.withFolder { folder in
                let reader = Self.tag(folder)
                try "id\n1\n".write(toFile: folder + "/plan.csv", atomically: true, encoding: .utf8)
                let lines = """
                    export NFCTOOL_PASSWORD=\(Self.secret)
                    nfctool write --quiet --text x \(reader)
                    nfctool scan --count 1 --exec 'env; true' \(reader)
                    nfctool scan --count 1 --exec 'tr "\\0" "\\n" < /proc/$(pgrep -n -f reader-host)/environ' \(reader)
                    nfctool provision plan.csv --text '{id}' --overwrite always --exec 'env' --timeout 5s \(reader)
                    """
                let outcome = try await Tool.shell("cd \(folder); \(lines)", in: folder)
                #expect(outcome.output.contains("NFC_UID"))
                #expect(!outcome.output.contains("NFCTOOL_PASSWORD") && !outcome.output.contains(Self.secret))
            }
        }

        /// Returns lower-case hexadecimal without spaces, as any trace may show it.
        private static func digits(_ text: String) -> String {
            text.lowercased().filter { $0.isHexDigit || $0 == "\n" }
        }

        @Test(arguments: ["ntag213", "ntag215", "ntag216", "ultralight-ev1", "ultralight-ev1-128"])
        func aTraceHidesPasswordsAndWhatTheyAreAnsweredWith(kind: String) async throws {
            try await Tool.withFolder { folder in
                let reader = Self.tag(folder, kind)
                let lines = """
                    export NFCTOOL_PASSWORD=\(Self.secret):C1D2
                    nfctool write --yes --quiet --text x \(reader)
                    nfctool protect --trace=all \(reader) && nfctool write --trace=all --text y \(reader) && nfctool unprotect --trace=all \(reader)
                    """
                let outcome = try await Tool.shell(lines, in: folder)
                #expect(outcome.status == 0, "\(outcome.errors.suffix(400))")
                // The trace contains nfctool's lines and libnfc's.
                #expect(outcome.errors.contains("> 1B ** ** ** **"))
                #expect(outcome.errors.contains("d4 42 1b **"))
                let trace = Self.digits(outcome.errors)
                #expect(!trace.contains(Self.secret.lowercased()))
                #expect(!outcome.errors.contains("C1 D2") && !outcome.errors.contains("c1 d2"))
            }
        }

        @Test(arguments: ["ultralight-c", "ultralight-aes"])
        func aTraceHidesTheKeyOfAnUltralight(kind: String) async throws {
            try await Tool.withFolder { folder in
                let reader = Self.tag(folder, kind)
                let lines = """
                    export NFCTOOL_PASSWORD=00112233445566778899AABBCCDDEEFF
                    nfctool protect --trace \(reader)
                    """
                let outcome = try await Tool.shell(lines, in: folder)
                #expect(outcome.status == 0, "\(outcome.errors.suffix(400))")
                let trace = Self.digits(outcome.errors)
                // RndB and RndA, enciphered.
                let steps = outcome.errors.split(separator: "\n").filter { $0.contains(" > AF ") }
                #expect(!steps.isEmpty && steps.allSatisfy { $0.contains("> AF ** **") })
                // The bytes as in memory, last byte first, and for an Ultralight C in each half.
                for part in ["77665544", "33221100", "ffeeddcc", "bbaa9988"] {
                    #expect(!trace.contains(part), "\(part)")
                }
            }
        }

        @Test func aTraceHasALineForEachFrameAndSecretsWhereTheyAreAskedFor() async throws {
            try await Tool.withFolder { folder in
                let reader = Self.tag(folder, "ntag213")
                let lines = """
                    export NFCTOOL_PASSWORD=\(Self.secret)
                    nfctool protect --quiet --yes \(reader)
                    nfctool write --quiet --trace --show-secrets --text y \(reader)
                    """
                let outcome = try await Tool.shell(lines, in: folder)
                #expect(outcome.status == 0, "\(outcome.errors.suffix(400))")
                let frames = outcome.errors.split(separator: "\n")
                // A time, the reader and a frame, but no lines from libnfc.
                let line = /\d\d:\d\d:\d\d\.\d{3} pn532_uart:\/dev\/pts\/\d+ ([<>] [0-9A-F][0-9A-F].*|! .*|< .*)/
                #expect(frames.count > 5 && frames.allSatisfy { $0.wholeMatch(of: line) != nil }, "\(outcome.errors)")
                let password = Self.secret.uppercased()
                #expect(frames.contains { $0.filter { $0 != " " }.contains(">1B" + password) })
            }
        }

        @Test func aTraceHidesTheKeysOfAClassic() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    "nfctool format --yes --trace \(Self.tag(folder, "classic1k"))", in: folder)
                #expect(outcome.status == 0, "\(outcome.errors.suffix(400))")
                let lines = outcome.errors.split(separator: "\n").filter {
                    $0.contains("> 60 ") || $0.contains("> 61 ")
                }
                #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("**") })
                let trace = Self.digits(outcome.errors)
                for key in ["ffffffffffff", "a0a1a2a3a4a5", "d3f7d3f7d3f7"] { #expect(!trace.contains(key), "\(key)") }
            }
        }

        @Test func wiFiPasswordsAreHiddenOnTheScreen() async throws {
            try await Tool.withFolder { folder in
                let reader = Self.tag(folder, "ntag215")
                let message = "--wifi 'ssid=Guests;password=correct horse'"
                let shown = [
                    "nfctool write \(message) \(reader)", "nfctool read \(reader)", "nfctool info \(reader)",
                    "nfctool scan --count 1 \(reader)", "nfctool ndef encode \(message) | nfctool ndef decode",
                    "nfctool lock \(reader)", "nfctool ndef check --tag \(reader)",
                ]
                for line in shown {
                    let outcome = try await Tool.shell(line, in: folder)
                    let text = outcome.output + outcome.errors
                    #expect(text.contains("Guests") || text.contains("Gue"), "\(line)")
                    #expect(!text.contains("correct") && !text.contains("corr"), "\(line)")
                    #expect(!text.contains("63 6F 72 72"), "\(line)")
                }
                for line in ["read", "info"] {
                    let outcome = try await Tool.shell("nfctool \(line) --show-secrets \(reader)", in: folder)
                    #expect(outcome.output.contains("orre"), "\(line)")
                    let json = try await Tool.shell("nfctool \(line) --json \(reader)", in: folder)
                    #expect(json.output.contains("6F727265") || json.output.contains("correct horse"), "\(line)")
                }
            }
        }

        @Test(arguments: ["ntag213", "classic1k-ndef", "type4", "felica-lite-s-ndef"])
        func aComparisonHidesWiFiPasswords(kind: String) async throws {
            try await Tool.withFolder { folder in
                let reader = ["--reader", "virtual:tag.nfc?kind=\(kind)&serial=1"]
                let network = ["write", "--quiet", "--wifi", "ssid=a;password=zzzzzzzzzzzzzzzzzzzz"]
                #expect(try await Tool.run(["write", "--quiet", "--text", "b"] + reader, in: folder).status == 0)
                #expect(try await Tool.run(["dump", "text.json"] + reader, in: folder).status == 0)
                #expect(try await Tool.run(network + reader, in: folder).status == 0)
                #expect(try await Tool.run(["dump", "network.json"] + reader, in: folder).status == 0)
                let shown = try await Tool.run("diff", "text.json", "network.json", "--show-secrets", in: folder)
                #expect(shown.output.contains("7A7A"))
                for diff in [["diff", "text.json", "network.json"], ["diff", "text.json"] + reader] {
                    let hidden = try await Tool.run(diff, in: folder)
                    #expect(hidden.status == 0 && hidden.output.contains("****"))
                    #expect(!hidden.output.contains("7A"))
                }
            }
        }

        @Test func aPasswordInADumpIsNotComparedWithItsTag() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    echo A1B2C3D4 > pw
                    nfctool protect -q --password-file pw --reader 'virtual:tag.nfc?kind=ntag213'
                    cp tag.nfc copy.nfc
                    nfctool diff copy.nfc --exit-code --password-file pw --reader virtual:tag.nfc; echo $?
                    nfctool diff copy.nfc --json --password-file pw --reader virtual:tag.nfc
                    """, in: folder)
                #expect(
                    outcome.output.contains(
                        "hold the same content, as far as is known: block 43 cannot be compared, because the tag "
                            + "does not show its password or key.\n0\n"), "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("\"notCompared\":[43]") && outcome.output.contains("\"same\":true"))
            }
        }

        @Test func aDryRunHidesWiFiPasswords() async throws {
            try await Tool.withFolder { folder in
                try "wifi\nssid=a;password=correct horse\n"
                    .write(toFile: folder + "/tags.csv", atomically: true, encoding: .utf8)
                let dryRun = ["provision", "tags.csv", "--dry-run", "--verbose"]
                let hidden = try await Tool.run(dryRun, in: folder)
                #expect(hidden.output.contains("10 27 00 0D ** **") && !hidden.output.contains("63 6F 72 72"))
                let shown = try await Tool.run(dryRun + ["--show-secrets"], in: folder)
                #expect(shown.output.contains("10 27 00 0D 63 6F 72 72"))
            }
        }
    }
}
