// pyscard, which is independent of nfctool, reads what nfctool wrote to ISO 15693 tags, and vice versa

import Foundation
import Testing
import VirtualPCSC

extension BuiltBinaryProvision {
    @Suite(.enabled(if: PrivatePCSCDaemon.isAvailable)) struct VicinityJudgeTests {
        /// A kind of tag on a reader that the script can use.
        struct Case: Sendable, CustomTestStringConvertible {
            let kind: String
            let model: String
            var testDescription: String { "\(kind) on \(model)" }

            /// All kinds that can be read with PC/SC part 3 blocks, and the kinds whose request flags require frames.
            static let reads = blocks.map { Self(kind: $0, model: "omnikey5022") } + framed
            /// A reader that sets the flags of a write itself may not support the Tag-it.
            static let writes = reads.filter { $0.kind != "tag-it-hf-i" || $0.model != "omnikey5022" }

            private static let blocks = [
                "icode-slix", "icode-slix2", "icode-slix-l", "icode-3", "st25dv04k", "st25dv16k", "st25dv64k",
                "st25tv02k", "my-d", "tag-it-hf-i", "em4233", "generic-32",
            ]
            private static let framed = ["m24lr64", "tag-it-hf-i"].flatMap { kind in
                ["acr1552u", "utrust3721f"].map { Self(kind: kind, model: $0) }
            }
        }

        private static let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"] ?? "python3"

        /// `read(block)` and `write(block, data)` for a reader that only supports blocks — PC/SC part 3, 3.2.2.1.
        private static let storageBlocks = """
            def read(block): return transmit(0xFF, 0xB0, 0, block, 0)
            def write(block, data): transmit(0xFF, 0xD6, 0, block, len(data), *data)
            """

        /// Returns the same functions with requests of ISO/IEC 15693-3 through `exchange`, addressed to the tag that
        /// Inventory finds.
        private static func requests(_ test: Case) -> String {
            // M24LR64-R: protocol extension flag, two bytes of block number. Tag-it HF-I: option flag on writes.
            let (extra, size, option) = test.kind == "m24lr64" ? ("0x08", 2, "0x00") : ("0x00", 1, "0x40")
            return """
                \(exchanges[test.model] ?? "")
                def request(flags, command, *parameters):
                    response = exchange([flags, command, *parameters])
                    assert response and response[0] == 0, (hex(command), response)
                    return response[1:]
                uid = request(0x26, 0x01, 0)[1:]
                assert len(uid) == 8 and uid[7] == 0xE0, uid
                def number(block): return block.to_bytes(\(size), "little")
                def read(block): return request(0x22 | \(extra), 0x20, *uid, *number(block))
                def write(block, data): request(0x22 | \(extra) | \(option), 0x21, *uid, *number(block), *data)
                """
        }

        /// `exchange(frame)` for a reader.
        ///
        /// It returns the tag's answer to a frame, both without CRC.
        private static let exchanges = [
            // PC/SC part 3, amendment 1: a session, ISO/IEC 15693 layer 3, and a timer of 1 s in each exchange.
            "acr1552u": """
            def session(p2, *objects):
                data = transmit(0xFF, 0xC2, 0, p2, len(objects), *objects)
                found = {}
                while data:
                    tag, size, data = data[0], data[1], data[2:]
                    if size == 0x81: size, data = data[0], data[1:]
                    found[tag], data = data[:size], data[size:]
                assert found[0xC0][1:] == [0x90, 0], found
                return found
            session(0, 0x81, 0)
            session(2, 0x8F, 2, 2, 3)
            def exchange(frame): return session(1, 0x5F, 0x46, 4, 0x40, 0x42, 0x0F, 0, 0x95, len(frame), *frame)[0x97]
            """,
            // Reference manual of the uTrust 3721F, "Traverse", with a waiting time of 1 s.
            "utrust3721f": "def exchange(frame): return transmit(0xFF, 0xFD, 0x0C, 0, len(frame), *frame, 0)",
        ]

        /// Runs a pyscard script with `read` and `write` on a virtual reader with the tag in `tag.nfc`.
        private static func judge(
            _ script: String, _ test: Case, after line: String, then last: String = "true"
        ) -> String {
            """
            set -e
            \(line)
            nfctool simulate --pcsc \(test.model) --tag tag.nfc --symlink pcscd.comm > simulator &
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
            \(test.model == "omnikey5022" ? storageBlocks : requests(test))
            \(script)
            END
            kill $!; wait $! || true
            \(last)
            """
        }

        /// Returns a short message, or for the M24LR64 one that ends after block 255.
        private static func text(_ test: Case) -> String {
            String(repeating: "nfctool-4711", count: test.kind == "m24lr64" ? 100 : 1)
        }

        @Test func theJudgeKnowsAllKinds() {
            let kinds = Set(ISO15693Chip.all.map(\.id))
            #expect(Set(Case.reads.map(\.kind)) == kinds && Set(Case.writes.map(\.kind)) == kinds)
        }

        @Test(arguments: Case.reads) func pyscardReadsWhatNfctoolWrote(test: Case) async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    Self.judge(
                        """
                        memory, block = [], 0
                        def take(end):
                            global memory, block
                            while len(memory) < end:
                                memory += read(block)
                                block += 1
                            return memory
                        start = 8 if take(3)[2] == 0 else 4
                        assert take(start + 4)[start] == 3, memory
                        size, start = memory[start + 1], start + 2
                        if size == 0xFF: size, start = memory[start] << 8 | memory[start + 1], start + 2
                        print(bytes(take(start + size)[start:start + size]).hex().upper())
                        """, test,
                        after: """
                            nfctool write -q --yes --text '\(Self.text(test))' --reader 'virtual:tag.nfc?kind=\(test.kind)'
                            nfctool ndef encode --text '\(Self.text(test))' | python3 -c 'import sys; print(sys.stdin.buffer.read().hex().upper())'
                            """), in: folder)
                let lines = outcome.output.split(separator: "\n")
                #expect(outcome.status == 0 && lines.count == 2, "\(outcome.output)\(outcome.errors)")
                #expect(lines.first == lines.last, "\(outcome.output)\(outcome.errors)")
            }
        }

        @Test(arguments: Case.writes) func nfctoolReadsWhatPyscardWrote(test: Case) async throws {
            try await Tool.withFolder { folder in
                let isLong = test.kind == "m24lr64"
                let outcome = try await Tool.shell(
                    Self.judge(
                        """
                        text = b"\(Self.text(test))"
                        if \(isLong ? "True" : "False"):
                            message = b"\\xC1\\x01" + (len(text) + 3).to_bytes(4, "big") + b"T\\x02en" + text
                            data = bytes([0xE2, 0x40, 0, 0, 0, 0, 3, 0xFF, 3, 0xFF]) + len(message).to_bytes(2, "big")
                        else:
                            message = bytes([0xD1, 1, len(text) + 3]) + b"T\\x02en" + text
                            data = bytes([0xE1, 0x40, 4, 0, 3, len(message)])
                        data += message + b"\\xFE"
                        size = len(read(0))
                        data += bytes(-len(data) % size)
                        for block in range(len(data) // size): write(block, data[block * size:(block + 1) * size])
                        print(data.hex().upper())
                        """, test,
                        after: "nfctool read --reader 'virtual:tag.nfc?kind=\(test.kind)' > before",
                        then: "nfctool read --json --reader virtual:tag.nfc"),
                    in: folder)
                #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("\"\(Self.text(test))\""), "\(outcome.output)\(outcome.errors)")
                let written = String(outcome.output.prefix { $0 != "\n" })
                let file = try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8)
                let memory = file.split(separator: "\n").first { $0.hasPrefix("Data Content: ") }
                let bytes = memory.map { $0.dropFirst("Data Content: ".count).filter { $0 != " " } } ?? ""
                #expect(!written.isEmpty && bytes.hasPrefix(written), "\(outcome.output)\(file)")
            }
        }

        @Test("A tag with more than 256 blocks is kept in a JSON file") func manyBlocks() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    set -e
                    nfctool write -q --yes --text hello --reader 'virtual:tag.json?kind=m24lr64'
                    nfctool read --reader virtual:tag.json
                    """, in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output.contains("M24LR64") && outcome.output.contains("hello"), "\(outcome.output)")
            }
        }

        /// One serial number in 256 ends with the byte with which all UIDs begin, and readers send the bytes in either
        /// order.
        @Test func aTagWhoseUIDEndsWithE0IsWrittenAndRead() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    set -e
                    nfctool info -q --reader 'virtual:tag.nfc?kind=icode-slix' > before
                    sed -i 's/^UID: .*/UID: E0 04 01 10 12 34 56 E0/' tag.nfc
                    nfctool write -q --yes --text hello --reader virtual:tag.nfc
                    nfctool read --reader virtual:tag.nfc
                    """, in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output.contains("E0040110123456E0"), "\(outcome.output)")
                #expect(outcome.output.contains("hello"), "\(outcome.output)")
            }
        }
    }
}
