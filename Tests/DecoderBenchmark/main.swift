// Measures how fast messages are decoded: 1 MiB in one record, in records of about 100 bytes, and in small ones —
// Scripts/bench

import NDEF

private let size = 1 << 20

private func message(payloadLength: Int) throws -> [UInt8] {
    let record = NDEFRecord(tnf: .unknown, type: [], payload: [UInt8](repeating: 0x5A, count: payloadLength))
    return try NDEFMessage(records: [NDEFRecord](repeating: record, count: max(1, size / record.encodedLength)))
        .encoded()
}

private let rows = [
    ("one record", size - 6, "≥ 200"), ("records of 100 bytes", 97, "≥ 200"), ("records of 20 bytes", 17, "–"),
]
for (name, length, goal) in rows {
    let bytes = try message(payloadLength: length)
    let repetitions = 50
    var records = 0
    let time = try ContinuousClock().measure {
        for _ in 0..<repetitions { records += try NDEFMessage(bytes: bytes).records.count }
    }
    let megabytes = Double(bytes.count * repetitions) / 1e6
    let rate = Int(megabytes / (time / .seconds(1)))
    print("  \(name) (\(records / repetitions)): \(rate) MB/s   \(goal)")
}
