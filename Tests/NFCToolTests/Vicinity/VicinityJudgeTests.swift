// pyscard, which knows nothing of nfctool, reads what nfctool wrote on ISO 15693 tags, and the other way round

import Foundation
import Testing
import VirtualPCSC

extension BuiltBinaryProvision {
    @Suite(.enabled(if: PrivatePCSCDaemon.isAvailable)) struct VicinityJudgeTests {
        private static let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"] ?? "python3"

        /// Runs a script of pyscard with `transmit` on a virtual OMNIKEY with the tag in `tag.nfc`.
        private static func judge(_ script: String, after line: String, then last: String = "true") -> String {
            """
            set -e
            \(line)
            nfctool simulate --pcsc omnikey5022 --tag tag.nfc --symlink pcscd.comm > simulator &
            until test -s simulator; do sleep 0.02; done
            PCSCLITE_CSOCK_NAME=$PWD/pcscd.comm \(python) - <<'END'
            import time
            from smartcard.System import readers
            found = []
            while not found: found = readers()
            connection = found[0].createConnection()
            for attempt in range(50):
                try:
                    connection.connect()
                    break
                except Exception: time.sleep(0.02)
            def transmit(*apdu):
                data, sw1, sw2 = connection.transmit(list(apdu))
                assert (sw1, sw2) == (0x90, 0), (apdu, sw1, sw2)
                return data
            \(script)
            END
            kill $!; wait $! || true
            \(last)
            """
        }

        /// All but the M24LR64, whose request flag only a transparent session and a pass-through can set.
        private static let kinds = [
            "icode-slix", "icode-slix2", "icode-slix-l", "icode-3", "st25dv04k", "st25dv16k", "st25dv64k", "st25tv02k",
            "my-d", "tag-it-hf-i", "em4233", "generic-32",
        ]

        @Test(arguments: kinds) func pyscardReadsWhatNfctoolWrote(kind: String) async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    Self.judge(
                        """
                        memory, block = [], 0
                        while len(memory) < 32:
                            memory += transmit(0xFF, 0xB0, 0, block, 0)
                            block += 1
                        start = 8 if memory[2] == 0 else 4
                        assert memory[start] == 3, memory
                        print(bytes(memory[start + 2:start + 2 + memory[start + 1]]).hex().upper())
                        """,
                        after: """
                            nfctool write -q --yes --uri https://example.com/4711 --reader 'virtual:tag.nfc?kind=\(kind)'
                            nfctool ndef encode --uri https://example.com/4711 | python3 -c 'import sys; print(sys.stdin.buffer.read().hex().upper())'
                            """), in: folder)
                let lines = outcome.output.split(separator: "\n")
                #expect(outcome.status == 0 && lines.count == 2, "\(outcome.output)\(outcome.errors)")
                #expect(lines.first == lines.last, "\(outcome.output)\(outcome.errors)")
            }
        }

        /// Without the Tag-it, which a write with the flag that a reader chooses may not reach.
        @Test(arguments: kinds.filter { $0 != "tag-it-hf-i" })
        func nfctoolReadsWhatPyscardWrote(kind: String) async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    Self.judge(
                        """
                        message = bytes.fromhex("D1010C55046578616D706C652E6F7267")
                        data = bytes([0xE1, 0x40, 0x03, 0x00, 3, len(message)]) + message + bytes([0xFE])
                        size = len(transmit(0xFF, 0xB0, 0, 0, 0))
                        data += bytes(-len(data) % size)
                        for number in range(len(data) // size):
                            transmit(0xFF, 0xD6, 0, number, size, *data[number * size:(number + 1) * size])
                        """,
                        after: "nfctool read --reader 'virtual:tag.nfc?kind=\(kind)' > before",
                        then: "nfctool read --reader virtual:tag.nfc"), in: folder)
                #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("URI  https://example.org"), "\(outcome.output)\(outcome.errors)")
            }
        }
    }
}
