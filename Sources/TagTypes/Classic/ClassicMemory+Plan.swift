// The blocks of a MIFARE Classic as a memory for write plans
import ReaderInterface

extension ClassicMemory: ReselectableMemory {
    /// Always false, because an ACK consists of 4 bits without a checksum.
    var isAcknowledgementChecked: Bool { false }

    /// Reads the spans in the order of their sectors, so that each sector is opened only once.
    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]] {
        for block in spans.map({ $0.address / ClassicLayout.blockSize }).sorted() { _ = try self.block(block) }
        return spans.map { cached($0.address / ClassicLayout.blockSize) ?? [] }
    }

    func forget(_ spans: [Span]) { forget(spans.map { $0.address / ClassicLayout.blockSize }) }

    func write(_ bytes: [UInt8], at address: Int) throws(TagError) {
        try write(bytes, to: address / ClassicLayout.blockSize)
    }
}
