// Each reader model with its dialect, under the real pcscd

import Clibpcsclite
import Testing
import VirtualPCSC
import VirtualPN532

extension OnTheDaemon {
    @Suite struct Dialects {
        private static let vicinity = PCSCReaderModel.all.filter { $0.technologies.contains(.iso15693) }

        @Test(arguments: PCSCReaderModel.all) func aModelIsNamedAsDebianNamesIt(model: PCSCReaderModel) throws {
            let desk = try Desk(model)
            defer { desk.close() }
            #expect(desk.name == desk.reader.friendlyName + " 00 00")
            #expect(try desk.client.readers().count == model.interfaces.count)
        }

        @Test func aModelWithoutISO15693DoesNotSeeTheTag() throws {
            let desk = try Desk(.acr122u, VirtualISO15693Tag(chip: .icodeSLIX2))
            defer { desk.close() }
            #expect(try desk.client.state(of: desk.name).state & DWORD(SCARD_STATE_EMPTY) != 0)
            desk.reader.place(VirtualTagKind.ntag213.make())
            let known = try desk.client.state(of: desk.name).state
            let state =
                known & DWORD(SCARD_STATE_PRESENT) != 0
                ? known : try desk.client.state(of: desk.name, after: known).state
            #expect(state & DWORD(SCARD_STATE_PRESENT) != 0)
        }

        @Test(arguments: vicinity) func theUIDComesInTheModelsOrder(model: PCSCReaderModel) throws {
            let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
            let desk = try Desk(model, tag)
            defer { desk.close() }
            try desk.client.connect(desk.name)
            let isReversed = model.uidOrder == .leastSignificantFirst
            #expect(
                try desk.client.transmit("FF CA 00 00 00") == hex(isReversed ? tag.uid.reversed() : tag.uid) + " 90 00")
        }

        @Test func identivReadsWritesAndTraverses() throws {
            let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
            let desk = try Desk(.utrust3721f, tag)
            defer { desk.close() }
            try desk.client.connect(desk.name)
            let uid = hex(tag.uid.reversed())
            #expect(try desk.client.transmit("FF FC 00 00 06 21 04 01 02 03 04 00") == "90 00")
            #expect(try desk.client.transmit("FF FC 00 00 02 20 04 00") == "01 02 03 04 90 00")
            #expect(try desk.client.transmit("FF FC 00 00 03 23 04 01 00") == "01 02 03 04 00 00 00 00 90 00")
            #expect(try desk.client.transmit("FF FC 00 00 02 20 C0 00") == "63 00")
            #expect(try desk.client.transmit("FF FC 00 00 01 26 00") == "6A 81")
            #expect(try desk.client.transmit("FF FD 0A 00 0B 22 20 \(uid) 04 00") == "00 01 02 03 04 90 00")
            // 500 µs are too short for a write, but the tag still performs the write.
            #expect(try desk.client.transmit("FF FD 00 00 0F 22 21 \(uid) 05 05 06 07 08 00") == "64 01")
            #expect(Array(tag.contents[20..<24]) == [5, 6, 7, 8])
            #expect(try desk.client.transmit("FF C2 00 00 02 81 00") == "6A 81")
        }

        @Test(arguments: [PCSCReaderModel.omnikey5022, .utrust3721f, .acr1552u])
        func blocksAreAddressedByP1AndP2(model: PCSCReaderModel) throws {
            let desk = try Desk(model, VirtualISO15693Tag(chip: .icodeSLIX))
            defer { desk.close() }
            try desk.client.connect(desk.name)
            #expect(try desk.client.transmit("FF D6 00 06 04 0A 0B 0C 0D") == "90 00")
            #expect(try desk.client.transmit("FF B0 00 06 04") == "0A 0B 0C 0D 90 00")
            #expect(try desk.client.transmit("FF B0 00 06 08") == "0A 0B 0C 0D 00 00 00 00 90 00")
            #expect(try desk.client.transmit("FF B0 00 1C 04") == "6A 82")
            #expect(try desk.client.transmit("FF B0 01 00 04") == "6A 82")
        }

        @Test func theGenericReaderHasTheBlockInP1() throws {
            let desk = try Desk(.generic, VirtualISO15693Tag(chip: .icodeSLIX))
            defer { desk.close() }
            try desk.client.connect(desk.name)
            #expect(try desk.client.transmit("FF D6 06 00 04 0A 0B 0C 0D") == "90 00")
            #expect(try desk.client.transmit("FF B0 06 00 04") == "0A 0B 0C 0D 90 00")
            #expect(try desk.client.transmit("FF B0 00 06 04") == "6B 00")
        }

        @Test(arguments: PCSCReaderModel.all) func aType2TagIsReadAndWritten(model: PCSCReaderModel) throws {
            let tag = VirtualTagKind.ntag213.make()
            let desk = try Desk(model, tag)
            defer { desk.close() }
            let state = try desk.client.state(of: desk.name)
            #expect(hex(state.atr) == "3B 8F 80 01 80 4F 0C A0 00 00 03 06 03 00 03 00 00 00 00 68")
            try desk.client.connect(desk.name)
            #expect(try desk.client.transmit("FF CA 00 00 00") == hex(tag.identifier) + " 90 00")
            #expect(try desk.client.transmit("FF D6 00 08 04 01 02 03 04") == "90 00")
            #expect(try desk.client.transmit("FF B0 00 08 04") == "01 02 03 04 90 00")
            #expect(try desk.client.transmit("FF B0 00 08 10").hasPrefix("01 02 03 04 00 00"))
            // Block 3: bits can be cleared, but not set again. Block FF does not exist.
            #expect(try desk.client.transmit("FF B0 00 FF 10") == "63 00")
            #expect(try desk.client.transmit("FF B0 00 08 04") == "01 02 03 04 90 00")
        }

        @Test(arguments: [PCSCReaderModel.acr122u, .acr1252u]) func thePN532TakesRawCommands(model: PCSCReaderModel)
            throws
        {
            let desk = try Desk(model, VirtualTagKind.ntag213.make())
            defer { desk.close() }
            try desk.client.connect(desk.name)
            #expect(try desk.client.transmit("FF 00 00 00 02 D4 02") == "D5 03 32 01 06 07 90 00")
            #expect(try desk.client.transmit("FF 00 00 00 03 D4 42 60") == "D5 43 00 00 04 04 02 01 00 0F 03 90 00")
            #expect(try desk.client.transmit("FF 00 00 00 05 D4 42 3A 04 05").hasPrefix("D5 43 00 01 03 A0 0C"))
        }

        @Test func aTransparentSessionReachesAType2Tag() throws {
            let desk = try Desk(.acr1552u, VirtualTagKind.ntag213.make())
            defer { desk.close() }
            try desk.client.connect(desk.name)
            _ = try desk.client.transmit("FF C2 00 00 02 81 00 00")
            #expect(try desk.client.transmit("FF C2 00 02 04 8F 02 00 03 00") == "C0 03 00 90 00 8F 01 00 90 00")
            #expect(
                try desk.client.transmit("FF C2 00 01 03 95 01 60 00")
                    == "C0 03 00 90 00 92 01 00 96 02 00 00 97 08 00 04 04 02 01 00 0F 03 90 00")
            #expect(
                try desk.client.transmit("FF C2 00 01 08 95 06 A2 08 01 02 03 04 00")
                    == "C0 03 00 90 00 92 01 04 96 02 00 00 97 01 0A 90 00")
            #expect(try desk.client.transmit("FF C2 00 02 04 8F 02 02 03 00") == "C0 03 01 64 01 90 00")
        }

        @Test(arguments: PCSCReaderModel.all) func aClassicSectorOpensWithItsKey(model: PCSCReaderModel) throws {
            let desk = try Desk(model, VirtualTagKind.classic1k.make())
            defer { desk.close() }
            try desk.client.connect(desk.name)
            let structure = model.keyStructures.contains(0x00) ? "00" : "20"
            #expect(try desk.client.transmit("FF B0 00 04 10") == "63 00")
            #expect(try desk.client.transmit("FF 82 \(structure) 00 06 FF FF FF FF FF FF") == "90 00")
            #expect(try desk.client.transmit("FF 86 00 00 05 01 00 04 60 00") == "90 00")
            #expect(
                try desk.client.transmit("FF D6 00 04 10 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F") == "90 00")
            #expect(
                try desk.client.transmit("FF B0 00 04 10") == "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 90 00")
            #expect(try desk.client.transmit("FF 82 \(structure) 01 06 00 00 00 00 00 00") == "90 00")
            #expect(try desk.client.transmit("FF 86 00 00 05 01 00 08 60 01") == "63 00")
        }

        @Test(arguments: PCSCReaderModel.all, [VirtualTagKind.type4, .type4b])
        func aType4TagTakesAPDUs(model: PCSCReaderModel, kind: VirtualTagKind) throws {
            let desk = try Desk(model, kind.make())
            defer { desk.close() }
            try desk.client.connect(desk.name)
            #expect(try desk.client.transmit("00 A4 04 00 07 D2 76 00 00 85 01 01 00") == "90 00")
            #expect(try desk.client.transmit("00 A4 00 0C 02 E1 03") == "90 00")
            #expect(try desk.client.transmit("00 B0 00 00 0F").hasPrefix("00 0F 20"))
        }

        @Test func extendedAPDUsNeedAReaderThatTakesThem() throws {
            for (model, isTaken) in [(PCSCReaderModel.acr1552u, true), (.acr122u, false)] {
                let desk = try Desk(model, VirtualTagKind.type4v3.make())
                defer { desk.close() }
                try desk.client.connect(desk.name)
                let command = bytes("00 D6 00 00 00 01 40") + [UInt8](repeating: 0x55, count: 0x140)
                if isTaken {
                    #expect(try desk.client.transmit(command).count == 2)
                } else {
                    #expect(throws: PCSCError.code(SCARD_E_NOT_TRANSACTED)) { try desk.client.transmit(command) }
                }
            }
        }

        @Test func aFeliCaTagIsReadByServicesAndBlocks() throws {
            let desk = try Desk(.rcS300, VirtualTagKind.type3.make())
            defer { desk.close() }
            try desk.client.connect(desk.name)
            #expect(try desk.client.transmit("FF B0 00 00 06 01 0B 00 01 80 00").hasSuffix("90 00"))
        }

        @Test func limitsAndIdentifiersAreTold() throws {
            for (model, size) in [(PCSCReaderModel.acr1552u, "00 00 01 00"), (.acr122u, "00 01 00 00")] {
                let desk = try Desk(model, VirtualTagKind.ntag213.make())
                defer { desk.close() }
                try desk.client.connect(desk.name)
                let input = try desk.client.attribute(0x7A007)
                #expect(input.count == 4 && Int(input[0]) | Int(input[1]) << 8 == model.maximumMessage - 10)
                #expect(hex(try desk.client.attribute(0x20110)) == "02 01 20 00")
                let properties = try desk.client.control(0x4233_0012)
                #expect(hex(properties).hasPrefix("0A 04 \(size) 0B 02 2F 07 0C 02"))
                #expect(throws: PCSCError.code(SCARD_E_NOT_TRANSACTED)) { try desk.client.control(0x4200_0001, [0xE0]) }
            }
        }
    }
}
