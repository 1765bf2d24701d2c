// Where bytes stand among others

extension [UInt8] {
    /// The places of some bytes in these, also those that overlap; none of no bytes.
    package func places(of secret: [UInt8]) -> [Range<Int>] {
        guard !secret.isEmpty, secret.count <= count else { return [] }
        return (0...count - secret.count).filter { self[$0...].starts(with: secret) }
            .map { $0..<$0 + secret.count }
    }
}
