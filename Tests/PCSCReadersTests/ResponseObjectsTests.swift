import Chance
import Testing

@testable import PCSCReaders

@Suite struct ResponseObjectsTests {
    @Test func tagsAndLengthsOfSeveralBytesAreRead() throws {
        let long = [UInt8](repeating: 7, count: 300)
        let bytes: [UInt8] = [0xC0, 0x03, 0x00, 0x90, 0x00, 0x5F, 0x46, 0x01, 0x09, 0x97, 0x82, 0x01, 0x2C] + long
        let objects = try #require(ResponseObjects(bytes))
        #expect(objects[0xC0] == [0x00, 0x90, 0x00])
        #expect(objects[0x5F46] == [0x09])
        #expect(objects[0x97] == long)
        #expect(objects[0x96] == nil)
        #expect(ResponseObjects([0x97, 0x81, 0x80] + long.prefix(128))?[0x97]?.count == 128)
    }

    @Test(
        arguments: [
            [0x97], [0x97, 0x02, 0x01], [0x97, 0x81], [0x97, 0x82, 0x01], [0x97, 0x82, 0xFF, 0xFF, 0x00], [0x5F],
            [0x97, 0x80], [0x97, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func objectsBeyondTheEndAreNone(bytes: [UInt8]) { #expect(ResponseObjects(bytes) == nil) }

    @Test func whatIsWrittenIsReadAgain() throws {
        for count in [0, 1, 127, 128, 255, 256, 1_000] {
            let value = [UInt8](repeating: 0xA5, count: count)
            #expect(ResponseObjects(ResponseObjects.object([0x95], value))?[0x95] == value)
        }
    }

    @Test func anyBytesAreTakenWithoutATrap() {
        var chance = SplitMix(state: 2)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...20, using: &chance)).map { _ in
                UInt8.random(in: 0...255, using: &chance)
            }
            _ = ResponseObjects(bytes)?[0x97]
        }
    }
}
