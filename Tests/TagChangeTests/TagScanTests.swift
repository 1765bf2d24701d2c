// A scan as a program uses it: tags that arrive and leave

import ReaderInterface
import ReaderSession
import SafeTag
import Synchronization
import Testing
import VirtualPN532

@Suite struct TagScanTests {
    /// Records its events, and performs an action after each arrival.
    private final class Log: ScanObserver {
        private let heard = Mutex<[String]>([])
        private let endsWithTag: Bool
        private let then: @Sendable () -> Void

        init(endsWithTag: Bool = true, then: @escaping @Sendable () -> Void = {}) {
            (self.endsWithTag, self.then) = (endsWithTag, then)
        }

        var words: [String] { heard.withLock { $0 } }

        func tagCame(_ reading: TagReading, in session: TagSession) async throws {
            heard.withLock { $0.append("came \(reading.name)") }
            then()
        }

        /// The test ends when a tag has left.
        struct Left: Error {}

        func tagLeft(_ uid: [UInt8], reader: String, in session: TagSession?) throws {
            heard.withLock { $0.append("left") }
            if endsWithTag { throw Left() }
        }

        func moreTags() {}
        func readerLost(_ reader: String, _ loss: ReaderLoss) throws {}
        func readerIsBack(_ reader: String) throws {}
    }

    @Test func eachTagIsToldOfOnce() async throws {
        try await Bench.with(.ntag213, .ntag215) { bench in
            let log = Log()
            let setup = TagScan.Setup(.init(reader: bench.reader.connection, journals: bench.journals), count: 2)
            try await TagScan(setup, observer: log).run()
            #expect(log.words.sorted() == ["came NTAG213", "came NTAG215"])
        }
    }

    @Test func aTagThatLeavesIsToldOf() async throws {
        try await Bench.with(.ntag213) { bench in
            let field = bench.reader.field
            let log = Log { field.remove() }
            let setup = TagScan.Setup(
                .init(reader: bench.reader.connection, journals: bench.journals), length: .seconds(20))
            await #expect(throws: Log.Left.self) { try await TagScan(setup, observer: log).run() }
            #expect(log.words == ["came NTAG213", "left"])
        }
    }

    @Test func aTagThatWasReplacedLeavesBeforeTheNextOneComes() async throws {
        try await Bench.with(.ntag213) { bench in
            let field = bench.reader.field
            // Replace the tag immediately, long before it counts as absent.
            let log = Log(endsWithTag: false) { field.replaceAll(with: [VirtualTagKind.ntag215.make()]) }
            let setup = TagScan.Setup(.init(reader: bench.reader.connection, journals: bench.journals), count: 2)
            try await TagScan(setup, observer: log).run()
            #expect(log.words == ["came NTAG213", "left", "came NTAG215"])
        }
    }

    @Test func aTagThatJoinsAnotherComesAloneAndTheOtherStays() async throws {
        try await Bench.with(.ntag213) { bench in
            let field = bench.reader.field
            let log = Log(endsWithTag: false) { field.place(VirtualTagKind.feliCaLiteS.make()) }
            let setup = TagScan.Setup(.init(reader: bench.reader.connection, journals: bench.journals), count: 2)
            try await TagScan(setup, observer: log).run()
            #expect(log.words == ["came NTAG213", "came FeliCa Lite-S (RC-S966)"])
        }
    }

    @Test func anInterruptedScanEnds() async throws {
        try await Bench.with(.ntag213) { bench in
            let started = Mutex<TagScan?>(nil)
            let scan = TagScan(
                .init(.init(reader: bench.reader.connection, journals: bench.journals)),
                observer: Log { started.withLock { $0 }?.interrupt() })
            started.withLock { $0 = scan }
            await #expect(throws: Interrupted.self) { try await scan.run() }
            started.withLock { $0 = nil }
        }
    }
}
