// More tags in one field than a reader can distinguish

import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct CrowdTests {
    private func poll(_ count: Int, settled: Set<[UInt8]>? = nil) throws -> FoundTargets {
        try Bench((1...count).map { VirtualTagKind.ntag213.make(serial: $0) }).open {
            try $0.poll(for: Technology.allCases, settled: settled)
        }
    }

    @Test(arguments: [1, 2, 8]) func aFieldThatWasReadWholeHasNoMore(count: Int) throws {
        let found = try poll(count)
        #expect(found.count == count)
        #expect(!found.mayBeMore)
        try #expect(!poll(count, settled: []).mayBeMore)
    }

    @Test(arguments: [9, 12]) func aNinthTagShowsThatThereAreMore(count: Int) throws {
        let found = try poll(count)
        #expect(found.count == 8)
        #expect(found.mayBeMore)
        try #expect(poll(count, settled: []).mayBeMore)
    }
}
