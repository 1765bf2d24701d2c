// Files of virtual tags, and APDUs to virtual PC/SC readers — Docs/VirtualReader.md

import TagImage

@testable import VirtualPCSC
@testable import VirtualPN532

extension FuzzTarget {
    static let virtualSmartCards = [
        FuzzTarget(
            "virtual-dump",
            texts: VirtualTagKind.allCases.compactMap { ($0.make() as? any PersistentTag)?.flipperText }
                + ImageSeed.kinds.compactMap { kind in
                    (try? ImageSeed.image(kind).bytes(.nfc)).map { String(decoding: $0, as: UTF8.self) }
                }
        ) { text in
            _ = try? VirtualISO15693Tag.parse(text)
            guard let tag = try? FlipperFile.parse(text) else { return }
            let again = try FlipperFile.parse(tag.flipperText)
            try require(again.flipperText == tag.flipperText, "the file differs after writing")
            _ = tag.receive([0x30, 0x00])
        },
        FuzzTarget("virtual-pcsc", seeds: apduSeeds) { bytes in
            var tape = Tape(bytes)
            let model = PCSCReaderModel.all[tape.number(below: PCSCReaderModel.all.count)]
            let kinds = VirtualTagKind.allCases
            let number = tape.number(below: kinds.count + ISO15693Chip.all.count)
            let tag: any VirtualTag =
                number < kinds.count
                ? kinds[number].make()
                : VirtualISO15693Tag(chip: ISO15693Chip.all[number - kinds.count], isFormatted: true)
            let reader = ReaderFirmware(model: model, field: Field([tag]), latency: .none)
            _ = reader.presenceEvents()
            _ = reader.answer(to: .power(.up))
            var count = 0
            while !tape.isAtEnd, count < 40 {
                count += 1
                let call = UInt32(tape.byte() % 8)
                // Most calls are APDUs.
                let argument = call == 1 ? 500 + UInt32(tape.byte() % 3) : call == 2 ? 0 : UInt32(tape.byte()) << 8
                let data = tape.bytes()
                guard let call = IFDCall(call > 5 ? 2 : call, argument: argument, data) else { continue }
                _ = reader.answer(to: call)
            }
        },
    ]

    private static let apduSeeds: [[UInt8]] = (0..<12).flatMap { model in
        [0, 6, 20, 40, 48, 52, 58].map { tag in
            [UInt8(model), UInt8(tag)]
                + octets("02 05 FFCA000000 02 05 FFB0000410 02 09 FFD6000404 01020304 02 0B FF82000006FFFFFFFFFFFF")
                + octets(
                    "02 0A FF860000050100046000 02 08 FFC2000002 8100 02 0B FFC2000104 95023004 00 02 05 FF00480000")
                + octets("02 07 FF000000 02D402 02 0D 00A4040007D276000085010100 02 08 FFFB000003022004")
        }
    }
}
