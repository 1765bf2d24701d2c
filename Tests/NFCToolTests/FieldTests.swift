// Features that users expect of an NFC tool, row by row from the field notes, on the virtual reader

import Foundation
import Testing

extension BuiltBinary {
    /// Rows 1.1 (tags) and 1.3 (operations) of the notes' feature table.
    ///
    /// Each test has the row's name.
    @Suite struct FieldTests {
        /// A row, a shell line, and the strings that must appear in its output, in this order.
        struct Row: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let line: String
            let expected: [String]

            init(_ row: String, _ line: String, _ expected: String...) {
                testDescription = row
                self.line = line
                self.expected = expected
            }
        }

        /// Returns a line that runs with a simulator.
        ///
        /// Tags without files exist only in the simulator's memory.
        private static func simulated(_ kind: String, _ line: String) -> String {
            """
            nfctool simulate --tag \(kind) --symlink reader > simulator & trap "kill $!" EXIT
            until [ -s simulator ]; do sleep 0.02; done; export NFCTOOL_READER=pn532_uart:$PWD/reader; \(line)
            """
        }

        private static let tags = [
            Row(
                "Type 1 (Topaz/Jewel) NDEF",
                simulated(
                    "topaz96-blank",
                    "nfctool format --yes && nfctool write --text hi && nfctool read && nfctool lock --yes"),
                "Formatted", "Wrote 9 bytes", "90 bytes", "Text  hi", "Locked"),
            Row(
                "Type 2 (NTAG/Ultralight) NDEF read", "nfctool read --reader virtual", "NTAG215",
                "Hello from nfctool"),
            Row(
                "Type 2 NDEF write", "nfctool write --reader virtual:ntag216 --text hi",
                "Wrote 9 bytes to NTAG216", "read back and compared"),
            Row(
                "Type 2 blank/unformatted → NDEF (write CC)",
                "nfctool write --yes --reader virtual:ultralight-ev1 --text hi", "Wrote 9 bytes", "46 bytes"),
            Row(
                "Type 3 (FeliCa) NDEF",
                simulated("felica-lite-s", "nfctool format --yes && nfctool write --text hi && nfctool read"),
                "Formatted", "208 bytes", "Text  hi"),
            Row(
                "Type 4A/4B NDEF",
                "for k in type4 type4b; do nfctool write --text hi --reader virtual:$k.nfc?serial=1,kind=$k && nfctool read --reader virtual:$k.nfc?serial=1; done",
                "Text  hi", "Text  hi", "Text  hi", "Text  hi"),
            Row(
                "Type 4 create app on blank DESFire / NTAG 424",
                "nfctool format --yes --reader virtual:d.nfc?serial=1,kind=desfire && nfctool write --text hi --reader virtual:d.nfc?serial=1 && nfctool info --reader virtual:d.nfc?serial=1",
                "Formatted MIFARE DESFire", "Wrote 9 bytes", "E104"),
            Row(
                "Type 5 (ISO 15693)",
                "nfctool read --type 5 --reader virtual 2>&1; echo $?; nfctool read --type 5 --reader virtual:icode-slix2-ndef",
                "does not support NFC-V (ISO 15693)", "Type 5 Tags", "78", "ICODE SLIX2, Type 5 Tag"),
            Row(
                "MIFARE Classic NDEF (MAD) read/write/format",
                "nfctool format --yes --reader virtual:c.nfc?serial=1,kind=classic1k && nfctool write --text hi --reader virtual:c.nfc?serial=1 && nfctool read --reader virtual:c.nfc?serial=1",
                "Formatted", "Wrote 9 bytes", "716 bytes", "Text  hi"),
            Row(
                "Chip identification (GET_VERSION → NTAG213/5/6, UL EV1, I2C…)",
                "for k in ntag203 ntag213 ntag215 ntag216 ultralight-ev1 ultralight-c ntag-i2c-1k desfire; do nfctool info --reader virtual:$k | head -1; done",
                "NTAG203", "NTAG213", "NTAG215", "NTAG216", "MIFARE Ultralight EV1", "Ultralight C", "NTAG I2C",
                "MIFARE DESFire EV1"),
            Row(
                "Several tags in field: list / refuse",
                "nfctool read --reader virtual:ntag213,type4; nfctool write --text x --reader virtual:ntag213,type4 2>&1; echo $?",
                "Type 4 Tag", "NTAG213", "2 tags are on the reader", "78"),
        ]

        private static let operations = [
            Row("Read + decode to human text", "nfctool read --reader virtual", "1  Text", "2  URI"),
            Row(
                "Append / edit one record",
                "nfctool write --text a --reader virtual:t.nfc?serial=1 && nfctool write --append --uri https://b.example --reader virtual:t.nfc?serial=1",
                "1  Text  a", "1  Text  a", "2  URI   https://b.example"),
            Row(
                "Erase to empty / format / wipe",
                "nfctool write --text secret --reader virtual:t.nfc?serial=1 && nfctool erase --wipe --reader virtual:t.nfc?serial=1 && grep 'Page [45]:' t.nfc",
                "Wiped", "empty", "Page 4: 03 00 FE 00", "Page 5: 00 00 00 00"),
            Row(
                "Lock permanently (CC + static + dynamic lock bits)",
                "nfctool write --text a --reader virtual:t.nfc?serial=1 && nfctool lock --yes --reader virtual:t.nfc?serial=1 && grep -E 'Page (2|3|130):' t.nfc; nfctool erase --reader virtual:t.nfc?serial=1 2>&1; echo $?",
                "Locked", "FF FF", "E1 10 3E 0F", "Page 130: FF 00 0F", "77"),
            Row(
                "Password protect / remove (PWD/PACK/AUTH0/PROT/AUTHLIM)",
                "echo 11223344 > p; nfctool protect --password-file p --reader virtual:t.nfc?serial=1 && grep 'Page 3:' t.nfc && nfctool write --text x --reader virtual:t.nfc?serial=1 2>&1; echo $?; nfctool write --text x --password-file p --reader virtual:t.nfc?serial=1 && nfctool unprotect --password-file p --reader virtual:t.nfc?serial=1 && nfctool write --text y --reader virtual:t.nfc?serial=1",
                "E1 10 3E 00", "77", "Text  x", "Text  y"),
            Row(
                "Verify after write (readback compare)", "nfctool write --json --text hi --reader virtual:ntag213",
                "\"sha256\":\"", "\"verified\":true"),
            Row(
                "Capacity check before any write, with numbers",
                "nfctool write --reader virtual:ntag213 --text \"$(printf '%0200d' 0)\" 2>&1; echo $?", "207", "137",
                "78"),
            Row(
                "Tear-safe order (length 0 → body → length)",
                "nfctool write --text old --reader virtual:t.nfc?serial=1; nfctool write --no-wait --no-journal --text 'a longer new one' --reader 'virtual:t.nfc?serial=1,loss=8' 2>&1; nfctool read --reader virtual:t.nfc?serial=1",
                "now holds an empty message", "empty"),
            Row(
                "Recovery of a torn tag",
                "nfctool write --text old --reader virtual:t.nfc?serial=1; nfctool write --no-wait --text 'a longer new one' --reader 'virtual:t.nfc?serial=1,tear=8'; nfctool recover --reader virtual:t.nfc?serial=1",
                "Finished the write", "a longer new one"),
            Row(
                "Dump: .mfd/.bin",
                "nfctool dump d.bin --reader virtual && wc -c < d.bin && nfctool dump c.mfd --reader virtual:classic1k && wc -c < c.mfd",
                "540", "1024"),
            Row(
                "Dump: Flipper `.nfc`, `.json`, `.eml`, MCT",
                "nfctool dump d.nfc --reader virtual && head -1 d.nfc && nfctool dump d.json --reader virtual && grep -o '\"FileType\": *\"[^\"]*\"' d.json && nfctool diff d.nfc d.json",
                "Flipper NFC device", "mfu"),
            Row(
                "Restore image safely (skip UID/lock/CC unless asked)",
                "nfctool write --quiet --text a --reader virtual:t.nfc?serial=1; nfctool dump d.nfc --reader virtual:t.nfc?serial=1; nfctool write --quiet --text b --reader virtual:t.nfc?serial=1; nfctool restore d.nfc --reader virtual:t.nfc?serial=1 && nfctool read --reader virtual:t.nfc?serial=1",
                "Restored", "Text  a"),
            Row(
                "UID mirror / NFC counter mirror",
                "nfctool write --uri 'https://x.example/?u={uid:mirror}x{counter:mirror}' --reader virtual:t.nfc?serial=1,kind=ntag213 && nfctool read --reader virtual:t.nfc?serial=1",
                "u=0410571F000180x0000"),
            Row(
                "Read NFC counter", "nfctool info --json --reader virtual:ultralight-ev1", "\"counters\":[{"),
            Row(
                "Originality signature verify (secp128r1)",
                // The UID and signature of a real NTAG (proxmark3, tools/recover_pk.py).
                """
                nfctool info --reader virtual:t.nfc?serial=1 | grep Signature
                sed -i -e 's/^UID: .*/UID: 04 E1 0C DA 99 3C 80/' -e 's/^Page 0: .*/Page 0: 04 E1 0C 61/' \
                    -e 's/^Page 1: .*/Page 1: DA 99 3C 80/' -e 's/^Page 2: .*/Page 2: FF 48 00 00/' \
                    -e 's/^Signature: .*/Signature: 8B 76 05 2E E4 2F 55 67 BE B5 32 38 B3 E3 F9 95 07 07 C0 DC C9 56 B5 C5 EF CF DB 70 9B 2D 82 B3/' t.nfc
                nfctool info --reader virtual:t.nfc?serial=1 | grep Signature; nfctool info --reader virtual:ultralight-c | grep Signature
                """, "genuine", "not supported"),
        ]

        @Test(arguments: tags + operations) func row(_ row: Row) async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(row.line, in: folder)
                var rest = outcome.output[...]
                for text in row.expected {
                    let found = rest.firstRange(of: text)
                    #expect(found != nil, "\(text) is not in\n\(rest)\n\(outcome.errors)")
                    rest = rest[(found?.upperBound ?? rest.startIndex)...]
                }
            }
        }
    }
}
