// Bytes on their way into a report

/// Gathers what is appended and hands it on in pieces of about 64 KiB.
final class ReportStream {
    private static let pieceSize = 65_536
    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private let receiver: ([UInt8]) throws -> Void
    private var bytes: [UInt8] = []

    init(_ receiver: @escaping ([UInt8]) throws -> Void) { self.receiver = receiver }

    func append(_ text: String) { bytes += text.utf8 }
    func append(byte: UInt8) { bytes.append(byte) }

    func append(hex values: [UInt8]) {
        for value in values {
            bytes.append(Self.hexDigits[Int(value >> 4)])
            bytes.append(Self.hexDigits[Int(value & 15)])
        }
    }

    /// Ends a part of the report; between two of these calls everything is in memory.
    func endPart() throws {
        if bytes.count >= Self.pieceSize { try flush() }
    }

    func flush() throws {
        guard !bytes.isEmpty else { return }
        try receiver(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
