// lock on chips that do not identify themselves: every block refuses a write afterwards, or nothing was locked

import Chance
import Foundation
import Testing

extension BuiltBinaryReturns {
    /// nfcpy checks this.
    ///
    /// It sends a raw WRITE of the existing bytes to every data block.
    @Suite struct ForeignLockTests {
        /// Kinds with the block after their data area.
        private static let chips: [(kind: String, end: Int)] = [
            ("ntag213", 40), ("ntag215", 130), ("ntag216", 226), ("ntag203", 40), ("ultralight", 16),
            ("ultralight-ev1", 16), ("ultralight-ev1-128", 36),
        ]
        private static let variants =
            ["version=none", "vendor=53", "vendor=53&locktlv=none"]
            + (Campaign.isLong ? ["signature=none", "fastread=none", "fastread=16", "duplicates=3"] : [])

        /// Prints the blocks that accept a WRITE.
        private static let judge = """
            import sys, nfc, nfc.clf.transport, nfc.clf.pn532
            chip = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
            def exchange(target, command):
                try: return chip.send_cmd_recv_rsp(target, bytearray(command), 0.1)
                except nfc.clf.CommunicationError: return bytearray()
            open_blocks = []
            for block in range(4, int(sys.argv[2])):
                target = chip.sense_tta(nfc.clf.RemoteTarget('106A'))
                held = exchange(target, [0x30, block])[:4]
                assert len(held) == 4, block
                if exchange(target, [0xA2, block] + list(held)) == bytearray([0x0A]): open_blocks.append(block)
            print('open', *open_blocks)
            chip.close()
            """

        @Test("lock on a foreign chip locks every data block, or refuses and locks none", arguments: chips, variants)
        func lockOnAForeignChip(chip: (kind: String, end: Int), variant: String) async throws {
            try await Tool.withFolder { folder in
                try Self.judge.write(toFile: folder + "/judge.py", atomically: true, encoding: .utf8)
                let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"] ?? "python3"
                let outcome = try await Tool.shell(
                    """
                    nfctool simulate --tag '\(chip.kind)?\(variant)' --symlink reader > simulator & trap "kill $!" EXIT
                    until [ -s simulator ]; do sleep 0.02; done; export NFCTOOL_READER=pn532_uart:$PWD/reader
                    nfctool write --yes --quiet --force --text before; nfctool lock --yes; echo "lock $?"
                    \(python) judge.py "$(readlink -f reader)" \(chip.end); nfctool read
                    """, in: folder)
                let all = "open " + (4..<chip.end).map(String.init).joined(separator: " ") + "\n"
                let text = "\(outcome.output)\(outcome.errors)"
                if outcome.output.contains("lock 0") {
                    #expect(outcome.output.contains("open\n") && outcome.output.contains("before"), "\(text)")
                } else {
                    // A blank tag of an unknown chip cannot be initialised, so there is nothing to lock.
                    let reason = outcome.output.contains("lock 78") ? "blank" : "so the place of the lock bits"
                    #expect(outcome.output.contains(all) && outcome.errors.contains(reason), "\(text)")
                }
            }
        }
    }
}
