// PC/SC programs nobody here wrote, on `nfctool simulate --pcsc`

import Foundation
import Testing
import VirtualPCSC

extension BuiltBinary {
    @Suite(.enabled(if: PrivatePCSCDaemon.isAvailable)) struct PCSCSimulatorTests {
        @Test(arguments: PCSCReaderModel.all.map(\.id)) func openscToolListsEachModel(model: String) async throws {
            let outcome = try await Tool.start(["simulate", "--pcsc", model, "--tag", "ntag213"]) { simulator in
                let variable = try await simulator.line { $0.hasPrefix("PCSCLITE_CSOCK_NAME=") }
                let list = try await Tool.shell("env \(variable) opensc-tool -l || test $? = 127")
                let name = try #require(PCSCReaderModel(id: model)).driverName
                #expect(list.output.isEmpty || list.output.contains(name))
                simulator.send(SIGTERM)
            }
            #expect(outcome.status == 0)
        }

        @Test func theLinkLeadsToTheSocketAndGoesWithIt() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    nfctool simulate --pcsc acr1552u --tag icode-slix2 --symlink pcscd.comm > line & \
                    until test -e pcscd.comm && test -s line; do sleep 0.02; done; \
                    test -S pcscd.comm && kill $!; wait $!; ls
                    """, in: folder)
                #expect(outcome.output == "line\n")
            }
        }

        @Test func anUnknownModelIsRefusedWithAllThatThereAre() async throws {
            let outcome = try await Tool.shell("nfctool simulate --pcsc acr1")
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("acr1552u, utrust3721f"))
        }
    }
}
