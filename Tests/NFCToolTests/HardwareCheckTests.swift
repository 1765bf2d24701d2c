// Scripts/hardware-check on a virtual reader, so that it also works with a real one

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct HardwareCheckTests {
        private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Scripts/hardware-check").standardizedFileURL.path

        @Test func everyCheckPassesAndIsInTheReport() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    "'\(Self.script)' --reader virtual --yes --report report.md", in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let report = try String(contentsOfFile: folder + "/report.md", encoding: .utf8)
                for check in ["info", "read gives the link", "dump", "scan sees the tag", "provision 3 tags"] {
                    #expect(report.contains("| \(check) | passed |"), "\(check)")
                }
                #expect(report.contains("chip: PN532 v1.6"))
                #expect(!report.contains("FAILED"))
                #expect(report.firstMatch(of: /04[0-9A-F]{12}/) == nil)
                #expect(!report.contains(folder))
            }
        }

        @Test(arguments: ["ntag215", "icode-slix2 --type5"]) func aReaderOfPCSCIsChecked(kind: String) async throws {
            let words = kind.split(separator: " ")
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    nfctool simulate --pcsc acr1552u --tag '\(words[0])' --symlink pcscd.comm > line &
                    until test -s line; do sleep 0.02; done
                    PCSCLITE_CSOCK_NAME=$PWD/pcscd.comm '\(Self.script)' \(words.dropFirst().joined()) \
                        --reader 'pcsc:ACS ACR1552' --tags 0 --yes --report report.md
                    status=$?; kill $!; wait $!; exit $status
                    """, in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let report = try String(contentsOfFile: folder + "/report.md", encoding: .utf8)
                for check in ["write 100 bytes", "restore the dump", "scan sees the tag"] {
                    #expect(report.contains("| \(check) | passed |"), "\(check)")
                }
                #expect(!report.contains("FAILED"))
            }
        }

        @Test func aMuteReaderIsReportedWithTheDoctorsWords() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    "'\(Self.script)' --reader 'virtual:?mute=0' --report report.md", in: folder)
                #expect(outcome.status == 74)
                let report = try String(contentsOfFile: folder + "/report.md", encoding: .utf8)
                #expect(report.contains("it does not answer"))
            }
        }

        @Test func aReportIsNeverReplaced() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    "touch report.md; '\(Self.script)' --reader virtual --report report.md", in: folder)
                #expect(outcome.status == 65)
            }
        }
    }
}
