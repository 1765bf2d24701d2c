// The buffered output of a report

import Hexadecimal

/// Buffers the appended bytes, and passes them to a receiver in pieces of about 64 KiB.
final class ReportStream {
    private static let pieceSize = 65_536

    /// The separator of cells.
    ///
    /// Only formats that are tables use it.
    let separator: UInt8
    private let receiver: ([UInt8]) throws -> Void
    private var bytes: [UInt8]

    init(of format: ReportFormat, _ receiver: @escaping ([UInt8]) throws -> Void) {
        (separator, bytes) = (format.separator, format.mark)
        self.receiver = receiver
    }

    func append(_ text: String) { bytes += text.utf8 }
    func append(byte: UInt8) { bytes.append(byte) }

    func append(hex values: [UInt8]) { append(values.hex) }

    /// Marks the end of a part of the report, after which the buffer may be passed on.
    ///
    /// Everything appended between two of these calls is held in memory.
    func endPart() throws {
        if bytes.count >= Self.pieceSize { try flush() }
    }

    func flush() throws {
        guard !bytes.isEmpty else { return }
        try receiver(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
