// The times at which a lost reader is tried again

import ReaderInterface
import Synchronization
import Testing

@testable import ReaderSession

/// A lost reader of pcscd, for which pcscd's list decides when it is tried again.
@Suite struct ReaderReturnTests {
    /// Replaces pcscd's list of readers.
    private final class List: Sendable {
        private let names: Mutex<[[String]]>
        /// The known list that each query contained.
        let asked = Mutex<[[String]?]>([])
        /// The number of times that a watch was started.
        let starts = Mutex(0)

        /// - Parameter names: the lists that it returns, one after the other. The last list is repeated.
        init(_ names: [String]...) { self.names = Mutex(names) }

        func start() -> SmartCardWait.Names {
            starts.withLock { $0 += 1 }
            return { known, time in
                self.asked.withLock { $0.append(known) }
                let next = self.names.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
                // This is how pcscd acts when nothing changes.
                if next == known { try? await Task.sleep(for: time) }
                return next
            }
        }
    }

    private static let reader = "pcsc:ACS ACR1552"
    private static let names = ["ACS ACR1552 1S CL Reader 00 00"]

    private static func loss(_ fault: ReaderFault) throws -> ReaderLoss {
        try #require(
            ReaderLoss(ReaderError.readerFailed(operation: "polling", reason: "it failed", code: 1, fault: fault)))
    }

    @Test func aReaderThatFailsAgainAtOnceIsTriedAfterAPause() async throws {
        let list = List(Self.names)
        let wait = ReaderReturn(retry: .seconds(1), names: list.start)
        try await wait.pause(after: Self.loss(.unplugged), for: Self.reader)
        #expect(list.asked.withLock { $0 } == [nil])
        wait.readerOpened()
        try await wait.pause(after: Self.loss(.unplugged), for: Self.reader)
        #expect(list.asked.withLock { $0 } == [nil, nil, Self.names])
    }

    @Test func aReaderThatIsThereAndFailedIsTriedAfterAPause() async throws {
        let list = List(Self.names)
        let wait = ReaderReturn(retry: .milliseconds(50), names: list.start)
        for _ in 0..<2 { try await wait.pause(after: Self.loss(.other), for: Self.reader) }
        #expect(list.asked.withLock { $0 }.prefix(3) == [nil, Self.names, Self.names])
        // One process queries pcscd for all pauses of a loss.
        #expect(list.starts.withLock { $0 } == 1)
        wait.readerOpened()
        try await wait.pause(after: Self.loss(.other), for: Self.reader)
        #expect(list.starts.withLock { $0 } == 2)
    }

    @Test func aReaderIsTriedAsSoonAsItIsListedAgain() async throws {
        let list = List(Self.names, [], Self.names)
        // Far more time than the test takes.
        let wait = ReaderReturn(retry: .seconds(60), names: list.start)
        try await wait.pause(after: Self.loss(.other), for: Self.reader)
        #expect(list.asked.withLock { $0 } == [nil, Self.names, []])
    }
}
