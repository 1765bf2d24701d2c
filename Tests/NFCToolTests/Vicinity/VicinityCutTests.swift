// ISO 15693 tags under the real pcscd: a rewrite that is interrupted after any command ends with the old or the new
// message

import Chance
import Foundation
import Testing
import VirtualPCSC

extension BuiltBinaryProvision {
    @Suite(.enabled(if: PrivatePCSCDaemon.isAvailable)) struct VicinityCutTests {
        private static let new = "A new message of another length"

        @Test(arguments: ["icode-slix2", "my-d", "tag-it-hf-i", "st25dv16k"], ["tear", "loss"])
        func everyInterruptedRewriteLeavesOldOrNewContent(kind: String, fault: String) async throws {
            try await Tool.withFolder { folder in
                let prepared = try await Tool.shell(
                    "nfctool write -q --yes --text 'The old one' --reader 'virtual:first.nfc?kind=\(kind)'", in: folder)
                #expect(prepared.status == 0, "\(prepared.errors)")
                var ends: [String: Int] = [:]
                for number in Campaign.cuts(through: 100, every: 5) {
                    let outcome = try await Tool.shell(
                        """
                        cp first.nfc tag.nfc
                        nfctool write -q --no-wait --text '\(Self.new)' --timeout 5s --reader 'virtual:tag.nfc?\(fault)=\(number)'
                        echo "ended $?"
                        if test "$(nfctool recover --list)"; then nfctool recover -q --reader virtual:tag.nfc; fi
                        nfctool read --reader virtual:tag.nfc
                        """, in: folder)
                    #expect(outcome.status == 0, "\(fault)=\(number): \(outcome.output)\(outcome.errors)")
                    let message = ["The old one", Self.new].first(where: outcome.output.contains)
                    ends[try #require(message, "\(fault)=\(number): \(outcome.output)\(outcome.errors)"), default: 0] +=
                        1
                    if outcome.output.hasPrefix("ended 0") { break }
                    #expect(
                        outcome.output.hasPrefix("ended 75"), "\(fault)=\(number): \(outcome.output)\(outcome.errors)")
                    #expect(number < 97)
                }
                #expect(ends[Self.new, default: 0] > 1, "\(ends)")
                #expect(ends["The old one", default: 0] > 0, "\(ends)")
            }
        }
    }
}
