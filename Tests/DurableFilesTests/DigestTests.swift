// Digests — FIPS 180-4

import DurableFiles
import Testing

@Suite struct DigestTests {
    /// FIPS 180-4, example "abc".
    private static let digestOfABC = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"

    @Test func digestsAreSHA256() {
        #expect(SHA256Digest(of: Array("abc".utf8)).hex == Self.digestOfABC)
    }

    @Test func bytesInPiecesHaveTheDigestOfTheWhole() {
        var stream = SHA256Stream()
        #expect(stream.digest() == SHA256Digest(of: []))
        stream.update(Array("a".utf8))
        stream.update([])
        #expect(stream.digest() == SHA256Digest(of: Array("a".utf8)))
        stream.update(Array("bc".utf8))
        #expect(stream.digest().hex == Self.digestOfABC)
        #expect(stream.digest().hex == Self.digestOfABC)
    }
}
