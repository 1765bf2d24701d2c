// The blocks of a MIFARE Classic as a write plan changes them
import ReaderInterface

extension ClassicMemory: ReselectableMemory {
    /// ACK is four bits.
    var isAcknowledgementChecked: Bool { false }

    /// Reads in the order of the sectors: each is opened once.
    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]] {
        for block in spans.map({ $0.address / ClassicLayout.blockSize }).sorted() { _ = try self.block(block) }
        return spans.map { cached($0.address / ClassicLayout.blockSize) ?? [] }
    }

    func forget(_ spans: [Span]) { forget(spans.map { $0.address / ClassicLayout.blockSize }) }

    func write(_ bytes: [UInt8], at address: Int) throws(TagError) {
        try write(bytes, to: address / ClassicLayout.blockSize)
    }
}
