// Reading sector trailers — NXP MF1S50yyX, Memory Organization: Sector Trailer
import Hexadecimal

extension ClassicMemory {
    /// Returns the trailer of a sector, as far as it can be read back.
    func trailer(of sector: Int) throws(TagError) -> ClassicTrailer {
        let block = layout.trailer(of: sector)
        let bytes = try self.block(block)
        guard let trailer = ClassicTrailer(bytes) else {
            throw .protocolViolation(
                field: "access bits of sector \(sector)", found: bytes[6..<9].spacedHex,
                expected: "bits that match their complement", offset: block * ClassicLayout.blockSize + 6)
        }
        return trailer
    }
}
