// restore --otp: the one-time bits of the dump exactly, or none

import Foundation
import Testing

extension BuiltBinaryRestores {
    @Suite struct OneTimeDataTests {
        /// Restores a dump with another capability container to an NTAG213, which is delivered with E1101200.
        private static func restoring(
            _ container: String, _ test: (Outcome, _ folder: String) async throws -> Void
        ) async throws {
            try await Tool.withFolder { folder in
                let made = try await Tool.shell(
                    """
                    nfctool info --quiet --reader 'virtual:t.nfc?kind=ntag213' >info &&
                    nfctool dump d.nfc --quiet --reader virtual:t.nfc &&
                    sed -i 's/^Page 3: .*/Page 3: \(container)/' d.nfc
                    """, in: folder)
                #expect(made.status == 0, "\(made.errors)")
                try await test(
                    await Tool.run("restore", "d.nfc", "--otp", "--yes", "--reader", "virtual:t.nfc", in: folder),
                    folder)
            }
        }

        private static func container(in folder: String) -> String? {
            let file = try? String(contentsOfFile: folder + "/t.nfc", encoding: .utf8)
            return file?.split(separator: "\n").first { $0.hasPrefix("Page 3:") }.map(String.init)
        }

        @Test func bitsThatWouldBecomeAThirdValueAreRefusedBeforeTheFirstWrite() async throws {
            try await Self.restoring("E1 10 06 00") { refused, folder in
                #expect(refused.status == 77, "\(refused.errors)")
                #expect(
                    refused.errors.contains(
                        "The one-time bits in block 3 of the tag are E1101200, but the dump has E1100600."),
                    "\(refused.errors)")
                #expect(refused.errors.contains("Without --otp"))
                #expect(Self.container(in: folder) == "Page 3: E1 10 12 00")
            }
        }

        @Test(arguments: ["E1 30 12 00", "E1 FF FF FF", "E1 10 3E 00"])
        func aContainerThatTheChipCannotHaveIsABrokenDump(container: String) async throws {
            try await Self.restoring(container) { refused, folder in
                #expect(refused.status == 65, "\(refused.errors)")
                #expect(refused.errors.contains("of block 3 is"), "\(refused.errors)")
                #expect(Self.container(in: folder) == "Page 3: E1 10 12 00")
            }
        }

        /// The capability container of an amiibo is not one for NDEF, and only sets further bits.
        @Test func bitsThatAreOnlyAddedAreRestored() async throws {
            try await Self.restoring("F1 10 FF EE") { restored, folder in
                #expect(restored.status == 0, "\(restored.errors)")
                #expect(Self.container(in: folder) == "Page 3: F1 10 FF EE")
            }
        }

        @Test func bitsThatOnlyTheTagHasAreReportedAsKept() async throws {
            try await Self.restoring("E1 10 10 00") { kept, folder in
                #expect(kept.status == 0, "\(kept.errors)")
                #expect(kept.output.contains("block 3 differs from the dump and stays as it is"), "\(kept.output)")
                #expect(Self.container(in: folder) == "Page 3: E1 10 12 00")
            }
        }
    }
}
