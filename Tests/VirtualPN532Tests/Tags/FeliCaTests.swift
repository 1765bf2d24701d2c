// FeliCa tags and their commands — JIS X 6319-4, NFC Forum Type 3 Tag, Sony RC-S966

import Testing

@testable import VirtualPN532

@Suite struct FeliCaTests {
    static let liteS = bytes("01 2E 57 1F 00 00 01 80")
    static let generic = bytes("02 FE 57 1F 00 00 01 80")
    private static let block = String(repeating: " 5A", count: 16)

    private func make(_ kind: VirtualTagKind) -> any VirtualTag {
        kind.make(uid: kind == .type3 ? Self.generic : Self.liteS)
    }

    /// Sends a command with its length byte and IDm filled in, and returns the answer without them.
    private func send(_ tag: any VirtualTag, _ code: String, _ parameters: String) -> String {
        let body = bytes(code) + tag.identifier + bytes(parameters)
        let answer = bytes(tag.send(String(flipperBytes: [UInt8(body.count + 1)] + body)))
        guard answer.count > 10 else { return String(flipperBytes: answer) }
        #expect(Int(answer[0]) == answer.count)
        #expect(Array(answer[2..<10]) == tag.identifier)
        return String(flipperBytes: [answer[1]] + answer[10...])
    }

    private func write(_ tag: any VirtualTag, _ block: String, _ data: String = block) -> String {
        send(tag, "08", "01 09 00 01 80 \(block)" + data)
    }

    private func read(_ tag: any VirtualTag, _ block: String) -> String {
        send(tag, "06", "01 0B 00 01 80 \(block)")
    }

    /// Polling: system code, request code, time slots; the answer without length, 01, IDm and PMm.
    @Test(arguments: [
        (VirtualTagKind.feliCaLiteS, "FF FF 00 00", ""), (.feliCaLiteS, "FF FF 01 00", "88 B4"),
        (.feliCaLiteS, "88 B4 01 00", "88 B4"), (.feliCaLiteS, "88 FF 02 00", "00 83"),
        (.feliCaLiteS, "12 FC 00 00", "-"), (.feliCaLiteS, "FE 00 00 00", "-"),
        (.feliCaLiteSNDEF, "FF FF 01 00", "88 B4"), (.feliCaLiteSNDEF, "12 FC 01 00", "12 FC"),
        (.feliCaLiteSNDEF, "12 FF 01 00", "12 FC"), (.type3, "FF FF 01 00", "12 FC"), (.type3, "88 B4 01 00", "-"),
    ])
    func pollingFindsTheSystem(kind: VirtualTagKind, request: String, extra: String) {
        let tag = make(kind)
        let answer = tag.send("06 00 " + request)
        guard extra != "-" else {
            #expect(answer == "-")
            return
        }
        let pmm = bytes(kind == .type3 ? "00 FF 00 00 00 01 43 00" : "00 F1 00 00 00 01 43 00")
        let whole = [UInt8(18 + bytes(extra).count), 0x01] + tag.identifier + pmm + bytes(extra)
        #expect(answer == String(flipperBytes: whole))
    }

    @Test func tagsTakeDifferentTimeSlots() {
        let slots = (0..<100).map { VirtualTagKind.type3.make(serial: $0).receive(bytes("06 00 FF FF 00 0F")).slot }
        #expect(Set(slots).count > 10)
        #expect(slots.allSatisfy { (0...15).contains($0) })
        let only = (0..<100).map { VirtualTagKind.type3.make(serial: $0).receive(bytes("06 00 FF FF 00 00")).slot }
        #expect(Set(only) == [0])
    }

    /// Ver 1.0, Nbr, Nbw, Nmaxb, WriteF 00, RWFlag 01, Ln 0, checksum: NFC Forum Type 3 Tag, attribute information.
    @Test(arguments: [
        (VirtualTagKind.feliCaLiteSNDEF, "10 04 01 00 0D 00 00 00 00 00 01 00 00 00 00 23"),
        (.type3, "10 0C 08 00 40 00 00 00 00 00 01 00 00 00 00 65"),
        (.feliCaLiteS, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
    ])
    func deliveredAttributes(kind: VirtualTagKind, block: String) {
        #expect(read(make(kind), "00") == "07 00 00 01 " + block)
    }

    @Test func whatIsWrittenIsRead() {
        for kind in [VirtualTagKind.feliCaLiteS, .feliCaLiteSNDEF, .type3] {
            let tag = make(kind)
            #expect(write(tag, "0D") == "09 00 00")
            #expect(read(tag, "0D") == "07 00 00 01" + Self.block)
            tag.fieldOff()
            #expect(send(tag, "06", "01 09 00 02 80 0D 00 0D 00") == "07 00 00 02" + Self.block + Self.block)
        }
    }

    @Test func aGenericTagTakesManyBlocks() throws {
        let tag = VirtualType3Tag(idm: Self.generic)
        let list = (1...8).map { " 80 0\($0)" }.joined()
        #expect(send(tag, "08", "01 09 00 08" + list + String(repeating: Self.block, count: 8)) == "09 00 00")
        #expect(tag.generation == 1)
        #expect(tag.contents[16..<144].allSatisfy { $0 == 0x5A })
        #expect(tag.contents.count == 65 * 16)
        let twelve = (1...12).map { " 80 " + String(flipperBytes: [UInt8($0)]) }.joined()
        #expect(send(tag, "06", "01 0B 00 0C" + twelve).hasPrefix("07 00 00 0C 5A"))
    }

    /// Status flags: Flipper's Lite-S emulation and nfcpy's table, and JIS X 6319-4 for the forms.
    @Test(arguments: [
        (VirtualTagKind.feliCaLiteS, "06", "01 0B 00 05 80 00 80 01 80 02 80 03 80 04", "07 FF A2"),
        (.feliCaLiteS, "06", "01 0B 00 00", "07 FF A2"), (.feliCaLiteS, "06", "02 0B 00 09 00 01 80 00", "07 FF A1"),
        (.feliCaLiteS, "06", "01 4B 00 01 80 00", "07 01 A6"), (.feliCaLiteS, "06", "01 0B 00 01 80 0F", "07 01 A8"),
        (.feliCaLiteS, "06", "01 0B 00 03 80 00 80 01 80 7F", "07 04 A8"),
        (.feliCaLiteS, "06", "01 0B 00 02 80 00 81 00", "07 02 A3"),
        (.feliCaLiteS, "06", "01 0B 00 01 90 00", "07 01 A7"), (.feliCaLiteS, "06", "01 0B 00 01 80 91", "07 01 B2"),
        (.feliCaLiteS, "08", "01 0B 00 01 80 00" + block, "09 01 A6"),
        (.feliCaLiteS, "08", "01 09 00 02 80 00 80 91" + block + block, "09 02 B2"),
        (.feliCaLiteS, "08", "01 09 00 03 80 00 80 01 80 02" + block + block + block, "09 FF A2"),
        (.feliCaLiteS, "08", "01 09 00 01 80 90" + block, "09 01 A8"),
        (.feliCaLiteS, "08", "01 09 00 01 80 83" + block, "09 01 A8"),
        (.feliCaLiteS, "08", "01 09 00 01 00 00 01" + block, "09 01 A8"),
        (.type3, "06", "01 0B 00 01 80 41", "07 01 A8"), (.type3, "06", "01 0B 00 01 00 40 01", "07 01 A8"),
        (.type3, "06", "01 0B 00 0D" + String(repeating: " 80 00", count: 13), "07 FF A2"),
        (.type3, "08", "01 09 00 02 80 01 80 41" + block + block, "09 02 A8"),
    ])
    func errorsHaveTheirStatusFlags(kind: VirtualTagKind, code: String, parameters: String, answer: String) {
        let tag = make(kind)
        #expect(send(tag, code, parameters) == answer)
        if let tag = tag as? VirtualFeliCaLiteSTag { #expect(tag.generation == 0) }
    }

    @Test func everyTruncationAndAnotherTagsCommandIsSilence() {
        for kind in [VirtualTagKind.feliCaLiteS, .type3] {
            let tag = make(kind)
            let whole = [0x20, 0x08] + tag.identifier + bytes("01 09 00 01 80 02" + Self.block)
            for length in 0..<whole.count {
                #expect(tag.receive(Array(whole.prefix(length))).answer == .silence)
                // The same bytes with a matching length byte.
                var short = Array(whole.prefix(length))
                if length > 0 { short[0] = UInt8(length) }
                #expect(tag.receive(short).answer == .silence)
            }
            var another = whole
            another[9] ^= 1
            #expect(tag.receive(another).answer == .silence)
            #expect(tag.receive(whole).answer != .silence)
            // These tags do not support Request Response and Request Service.
            #expect(tag.receive([0x0A, 0x04] + tag.identifier).answer == .silence)
        }
    }

    // MARK: FeliCa Lite-S

    @Test func systemBlocksAsDelivered() {
        let tag = make(.feliCaLiteS)
        let idm = String(flipperBytes: Self.liteS)
        #expect(read(tag, "82") == "07 00 00 01 \(idm) 00 00 00 00 00 00 00 00")
        #expect(read(tag, "83") == "07 00 00 01 \(idm) 00 F1 00 00 00 01 43 00")
        #expect(read(tag, "85").hasPrefix("07 00 00 01 88 B4 00"))
        #expect(read(tag, "88").hasPrefix("07 00 00 01 FF FF FF 00 07 00 00"))
        #expect(read(tag, "0E") == "07 00 00 01" + String(repeating: " FF", count: 16))
        for block in ["80", "81", "84", "86", "87", "90", "92", "A0"] {
            #expect(read(tag, block) == "07 00 00 01" + String(repeating: " 00", count: 16), "\(block)")
        }
    }

    @Test func theCardKeyCannotBeRead() throws {
        let tag = VirtualFeliCaLiteSTag(idm: Self.liteS)
        #expect(write(tag, "87") == "09 00 00")
        #expect(tag[0x87] == [UInt8](repeating: 0x5A, count: 16))
        #expect(read(tag, "87") == "07 00 00 01" + String(repeating: " 00", count: 16))
    }

    @Test func identityStaysWhenTheIDBlockIsWritten() {
        let tag = make(.feliCaLiteS)
        #expect(write(tag, "82") == "09 00 00")
        #expect(read(tag, "82") == "07 00 00 01 " + String(flipperBytes: Self.liteS) + " 5A 5A 5A 5A 5A 5A 5A 5A")
        #expect(write(tag, "86") == "09 00 00")
        #expect(read(tag, "86") == "07 00 00 01 5A 5A" + String(repeating: " 00", count: 14))
    }

    @Test func writesAreCounted() {
        let tag = make(.feliCaLiteS)
        for _ in 0..<300 { _ = write(tag, "01") }
        #expect(read(tag, "90").hasPrefix("07 00 00 01 2C 01 00 00"))
    }

    @Test func sysOPBringsTheNDEFSystemAfterTheFieldWasOff() {
        let tag = make(.feliCaLiteS)
        #expect(write(tag, "88", " FF FF FF 01 07" + String(repeating: " 00", count: 11)) == "09 00 00")
        #expect(read(tag, "88").hasPrefix("07 00 00 01 FF FF FF 01 07"))
        #expect(tag.send("06 00 12 FC 00 00") == "-")
        tag.fieldOff()
        #expect(tag.send("06 00 12 FC 00 00") != "-")
    }

    @Test func lockedBlocksStayLocked() {
        let tag = make(.feliCaLiteSNDEF)
        // S_PAD0 and S_PAD3 read-only.
        #expect(write(tag, "88", " F6 FF FF 01 07" + String(repeating: " 00", count: 11)) == "09 00 00")
        #expect(write(tag, "03") == "09 00 00")
        tag.fieldOff()
        #expect(write(tag, "03") == "09 01 A8")
        #expect(write(tag, "00") == "09 01 A8")
        #expect(write(tag, "04") == "09 00 00")
        #expect(write(tag, "88", " FF FF FF 01 07" + String(repeating: " 00", count: 11)) == "09 00 00")
        tag.fieldOff()
        #expect(read(tag, "88").hasPrefix("07 00 00 01 F6 FF"))
        #expect(write(tag, "03") == "09 01 A8")
    }

    @Test func lockedSystemBlocksKeepKeyAndConfiguration() {
        let tag = make(.feliCaLiteSNDEF)
        #expect(write(tag, "88", " FF 7F 00 01 07" + String(repeating: " 00", count: 11)) == "09 00 00")
        tag.fieldOff()
        for block in ["82", "84", "86", "87"] { #expect(write(tag, block) == "09 01 A8") }
        #expect(write(tag, "88", String(repeating: " 00", count: 16)) == "09 00 00")
        #expect(read(tag, "88") == "07 00 00 01 FF 7F 00 01 07" + String(repeating: " 00", count: 11))
        #expect(write(tag, "05") == "09 00 00")
    }

    @Test func restrictedBlocksWantAuthentication() {
        let tag = make(.feliCaLiteS)
        // Reading S_PAD1 and writing S_PAD2 require authentication, and S_PAD4 requires a MAC.
        let restrictions = " FF FF FF 00 07 00 02 00 04 00 10 00 00 00 00 00"
        #expect(write(tag, "88", restrictions) == "09 00 00")
        tag.fieldOff()
        #expect(read(tag, "01") == "07 01 B1")
        #expect(send(tag, "06", "01 0B 00 02 80 00 80 01") == "07 02 B1")
        #expect(write(tag, "01") == "09 00 00")
        #expect(write(tag, "02") == "09 01 B1")
        #expect(write(tag, "04") == "09 01 A8")
    }

    @Test func theSubtractionRegisterOnlyFalls() {
        let tag = make(.feliCaLiteS)
        let smaller = " 64 00 00 00 FF FF FF FF 01 02 03 04 05 06 07 08"
        #expect(write(tag, "0E", smaller) == "09 00 00")
        #expect(read(tag, "0E") == "07 00 00 01" + smaller)
        _ = write(tag, "0E", " 65 00 00 00" + String(repeating: " 00", count: 12))
        #expect(read(tag, "0E") == "07 00 00 01" + smaller)
    }

    // MARK: Power failures

    @Test func aTornBlockMixesOldAndNewBytes() throws {
        for kind in [VirtualTagKind.feliCaLiteSNDEF, .type3] {
            var seen: Set<String> = []
            for serial in 0..<32 {
                let tag = kind.make(serial: serial)
                tag.receiveTorn([0x20, 0x08] + tag.identifier + bytes("01 09 00 01 80 02" + Self.block))
                let data = bytes(read(tag, "02")).dropFirst(4)
                #expect(data.count == 16)
                #expect(data.allSatisfy { $0 == 0x00 || $0 == 0x5A })
                seen.insert(String(flipperBytes: data))
            }
            #expect(seen.count > 20)
        }
    }

    @Test func aTornConfigurationIsOldOrNew() {
        var seen: Set<String> = []
        for serial in 0..<32 {
            let tag = VirtualTagKind.feliCaLiteS.make(serial: serial)
            let new = "FE FF FF 01 07" + String(repeating: " 00", count: 11)
            tag.receiveTorn([0x20, 0x08] + tag.identifier + bytes("01 09 00 01 80 88 " + new))
            seen.insert(read(tag, "88"))
        }
        #expect(
            seen == [
                "07 00 00 01 FF FF FF 00 07" + String(repeating: " 00", count: 11),
                "07 00 00 01 FE FF FF 01 07" + String(repeating: " 00", count: 11),
            ])
    }

    @Test func aTornWriteOfManyBlocksEndsAnywhere() {
        var lengths: Set<Int> = []
        for serial in 0..<64 {
            let tag = VirtualType3Tag(idm: Self.generic.prefix(6) + UInt16(serial).bigEndianBytes)
            let list = bytes((1...8).map { "80 0\($0)" }.joined(separator: " "))
            let body = [0x08] + tag.identifier + bytes("01 09 00 08") + list + [UInt8](repeating: 0x5A, count: 128)
            tag.receiveTorn([UInt8(body.count + 1)] + body)
            let data = tag.contents[16..<144]
            let whole = data.prefix { $0 == 0x5A }.count / 16
            #expect(data.dropFirst(16 * (whole + 1)).allSatisfy { $0 == 0x00 })
            lengths.insert(whole)
        }
        #expect(lengths.count > 5)
    }
}
