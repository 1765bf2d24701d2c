// The virtual reader's specification, its control socket, and frames to its chip — Docs/VirtualReader.md, NXP UM0701-02

@testable import VirtualPN532

extension FuzzTarget {
    static let simulator = [
        FuzzTarget(
            "virtual-reader", texts: ["ntag215:uid=04A1B2C3D4E580*2,type4?stream&loss=0.1", "?antenna=desk", "type2*3"]
        ) {
            text in
            // Skip inputs that may name a file or a number of tags, which has no limit.
            guard isHarmless(text) else { return }
            _ = try? VirtualReaderSpec(parsing: text)
        },
        FuzzTarget(
            "control-command",
            texts: ["place ntag215", "remove", "remove 04A1B2C3D4E580", "list", "stats", "fault drop=3\nfault\nreset"]
        ) { text in
            guard isHarmless(text), let reader else { return }
            let commands = ControlCommands(reader: reader)
            for line in text.split(separator: "\n").prefix(8) { _ = commands.execute(String(line)) }
            _ = commands.execute("remove")
            _ = commands.execute("fault")
        },
        FuzzTarget(
            "pn532-frames",
            seeds: [
                octets("0000FF02FED4022A00"), octets("0000FFFFFF0109F6D4"), octets("0000FF00FF00"),
                octets("0000FF05FBD41401000017 00"),
            ]
        ) { bytes in
            var (whole, parts) = (HostFrameParser(), HostFrameParser())
            whole.append(bytes)
            var frames: [HostFrame] = []
            while let frame = whole.next() {
                frames.append(frame)
                try require(frames.count <= bytes.count, "there are more frames than bytes")
            }
            var found: [HostFrame] = []
            for byte in bytes {
                parts.append([byte])
                while let frame = parts.next() { found.append(frame) }
            }
            try require(found == frames, "the frames differ if the input is read byte by byte")
        },
        FuzzTarget(
            "pn532-commands",
            seeds: [
                octets("01 02 03 140100 04 4A010000"), octets("00 04 4A020026 08 40013000 03 420030 02 5200"),
                octets("02 0A 4A01 01 00FFFF0100 05 06633D 633D 04 60010112"),
                octets("03 03 4A0103 04 40013004 26 8C 00"),
            ]
        ) { bytes in
            var tape = Tape(bytes)
            let kinds = VirtualTagKind.allCases
            let chip = PN532(
                field: Field([kinds[tape.number(below: kinds.count)].make()]), faults: FaultCounter(Faults()),
                statistics: StatisticsCounter(), now: { .now })
            var count = 0
            while !tape.isAtEnd, count < 40 {
                count += 1
                let command = tape.bytes()
                guard !command.isEmpty else { continue }
                _ = chip.execute(command)
            }
        },
    ]

    /// The reader for all inputs, because each reader needs a terminal and a thread.
    private static let reader = try? VirtualReaderSpec(parsing: "").makeReader()

    private static func isHarmless(_ text: String) -> Bool {
        !text.contains(".") && !text.contains("/") && !text.contains("*")
    }
}
