// The positions of bytes within other bytes

extension [UInt8] {
    /// Returns the positions of `secret` within these bytes, including overlapping ones.
    ///
    /// Empty if `secret` is empty.
    package func places(of secret: [UInt8]) -> [Range<Int>] {
        guard !secret.isEmpty, secret.count <= count else { return [] }
        return (0...count - secret.count).filter { self[$0...].starts(with: secret) }
            .map { $0..<$0 + secret.count }
    }
}
