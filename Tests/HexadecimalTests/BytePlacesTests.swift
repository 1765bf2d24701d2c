// The positions of bytes within other bytes

import Hexadecimal
import Testing

@Suite struct BytePlacesTests {
    @Test(
        arguments: [
            ([1, 2, 1, 2, 1], [1, 2, 1], [0..<3, 2..<5]),
            ([7, 7, 7], [7], [0..<1, 1..<2, 2..<3]),
            ([1, 2], [1, 2], [0..<2]),
            ([1, 2], [1, 2, 3], []),
            ([1, 2], [], []),
            ([], [1], []),
        ] as [([UInt8], [UInt8], [Range<Int>])])
    func everyPlaceIsFoundAlsoOneThatOverlapsAnother(bytes: [UInt8], secret: [UInt8], places: [Range<Int>]) {
        #expect(bytes.places(of: secret) == places)
    }
}
