// FeliCa Standard and the commands of its Mode 0 — Sony, FeliCa Card User's Manual; JIS X 6319-4

import Testing

@testable import VirtualPN532

@Suite struct FeliCaStandardTests {
    private static let idm = "01 2E 57 1F 00 00 01 80"
    /// The IDm of system 1 of the same card.
    private static let second = "11 2E 57 1F 00 00 01 80"
    private static let pmm = "10 0B 4B 42 84 85 D0 FF"
    private static let zeros = String(repeating: " 00", count: 16)
    private static let block = String(repeating: " 5A", count: 16)
    private static let other = String(repeating: " A5", count: 16)

    private func make(
        _ specification: FeliCaSpecification = FeliCaSpecification(), systems: [FeliCaSystem]? = nil
    ) -> VirtualFeliCaStandardTag {
        VirtualFeliCaStandardTag(
            idm: bytes(Self.idm), specification: specification,
            systems: systems ?? [VirtualFeliCaStandardTag.transport, VirtualFeliCaStandardTag.ndef])
    }

    /// Sends a command with its length byte and IDm filled in, and returns the answer without them, or `-` for silence.
    private func send(
        _ tag: VirtualFeliCaStandardTag, _ code: String, _ parameters: String = "", to idm: String = idm
    ) -> String {
        let body = bytes(code) + bytes(idm) + bytes(parameters)
        let answer = bytes(tag.send(String(flipperBytes: [UInt8(body.count + 1)] + body)))
        guard answer.count > 10 else { return "-" }
        #expect(Int(answer[0]) == answer.count)
        #expect(Array(answer[2..<10]) == bytes(idm))
        return String(flipperBytes: [answer[1]] + answer[10...])
    }

    private func code(_ number: Int) -> String { String(flipperBytes: [UInt8(number)]) }

    // MARK: Finding

    /// System code, request code and time slots, and IDm and the bytes after PMm.
    @Test(arguments: [
        ("FF FF 00 00", idm, ""), ("FF FF 01 00", idm, " 00 03"), ("00 03 00 00", idm, ""),
        ("00 03 01 00", idm, " 00 03"), ("00 FF 02 00", idm, " 00 83"), ("FF 03 01 03", idm, " 00 03"),
        ("12 FC 00 00", second, ""), ("12 FC 01 00", second, " 12 FC"), ("12 FC 02 0F", second, " 00 83"),
        ("FF FC 01 00", second, " 12 FC"), ("88 B4 00 00", "", ""), ("FE 00 00 00", "", ""),
    ])
    func pollingNamesTheSystemInIDm(request: String, idm: String, extra: String) {
        let length = idm.isEmpty ? "" : String(flipperBytes: [UInt8(18 + bytes(extra).count)])
        #expect(make().send("06 00 " + request) == (idm.isEmpty ? "-" : "\(length) 01 \(idm) \(Self.pmm)\(extra)"))
    }

    /// Request Response, Request System Code, Request Specification Version and Reset Mode, with the response after the
    /// IDm.
    @Test(arguments: [
        ("04", "", "05 00"), ("0C", "", "0D 02 00 03 12 FC"), ("3C", "00 00", "3D 00 00 00 00 05 01 00 01"),
        ("3E", "00 00", "3F 00 00"), ("3C", "00 01", "-"), ("3E", "01 00", "-"), ("3C", "", "-"), ("04", "00", "-"),
        // Authentication1, and a command that does not exist.
        ("10", "01 00 00 01 0F 09 01 02 03 04 05 06 07 08", "-"), ("FE", "", "-"),
    ])
    func requestsOfBothSystemsAreAnsweredAlike(code: String, parameters: String, answer: String) {
        let tag = make()
        for idm in [Self.idm, Self.second] { #expect(send(tag, code, parameters, to: idm) == answer) }
    }

    @Test func aCardWithAESOnlySaysSo() {
        var specification = FeliCaSpecification()
        specification.encryption = .aes
        specification.basicVersion = 0x0412
        let tag = make(specification)
        #expect(send(tag, "3C", "00 00") == "3D 00 00 00 12 04 00")
        #expect(send(tag, "32", "02 FF FF 0D 10") == "33 00 00 4F 02 01 00 FF FF")
        #expect(send(tag, "02", "01 00 00") == "03 01 01 00")
    }

    // MARK: Request Service

    /// Nodes, low byte first, and the versions of their DES keys.
    ///
    /// The version is FFFF for a node that does not exist.
    @Test(arguments: [
        ("01 FF FF", "03 01 02 00"), ("01 00 00", "03 01 02 00"), ("01 0F 09", "03 01 04 00"),
        ("01 0C 09", "03 01 04 00"), ("01 0B 09", "03 01 FF FF"), ("01 09 0F", "03 01 FF FF"),
        ("03 8B 00 09 00 48 00", "03 03 04 00 FF FF 04 00"), ("00", "-"), ("02 00 00", "-"), ("01 00 00 00", "-"),
    ])
    func requestServiceTellsKeyVersions(nodes: String, answer: String) {
        #expect(send(make(), "02", nodes) == answer)
    }

    /// The same as for Request Service, with status flags, encryption identifier, and the AES versions before those of
    /// DES.
    @Test(arguments: [
        ("01 FF FF", "33 00 00 41 01 01 00 02 00"), ("02 00 00 0F 09", "33 00 00 41 02 01 00 03 00 02 00 04 00"),
        ("02 0F 09 0B 09", "33 00 00 41 02 03 00 FF FF 04 00 FF FF"), ("00", "33 FF A1"), ("01 00", "-"),
    ])
    func requestServiceV2TellsTheVersionsOfBothCiphers(nodes: String, answer: String) {
        #expect(send(make(), "32", nodes) == answer)
    }

    @Test func thirtyTwoNodesAreTheMost() {
        let tag = make()
        let most = "20" + String(repeating: " 0F 09", count: 32)
        let tooMany = "21" + String(repeating: " 0F 09", count: 33)
        #expect(send(tag, "02", most) == "03 20" + String(repeating: " 04 00", count: 32))
        #expect(
            send(tag, "32", most) == "33 00 00 41 20" + String(repeating: " 03 00", count: 32)
                + String(repeating: " 04 00", count: 32))
        #expect(send(tag, "02", tooMany) == "-")
        #expect(send(tag, "32", tooMany) == "33 FF A1")
    }

    /// The root area with its last code, and the services in the order of their codes, followed by `FFFF`.
    @Test func searchServiceCodeWalksThroughASystem() {
        let tag = make()
        let nodes = ["00 00 FE FF", "48 00", "88 00", "8B 00", "0C 09", "0F 09", "09 10", "4D 10", "FF FF"]
        for (index, node) in nodes.enumerated() { #expect(send(tag, "0A", code(index) + " 00") == "0B " + node) }
        #expect(send(tag, "0A", "00 01") == "0B FF FF")
        #expect(send(tag, "0A", "02 00", to: Self.second) == "0B 0B 00")
        #expect(send(tag, "0A", "03 00", to: Self.second) == "0B FF FF")
    }

    @Test func eachSystemHasItsOwnServices() {
        let tag = make()
        #expect(send(tag, "02", "02 09 00 0F 09", to: Self.idm) == "03 02 FF FF 04 00")
        #expect(send(tag, "02", "02 09 00 0F 09", to: Self.second) == "03 02 04 00 FF FF")
        #expect(send(tag, "06", "01 0B 00 01 80 00", to: Self.idm) == "07 01 A6")
        #expect(
            send(tag, "06", "01 0B 00 01 80 00", to: Self.second)
                == "07 00 00 01 10 0C 08 00 40 00 00 00 00 00 01 00 00 00 00 65")
    }

    // MARK: Read Without Encryption

    @Test func twentyJourneysAreReadInTwoCommandsTheNewestFirst() {
        let tag = make()
        for (range, length) in [(0..<12, "0C"), (12..<20, "08")] {
            let list = range.map { " 80 " + code($0) }.joined()
            let answer = bytes(send(tag, "06", "01 0F 09 \(length)" + list))
            #expect(Array(answer.prefix(4)) == bytes("07 00 00 " + length))
            let numbers = range.map { index in Int(answer[4 + 16 * (index - range.lowerBound) + 14]) }
            #expect(numbers == range.map { 20 - $0 })
        }
    }

    /// Two services in one command, in elements of two and of three bytes.
    @Test(arguments: ["80 00 81 03 80 00", "00 00 00 81 03 80 00", "80 00 01 03 00 00 00 00"])
    func oneCommandReadsSeveralServices(list: String) {
        let tag = make()
        #expect(send(tag, "08", "01 09 10 01 80 03" + Self.block) == "09 00 00")
        let attributes = String(repeating: " 8B", count: 16)
        #expect(send(tag, "06", "02 8B 00 09 10 03 " + list) == "07 00 00 03" + attributes + Self.block + attributes)
    }

    /// Status Flag1 is the position in the list, or FF if there is none: "Status Flag" in the manual.
    @Test(arguments: [
        ("06", "00 01 80 00", "07 FF A1"),
        ("06", "11" + String(repeating: " 0F 09", count: 17) + " 01 80 00", "07 FF A1"),
        ("06", "01 0F 09 00", "07 FF A2"), ("06", "01 0F 09 0D" + String(repeating: " 80 00", count: 13), "07 FF A2"),
        ("06", "01 0F 09 01 81 00", "07 01 A3"), ("06", "01 0F 09 03 80 00 80 01 82 00", "07 03 A3"),
        ("06", "01 48 00 01 80 00", "07 01 A4"), ("06", "01 00 00 01 80 00", "07 01 A4"),
        ("06", "02 0F 09 0C 09 02 80 00 81 00", "07 02 A4"),
        ("06", "01 09 00 01 80 00", "07 01 A6"), ("06", "02 0F 09 0B 09 02 80 00 81 00", "07 02 A6"),
        ("06", "01 0F 09 01 90 00", "07 01 A7"), ("06", "01 0F 09 02 80 00 F0 00", "07 02 A7"),
        ("06", "01 0F 09 01 80 14", "07 01 A8"), ("06", "01 0F 09 01 00 00 01", "07 01 A8"),
        ("06", "01 0F 09 0A" + String(repeating: " 80 00", count: 9) + " 80 14", "07 0A A8"),
        ("08", "01 8B 00 01 80 00" + block, "09 01 A5"), ("08", "01 0F 09 01 80 00" + block, "09 01 A5"),
        ("08", "01 0C 09 01 80 00" + block, "09 01 A4"), ("08", "01 0D 09 01 80 00" + block, "09 01 A6"),
        ("08", "01 09 10 02 80 00 80 04" + block + block, "09 02 A8"),
        ("08", "01 4D 10 01 80 01" + block, "09 01 A8"),
        ("08", "01 4D 10 04 80 00 80 00 80 00 80 00" + block + block + block + block, "09 04 AF"),
        ("08", "01 09 10 09" + String(repeating: " 80 00", count: 9) + String(repeating: block, count: 9), "09 FF A2"),
        ("08", "02 09 10 8B 00 02 80 00 81 00" + block + block, "09 02 A5"), ("08", "00 00", "09 FF A1"),
        ("08", "01 09 10 01 80 00", "-"), ("08", "01 09 10 02 80 00 80 01" + block, "-"),
    ])
    func errorsHaveTheirStatusFlagsAndChangeNothing(code: String, parameters: String, answer: String) {
        let tag = make()
        let old = tag.systems
        #expect(send(tag, code, parameters) == answer)
        #expect(tag.systems == old)
        #expect(tag.generation == 0)
    }

    // MARK: Write Without Encryption

    @Test func whatIsWrittenIsReadAndKept() {
        let tag = make()
        #expect(send(tag, "08", "01 09 10 02 80 01 00 03 00" + Self.block + Self.other) == "09 00 00")
        #expect(tag.generation == 1)
        tag.fieldOff()
        let all = "01 09 10 04 80 00 80 01 80 02 80 03"
        #expect(send(tag, "06", all) == "07 00 00 04" + Self.zeros + Self.block + Self.zeros + Self.other)
        #expect(tag.systems[0][service: 0x1009][1] == [UInt8](repeating: 0x5A, count: 16))
    }

    @Test func aCyclicServiceForgetsItsOldest() {
        let tag = make()
        for data in [Self.block, Self.other] { #expect(send(tag, "08", "01 4D 10 01 80 00" + data) == "09 00 00") }
        let all = "01 4D 10 03 80 00 80 01 80 02"
        #expect(send(tag, "06", all) == "07 00 00 03" + Self.other + Self.block + Self.zeros)
        #expect(send(tag, "08", "01 4D 10 02 80 00 80 00" + Self.zeros + Self.block) == "09 00 00")
        #expect(send(tag, "06", all) == "07 00 00 03" + Self.block + Self.zeros + Self.other)
    }

    @Test func overlappedServicesShareTheirBlocks() {
        let tag = make()
        #expect(send(tag, "08", "01 09 00 01 80 05" + Self.block, to: Self.second) == "09 00 00")
        #expect(send(tag, "06", "01 0B 00 01 80 05", to: Self.second) == "07 00 00 01" + Self.block)
        tag.change(0) { $0.register(0x090C, 0x090F, content: [[UInt8](repeating: 0x77, count: 16)]) }
        #expect(send(tag, "06", "01 0F 09 01 80 00") == "07 00 00 01" + String(repeating: " 77", count: 16))
        tag.change(2) { _ in Issue.record("There is no such system") }
    }

    @Test func powerThatFailsWritesAllBlocksOrNone() {
        var seen: Set<[[UInt8]]> = []
        for serial in 0..<32 {
            let tag = VirtualFeliCaStandardTag(idm: bytes(Self.idm).dropLast() + [UInt8(serial)])
            let body = [0x08] + tag.idm + bytes("01 09 10 02 80 00 80 01" + Self.block + Self.other)
            tag.receiveTorn([UInt8(body.count + 1)] + body)
            seen.insert(tag.systems[0][service: 0x1009])
        }
        let (zero, five, a) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0x5A, count: 16), bytes(Self.other))
        #expect(seen == [[zero, zero, zero, zero], [five, a, zero, zero]])
    }

    // MARK: Invalid commands

    /// One command of each kind.
    ///
    /// Every truncation is sent with the matching and with the original length byte.
    @Test(arguments: [
        ("02", "02 0F 09 0B 09"), ("04", ""), ("0A", "00 00"), ("06", "02 0F 09 8B 00 02 80 00 01 00 00"),
        ("08", "01 09 10 02 80 00 00 01 00" + block + block), ("0C", ""), ("32", "02 00 00 0F 09"), ("3C", "00 00"),
        ("3E", "00 00"),
    ])
    func everyTruncationIsSilence(code: String, parameters: String) {
        let tag = make()
        let body = bytes(code) + bytes(Self.idm) + bytes(parameters)
        let whole = [UInt8(body.count + 1)] + body
        for length in 0..<whole.count {
            var short = Array(whole.prefix(length))
            #expect(tag.receive(short).answer == .silence)
            if length > 0 { short[0] = UInt8(length) }
            #expect(tag.receive(short).answer == .silence, "\(length)")
            #expect(!tag.isCommand(short))
        }
        #expect(tag.isCommand(whole))
        #expect(tag.receive(whole).answer != .silence)
        // A third system, and another card.
        for (index, bit) in [(2, UInt8(0x20)), (9, 0x01)] {
            var another = whole
            another[index] ^= bit
            #expect(!tag.isCommand(another))
            #expect(tag.receive(another).answer == .silence)
        }
    }

    // MARK: Through the chip

    @Test func theChipFindsEachSystemAndExchangesItsCommands() {
        let bench = ChipBench([VirtualTagKind.feliCaStandard.make(uid: bytes(Self.idm))])
        #expect(bench.answer("32 05 FF 01 02") == "33")
        #expect(bench.answer("4A 01 01 00 FF FF 01 00") == "4B 01 01 14 01 \(Self.idm) \(Self.pmm) 00 03")
        #expect(bench.answer("40 01 0A 0C " + Self.idm) == "41 00 0F 0D \(Self.idm) 02 00 03 12 FC")
        #expect(bench.answer("42 06 00 12 FC 01 00") == "43 00 14 01 \(Self.second) \(Self.pmm) 12 FC")
        #expect(bench.answer("42 0A 04 " + Self.second) == "43 00 0B 05 \(Self.second) 00")
        #expect(bench.answer("42 0C 3E \(Self.second) 00 00") == "43 00 0C 3F \(Self.second) 00 00")
        #expect(bench.answer("4A 01 02 00 12 FC 00 00") == "4B 01 01 12 01 \(Self.second) \(Self.pmm)")
        #expect(
            bench.answer("40 01 10 06 \(Self.second) 01 0B 00 01 80 01")
                == "41 00 1D 07 \(Self.second) 00 00 01\(Self.zeros)")
        // Authentication1 has no answer.
        #expect(bench.answer("40 01 18 10 \(Self.idm) 01 00 00 01 0F 09 01 02 03 04 05 06 07 08") == "41 01")
    }
}
