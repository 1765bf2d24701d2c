// Independent programs on `nfctool simulate`: libnfc's nfc-list and nfc-mfultralight, nfcpy, libfreefare, mfoc

import Foundation
import Testing

extension BuiltBinary {
    /// `Scripts/test` installs them, and names the Python with nfcpy in `NFCTOOL_TEST_PYTHON`.
    @Suite struct StockClientTests {
        private static let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"] ?? "python3"

        /// Runs a shell line with a simulator.
        ///
        /// `$READER` is its connection string, and `$PORT` its path.
        private func onSimulator(_ arguments: [String], _ line: String, in folder: String? = nil) async throws
            -> Outcome
        {
            var outcome: Outcome?
            _ = try await Tool.start(["simulate"] + arguments) { simulator in
                let reader = try await simulator.line { $0.hasPrefix("pn532_uart:") }
                outcome = try await Tool.shell(
                    "export READER=\(reader); export PORT=${READER#*:} LIBNFC_DEVICE=$READER; " + line, in: folder)
                simulator.send(SIGTERM)
            }
            return try #require(outcome)
        }

        @Test func nfcListSeesTheTag() async throws {
            let outcome = try await onSimulator(["--tag", "ntag215"], "nfc-list")
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("1 ISO14443A passive target(s) found"))
            #expect(outcome.output.contains("UID (NFCID1): 04  11  57  1f  00  01  80"))
        }

        @Test func nfcMfultralightReadsWhatNfctoolWrote() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await onSimulator(
                    ["--tag", "ntag215"],
                    "nfctool write --reader $READER --text Hello --quiet && nfc-mfultralight r dump.mfd", in: folder)
                #expect(outcome.output.contains("Done, 135 of 135 pages read (0 pages failed)."))
                let dump = try Data(contentsOf: URL(fileURLWithPath: folder + "/dump.mfd"))
                // Block 4 on: NDEF TLV, text record, terminator.
                #expect(
                    [UInt8](dump.dropFirst(16).prefix(15)) == [0x03, 0x0C, 0xD1, 0x01, 0x08, 0x54, 0x02]
                        + Array("enHello".utf8) + [0xFE])
            }
        }

        @Test(arguments: [
            "ntag203", "ntag213", "ntag215", "ntag216", "ntag-i2c-1k", "topaz512", "felica-lite-s-ndef", "type3",
            "type4",
            "type4b", "ntag424",
        ])
        func nfcpyReadsWhatNfctoolWroteAndTheOtherWayRound(kind: String) async throws {
            let script = """
                import sys, nfc, nfc.clf.transport, nfc.clf.pn532, ndef
                clf = nfc.ContactlessFrontend()
                clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
                tag = clf.connect(rdwr={'on-connect': lambda tag: False})
                print([record.text for record in tag.ndef.records])
                tag.ndef.records = [ndef.UriRecord('https://example.org/' + 'x' * 100)]
                clf.close()
                """
            let outcome = try await onSimulator(
                ["--tag", kind],
                """
                nfctool write --reader $READER --text 'Grüße' --quiet &&
                \(Self.python) -c "\(script)" $PORT &&
                nfctool read --reader $READER
                """)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("['Grüße']"))
            #expect(outcome.output.contains("https://example.org/" + String(repeating: "x", count: 100)))
        }

        /// A Topaz 96 and a FeliCa Lite-S as delivered, with shorter messages and nfctool's own format.
        @Test func nfcpyReadsTagsThatNfctoolFormatted() async throws {
            for kind in ["topaz96-blank", "felica-lite-s", "ultralight", "ultralight-c"] {
                let script = """
                    import sys, nfc, nfc.clf.transport, nfc.clf.pn532, ndef
                    clf = nfc.ContactlessFrontend()
                    clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
                    tag = clf.connect(rdwr={'on-connect': lambda tag: False})
                    print([record.text for record in tag.ndef.records])
                    clf.close()
                    """
                let outcome = try await onSimulator(
                    ["--tag", kind],
                    """
                    nfctool format --yes --quiet --reader $READER && nfctool write --reader $READER --text Hi --quiet &&
                    \(Self.python) -c "\(script)" $PORT
                    """)
                #expect(outcome.status == 0, "\(kind): \(outcome.errors)")
                #expect(outcome.output.contains("['Hi']"))
            }
        }

        /// libfreefare accepts an NDEF area only with its own keys, so each program formats the card once.
        @Test func libfreefareReadsMIFAREClassicThatNfctoolWroteAndTheOtherWayRound() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await onSimulator(
                    ["--tag", "classic1k"],
                    """
                    nfctool write --yes --quiet --reader $READER --text 'from nfctool' &&
                    mifare-classic-read-ndef -y -o read.ndef && nfctool ndef decode read.ndef
                    """, in: folder)
                #expect(outcome.output.contains("from nfctool"), "\(outcome.errors)")
                let back = try await onSimulator(
                    ["--tag", "classic1k"],
                    """
                    nfctool ndef encode --text 'from libfreefare' > message.ndef &&
                    mifare-classic-write-ndef -y -i message.ndef && nfctool read --reader $READER
                    """, in: folder)
                #expect(back.output.contains("from libfreefare"), "\(back.errors)")
            }
        }

        /// Gives the card its own keys, 102030405060 and A1B2C3D4E5F6, which the file own.mct contains afterwards.
        private static let giveOwnKeys = """
            nfctool dump --quiet --reader $READER blank.mct &&
            sed 's/^FFFFFFFFFFFFFF078069F*/1020304050607F078840A1B2C3D4E5F6/' blank.mct > own.mct &&
            nfctool restore own.mct --configuration --yes --quiet --reader $READER 2> /dev/null &&
            """

        /// nfc-mfclassic opens the sectors with the keys in a file, but libfreefare needs a card with factory keys.
        @Test func stockProgramsReadACardWithOwnKeysAndTakeOneThatWasReset() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await onSimulator(
                    ["--tag", "classic1k"],
                    """
                    \(Self.giveOwnKeys)
                    nfctool dump --quiet --reader $READER --key-file own.mct ours.mfd &&
                    nfc-mfclassic r B u theirs.mfd ours.mfd > log && cmp ours.mfd theirs.mfd && echo same &&
                    nfctool format --factory --yes --quiet --reader $READER --key-file theirs.mfd 2> /dev/null &&
                    nfctool ndef encode --text 'from libfreefare' > message.ndef &&
                    mifare-classic-write-ndef -y -i message.ndef && nfctool read --reader $READER
                    """, in: folder)
                #expect(outcome.output.contains("same"), "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("from libfreefare"), "\(outcome.errors)")
            }
        }

        /// The list has a comment and an empty line.
        ///
        /// The dump of mfoc is a key file for nfctool.
        @Test func mfocOpensACardWithTheSameListOfKeys() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await onSimulator(
                    ["--tag", "classic1k"],
                    """
                    \(Self.giveOwnKeys)
                    printf '# ours\\n102030405060\\n\\nA1B2C3D4E5F6\\n' > keys.dic &&
                    nfctool dump --quiet --reader $READER --key-file keys.dic ours.mfd &&
                    mfoc -f keys.dic -O theirs.mfd > log 2>&1 && cmp ours.mfd theirs.mfd && echo same &&
                    nfctool info --reader $READER --key-file theirs.mfd
                    """, in: folder)
                #expect(outcome.output.contains("same"), "\(outcome.output)\(outcome.errors)")
                let opened = "key A is a key from theirs.mfd, key B is a key from theirs.mfd"
                #expect(outcome.output.contains(opened), "\(outcome.output)\(outcome.errors)")
            }
        }

        @Test func libfreefareReadsDESFireThatNfctoolFormattedAndTheOtherWayRound() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await onSimulator(
                    ["--tag", "desfire"],
                    """
                    nfctool write --yes --quiet --reader $READER --text 'from nfctool' &&
                    mifare-desfire-read-ndef -y -o read.ndef && nfctool ndef decode read.ndef
                    """, in: folder)
                #expect(outcome.output.contains("from nfctool"), "\(outcome.errors)")
                let back = try await onSimulator(
                    ["--tag", "desfire"],
                    """
                    nfctool ndef encode --text 'from libfreefare' > message.ndef && mifare-desfire-create-ndef -y &&
                    mifare-desfire-write-ndef -y -i message.ndef && nfctool read --reader $READER
                    """, in: folder)
                #expect(back.output.contains("from libfreefare"), "\(back.errors)")
            }
        }

        @Test func theLinkLeadsToTheReaderAndGoesWithIt() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await onSimulator(
                    ["--symlink", folder + "/reader"], "nfctool read --reader pn532_uart:\(folder)/reader --json")
                #expect(outcome.status == 0)
                #expect(try outcome.json()["uid"] as? String == "04A1B2C3D4E580")
                #expect(!FileManager.default.fileExists(atPath: folder + "/reader"))
            }
        }

        @Test func theControlSocketChangesTheField() async throws {
            try await Tool.withFolder { folder in
                let script = """
                    import socket, sys
                    link = socket.socket(socket.AF_UNIX); link.connect(sys.argv[1]); lines = link.makefile('rw')
                    for command in sys.argv[2:]:
                        print(command, file=lines, flush=True); print(lines.readline().strip())
                    """
                let outcome = try await onSimulator(
                    ["--control", folder + "/control"],
                    "\(Self.python) -c \"\(script)\" \(folder)/control remove list 'place type4' list && nfctool read --reader $READER --json"
                )
                let lines = outcome.output.split(separator: "\n")
                #expect(lines.prefix(3) == ["ok", "ok", "ok"])
                #expect(outcome.output.contains("\"tagType\":4"))
            }
        }
    }
}
