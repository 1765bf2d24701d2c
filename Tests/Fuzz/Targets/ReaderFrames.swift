// Data that readers on USB and serial ports send — USB CCID 1.1; NXP UM0701-02; USB 2.0, 9.6

@testable import LibNFC

extension FuzzTarget {
    static let readerFrames = [
        FuzzTarget("ccid", seeds: [octets("80 02000000 00 01 00 00 00 90 00"), octets("80 00000000 00 01 00 00 00")]) {
            bytes in
            for sequence: UInt8 in [0, 1, 0xFF] {
                let message = CCIDMessage(sequence: sequence, apdu: bytes)
                try require(message.encoded.count == bytes.count + 10, "the message has the wrong length")
                guard let answer = message.answer(in: bytes) else { continue }
                try require(answer.count + 10 == bytes.count, "the answer has the wrong length")
            }
        },
        FuzzTarget("usb-descriptors", seeds: [usbSeed]) { bytes in
            guard let found = USBDescriptors(bytes) else { return }
            try require(found.packetSize > 0 && found.bulkIn & 0x80 != 0, "the endpoint has the wrong direction")
            _ = found.isACR122U
        },
        FuzzTarget(
            "jewel-frames",
            seeds: [[13] + [UInt8](repeating: 0xFF, count: 13), octets("1B0400000000000000000001020304")]
        ) { bytes in
            _ = JewelFrames(bytes)
            if let answer = JewelFrames.answer(in: bytes) {
                try require(answer.count == 9, "the answer has the wrong length")
            }
            _ = JewelFrames.crcB(bytes)
        },
        FuzzTarget(
            "frame-log",
            texts: ["x\tTX: d4 42 1b 01 02 03 04 \nx\tRX: d5 43 00 00 00 \n", "\tTX: d4 40 01 1b ff ff ff ff"]
        ) { text in
            var mask = FrameLogMask()
            for line in text.split(separator: "\n") { _ = mask.shown(String(line)) }
        },
    ]

    /// An ACR122U: device, configuration, interface, three endpoints.
    private static let usbSeed = octets(
        "12 01 1001 00 00 00 08 2F07 0022 1402 01 02 00 01 09 02 2700 01 01 00 80 32 09 04 00 00 03 0B 00 00 00"
            + "07 05 81 03 0800 10 07 05 02 02 4000 00 07 05 82 02 4000 00")
}
