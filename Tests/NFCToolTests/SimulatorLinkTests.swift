// The path of a simulator's link, which is never that of a link that another simulator uses

import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite struct SimulatorLinkTests {
        @Test func aLinkInUseIsLeftToItsSimulatorAndOneThatLeadsNowhereIsReplaced() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    ln -s /dev/pts/nothing reader
                    nfctool simulate --tag ntag215 --symlink reader > simulator & trap "kill $!" EXIT
                    until test -e reader; do sleep 0.05; done; readlink reader > before
                    timeout 5 nfctool simulate --tag ntag213 --symlink reader; echo "status $?"
                    readlink reader | cmp - before && echo unchanged
                    nfctool info --reader pn532_uart:$PWD/reader --json
                    """, in: folder)
                #expect(outcome.output.contains("status 69\nunchanged"), "\(outcome.output)")
                #expect(outcome.output.contains("NTAG215"), "\(outcome.errors)")
                #expect(outcome.errors.contains("which is in use. Nothing was changed."), "\(outcome.errors)")
            }
        }
    }
}
