// FeliCa commands as frames — FeliCa Card User's Manual, packet structures

import Hexadecimal
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct FeliCaCommandsTests {
    private static let idm = "01 02 03 04 05 06 07 08"
    private static let card = Target.nfcF(
        NFCFTarget(nfcID2: bytes(idm), pad: bytes("01 20 22 04 27 67 4E FF"), systemCode: [0x00, 0x03]))

    /// A command, its frame and the answer's frame.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frame: String
        let answer: String
        let result: String
        let call: @Sendable (FeliCaCommands) throws -> String

        init(
            _ name: String, _ frame: String, _ answer: String, _ result: String,
            _ call: @escaping @Sendable (FeliCaCommands) throws -> String
        ) {
            (testDescription, self.frame, self.answer, self.result, self.call) = (name, frame, answer, result, call)
        }
    }

    private static func text(_ lists: [[UInt8]]) -> String {
        lists.map { $0.hex }.joined(separator: " ")
    }
    private static func text(_ status: FeliCaStatus) -> String { [status.flag1, status.flag2].hex }

    static let rows = [
        Row("Polling", "06 00 00 03 01 00", "14 01 \(idm) 01 20 22 04 27 67 4E FF 00 03", "0102030405060708 0003") {
            let answer = try $0.polling(systemCode: [0x00, 0x03], requestCode: 1)
            return text([answer?.idm ?? [], answer?.requestData ?? []])
        },
        Row(
            "Polling without request", "06 00 FE 00 00 03", "12 01 \(idm) 01 20 22 04 27 67 4E FF",
            "01202204 27674EFF 0"
        ) {
            let answer = try $0.polling(systemCode: [0xFE, 0x00], timeSlot: 3)
            let pmm = answer?.pmm ?? []
            return text([Array(pmm.prefix(4)), Array(pmm.dropFirst(4))]) + " \(answer?.requestData.count ?? -1)"
        },
        Row("Request Service", "0F 02 \(idm) 02 0F 09 48 00", "0F 03 \(idm) 02 01 00 FF FF", "0100 FFFF") {
            text(try $0.requestService(nodes: [[0x0F, 0x09], [0x48, 0x00]]))
        },
        Row("Request Response", "0A 04 \(idm)", "0B 05 \(idm) 02", "2") { "\(try $0.requestResponse())" },
        Row(
            "Read Without Encryption", "10 06 \(idm) 01 0F 09 01 80 00",
            "1D 07 \(idm) 00 00 01 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F",
            "0000 000102030405060708090A0B0C0D0E0F"
        ) {
            let answer = try $0.read(services: [[0x0F, 0x09]], blocks: [[0x80, 0x00]])
            return "\(text(answer.status)) \(text(answer.blocks))"
        },
        Row(
            "Read Without Encryption of a block that is not there", "11 06 \(idm) 01 0F 09 01 00 00 01",
            "0C 07 \(idm) 01 A8", "01A8 "
        ) {
            let answer = try $0.read(services: [[0x0F, 0x09]], blocks: [[0x00, 0x00, 0x01]])
            return "\(text(answer.status)) \(text(answer.blocks))"
        },
        Row(
            "Write Without Encryption",
            "20 08 \(idm) 01 09 00 01 80 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01", "0C 09 \(idm) 00 00",
            "0000"
        ) {
            let block = [UInt8](repeating: 0, count: 15) + [1]
            return text(try $0.write(services: [[0x09, 0x00]], blocks: [[0x80, 0x05]], data: [block]))
        },
        Row("Request System Code", "0A 0C \(idm)", "0F 0D \(idm) 02 00 03 FE 00", "0003 FE00") {
            text(try $0.requestSystemCode())
        },
        Row("Request Service v2, AES", "0D 32 \(idm) 01 0F 09", "10 33 \(idm) 00 00 4F 01 02 03", "4F 0203 ") {
            let versions = try $0.requestServiceV2(nodes: [[0x0F, 0x09]]).versions
            return
                "\([versions?.encryptionIdentifier ?? 0].spacedHex) \(text(versions?.aes ?? [])) \(text(versions?.des ?? []))"
        },
        Row(
            "Request Service v2, AES and DES", "0D 32 \(idm) 01 0F 09", "12 33 \(idm) 00 00 41 01 02 03 04 05",
            "0203 0405"
        ) {
            let versions = try $0.requestServiceV2(nodes: [[0x0F, 0x09]]).versions
            return "\(text(versions?.aes ?? [])) \(text(versions?.des ?? []))"
        },
        Row(
            "Request Specification Version", "0C 3C \(idm) 00 00", "12 3D \(idm) 00 00 00 20 03 01 00 01",
            "2003 0001"
        ) {
            let answer = try $0.requestSpecificationVersion()
            return text([answer.basic, answer.options])
        },
        Row("Reset Mode", "0C 3E \(idm) 00 00", "0C 3F \(idm) 00 00", "0000") { text(try $0.resetMode()) },
        Row("a command of the program's own", "0A 04 \(idm)", "0B 05 \(idm) 00", "05010203040506070800") {
            try $0.send(bytes("04 \(idm)")).hex
        },
    ]

    private func commands(_ steps: [ScriptedChannel.Step]) -> (FeliCaCommands, ScriptedChannel) {
        let channel = ScriptedChannel(Self.card, steps)
        return (FeliCaCommands(over: channel, idm: bytes(Self.idm)), channel)
    }

    @Test(arguments: rows)
    func aCommandIsItsFrame(_ row: Row) throws {
        let (commands, channel) = commands([.exchange(.raw, command: row.frame, answer: row.answer)])
        #expect(try row.call(commands) == row.result)
        #expect(channel.isFinished)
    }

    @Test(arguments: rows)
    func anAnswerThatIsCutIsNoAnswer(_ row: Row) throws {
        let whole = bytes(row.answer)
        for count in 0..<whole.count {
            // The length byte either matches the cut frame, so that the missing bytes are noticed later, or is wrong.
            for head in [UInt8(count), whole[0]] {
                let cut = count == 0 ? [] : [head] + whole[1..<count]
                guard cut != whole else { continue }
                let (commands, _) = commands([.exchange(.raw, command: row.frame, answer: cut.spacedHex)])
                let isOwn =
                    row.testDescription == "a command of the program's own" && head == UInt8(count) && count >= 2
                // Missing blocks are noticed by their number, and PMm has the same length with and without request
                // data.
                let isShorterForm = row.testDescription == "Polling" && count == 18 && head == 18
                let isAESAlone = row.testDescription == "Request Service v2, AES and DES" && count == 16 && head == 16
                if isOwn || isShorterForm || isAESAlone { continue }
                #expect(throws: TagError.self) { try row.call(commands) }
            }
        }
    }

    @Test(arguments: rows.dropLast())
    func theAnswerOfAnotherCardIsNotTaken(_ row: Row) {
        var answer = bytes(row.answer)
        guard !row.testDescription.hasPrefix("Polling") else { return }
        answer[2] ^= 0xFF
        let (commands, _) = commands([.exchange(.raw, command: row.frame, answer: answer.spacedHex)])
        #expect(error { () throws in try row.call(commands) } as? TagError == .reader(.tagLost))
    }

    @Test func aCardWithoutTheSystemIsSilent() throws {
        let (commands, _) = commands([.failure(.raw, command: "06 00 12 FC 00 00", .noAnswer)])
        #expect(try commands.polling(systemCode: [0x12, 0xFC]) == nil)
    }

    @Test func aCommandHasALengthThatAByteCanTell() {
        let (commands, _) = commands([])
        #expect(
            error { () throws(TagError) in try commands.send([]) } == .reader(.commandTooLong(length: 0, limit: 254)))
        let long = [UInt8](repeating: 0, count: 255)
        #expect(
            error { () throws(TagError) in try commands.send(long) }
                == .reader(.commandTooLong(length: 255, limit: 254)))
    }
}
