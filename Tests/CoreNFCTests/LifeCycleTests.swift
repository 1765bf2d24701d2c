// The life of a session: it begins once, calls back in order on one queue, and ends once

import CoreNFC
import Foundation
import Synchronization
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5))) struct LifeCycleTests {
    @Test func aSessionBecomesActiveThenDetectsThenEndsOnceAndLast() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tags = try await bench.begin()
        try await bench.session.connect(to: try #require(tags.first))
        _ = try await tags[0].queryNDEFStatus()
        try await bench.end()
        bench.session.invalidate()
        #expect(await code { try await bench.session.connect(to: tags[0]) } == 103)
        #expect(bench.events.all == [.active, .tags(tags), .ended(200)])
    }

    @Test func nothingIsCalledInsideACall() async throws {
        let queue = DispatchQueue(label: "client")
        let bench = try Bench([VirtualTagKind.ntag213.make()], queue: queue)
        queue.sync {
            bench.session.begin()
            #expect(bench.events.all == [])
        }
        let tags = try await bench.tags()
        let isCalled = Mutex(false)
        queue.sync {
            bench.session.connect(to: tags[0]) { _ in isCalled.withLock { $0 = true } }
            tags[0].readNDEF { _, _ in isCalled.withLock { $0 = true } }
            bench.session.invalidate()
            tags[0].queryNDEFStatus { _, _, _ in isCalled.withLock { $0 = true } }
            #expect(!isCalled.withLock { $0 })
            #expect(bench.events.all.last == .tags(tags))
        }
        try await bench.events.wait(for: .ended(200))
    }

    enum ClientQueue: CaseIterable {
        case none, main, serial, concurrent, global

        var queue: DispatchQueue? {
            switch self {
            case .none: nil
            case .main: .main
            case .serial: DispatchQueue(label: "client")
            case .concurrent: DispatchQueue(label: "client", attributes: .concurrent)
            case .global: .global(qos: .userInitiated)
            }
        }
    }

    @Test(arguments: [ClientQueue.concurrent, .global])
    func onAConcurrentQueueAHandlerMayWaitForTheHandlerOfItsNextCommand(_ kind: ClientQueue) async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()], queue: kind.queue)
        let tags = try await bench.begin()
        let handled = Events<Bool>()
        bench.session.connect(to: tags[0]) { _ in
            dispatchPrecondition(condition: .onQueue(bench.session.sessionQueue))
            let isDone = DispatchSemaphore(value: 0)
            tags[0].queryNDEFStatus { _, _, _ in isDone.signal() }
            handled.record(isDone.wait(timeout: .now() + 60) == .success)
        }
        #expect(try await handled.next())
        try await bench.end()
    }

    @Test(arguments: [ClientQueue.none, .main, .serial])
    func callbacksAndHandlersRunOnASerialQueueOneAtATime(_ kind: ClientQueue) async throws {
        let queue = kind.queue
        let callsInside = Mutex(0)
        let inside: @Sendable (NFCNDEFReaderSession) -> Void = { session in
            dispatchPrecondition(condition: .onQueue(session.sessionQueue))
            #expect(
                callsInside.withLock {
                    $0 += 1; return $0
                } == 1)
            sched_yield()
            callsInside.withLock { $0 -= 1 }
        }
        let bench = try Bench([VirtualTagKind.ntag213.make()], queue: queue) { session, _ in inside(session) }
        if let queue { #expect(bench.session.sessionQueue === queue) }
        let tags = try await bench.begin()
        let handled = Events<Int>()
        bench.session.connect(to: tags[0]) { _ in
            inside(bench.session)
            handled.record(1)
        }
        for number in 2...10 {
            tags[0].queryNDEFStatus { _, _, _ in
                inside(bench.session)
                handled.record(number)
            }
        }
        for number in 1...10 { #expect(try await handled.next() == number) }
        try await bench.end()
    }

    @Test func aSessionIsReadyFromActiveToItsEnd() async throws {
        let bench = try Bench { session, event in
            if event == .ended(200) { #expect(!session.isReady) }
        }
        #expect(!bench.session.isReady)
        bench.session.begin()
        #expect(try await bench.events.next() == .active)
        #expect(bench.session.isReady)
        try await bench.end()
        #expect(!bench.session.isReady)
    }

    @Test func aSecondBeginDoesNothing() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        bench.session.begin()
        let tags = try await bench.begin()
        bench.session.begin()
        try await bench.end()
        #expect(bench.events.all == [.active, .tags(tags), .ended(200)])
    }

    @Test func aSessionThatEndedCannotBeginAgain() async throws {
        let bench = try Bench()
        bench.session.begin()
        bench.session.invalidate()
        bench.session.begin()
        #expect(try await bench.events.next() == .ended(200))
        #expect(try await bench.events.next() == .ended(103))
    }

    @Test func aSessionEndedBeforeItBeganNeverTouchesTheReader() async throws {
        let bench = try Bench()
        bench.session.invalidate()
        #expect(try await bench.events.next() == .ended(200))
        bench.session.begin()
        #expect(try await bench.events.next() == .ended(103))
        #expect(bench.reader.statistics.exchanges == 0)
    }

    @Test func aSessionInALocalVariableLivesUntilItsEndAndNotLonger() async throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.demonstration()])
        let delegate = MessageDelegate()
        weak var held: NFCNDEFReaderSession?
        do {
            let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: true)
            session.readerSpecification = reader.connection
            held = session
            session.begin()
        }
        try await delegate.events.wait(for: .ended(204))
        #expect(delegate.events.all == [.active, .messages([2]), .ended(204)])
        try await until { held == nil }
    }

    @Test func aSessionThatNeverBeganIsFreed() throws {
        weak var held: NFCNDEFReaderSession?
        do { held = try Bench().session }
        #expect(held == nil)
    }

    @Test func theDelegateIsHeldWeaklyAndMissedByNobody() async throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.demonstration()])
        weak var held: NFCNDEFReaderSession?
        do {
            let delegate = TagDelegate()
            let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false)
            session.readerSpecification = reader.connection
            session.begin()
            _ = try await delegate.events.next()
            #expect(session.delegate === delegate)
            held = session
        }
        try await until { held?.delegate == nil }
        held?.invalidate()
        try await until { held == nil }
    }

    @Test(arguments: [Event.active, .tags([])])
    func invalidatingFromACallbackEndsTheSessionOnce(_ moment: Event) async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()]) { session, event in
            if event == moment || event.tags != nil { session.invalidate() }
        }
        bench.session.begin()
        try await bench.events.wait(for: .ended(200))
        // One more round through the queues shows that nothing follows.
        #expect(await code { try await bench.session.connect(to: Foreign()) } == 3)
        #expect(bench.events.all.last == .ended(200))
        #expect(bench.events.all.filter { $0 == .ended(200) }.count == 1)
        if moment == .active { #expect(bench.events.all == [.active, .ended(200)]) }
    }

    @Test func invalidatingFromManyThreadsEndsTheSessionOnce() async throws {
        for _ in 0..<10 {
            let bench = try Bench([VirtualTagKind.ntag213.make()])
            bench.session.begin()
            DispatchQueue.concurrentPerform(iterations: 8) { _ in bench.session.invalidate() }
            try await bench.events.wait(for: .ended(200))
            #expect(await code { try await bench.session.connect(to: Foreign()) } == 3)
            #expect(bench.events.all == [.ended(200)])
        }
    }

    @Test func aBeginThatRacesWithAnEndLeavesNothingBehind() async throws {
        for _ in 0..<50 {
            weak var held: NFCNDEFReaderSession?
            do {
                let bench = try Bench()
                held = bench.session
                DispatchQueue.concurrentPerform(iterations: 2) {
                    $0 == 0 ? bench.session.begin() : bench.session.invalidate()
                }
                try await bench.events.wait(for: .ended(200))
            }
            try await until { held == nil }
        }
    }

    @Test func aNewSessionMayBeginRightAfterInvalidate() async throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
        let delegates = (0..<5).map { _ in TagDelegate() }
        for delegate in delegates {
            let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false)
            session.readerSpecification = reader.connection
            session.begin()
            while try await delegate.events.next().tags == nil {}
            session.invalidate()
        }
        for delegate in delegates { try await delegate.events.wait(for: .ended(200)) }
    }

    @Test func aNewSessionMayBeginInTheLastCallback() async throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.demonstration()])
        let second = MessageDelegate()
        let first = MessageDelegate { session, event in
            guard event == .ended(204) else { return }
            let next = NFCNDEFReaderSession(delegate: second, queue: nil, invalidateAfterFirstRead: true)
            next.readerSpecification = session.readerSpecification
            next.begin()
        }
        let session = NFCNDEFReaderSession(delegate: first, queue: nil, invalidateAfterFirstRead: true)
        session.readerSpecification = reader.connection
        session.begin()
        try await second.events.wait(for: .ended(204))
        #expect(second.events.all == [.active, .messages([2]), .ended(204)])
    }

    @Test func alertMessagesGoToTheHandler() async throws {
        let bench = try Bench()
        #expect(bench.session.alertMessage == "")
        let alerts = Events<String>()
        bench.session.alertHandler = { alerts.record($0) }
        bench.session.alertMessage = "Hold it near."
        bench.session.begin()
        bench.session.invalidate(errorMessage: "Not this one.")
        try await bench.events.wait(for: .ended(200))
        #expect(alerts.all == ["Hold it near.", "Not this one."])
        #expect(bench.session.alertMessage == "Not this one.")
        // On an iPhone, the sheet with the text has closed.
        bench.session.invalidate(errorMessage: "Too late.")
        #expect(alerts.all.count == 2 && bench.session.alertMessage == "Too late.")
    }

    @Test func alertMessagesOnATerminalAreOneLineWithoutControlCharacters() {
        #expect(StandardAlert.line("Füße\n\u{1B}[2J\u{202E}") == "Füße\\u{A}\\u{1B}[2J\\u{202E}")
    }
}

final class Foreign: NSObject, NFCNDEFTag {
    var isAvailable: Bool { true }
    func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void) {}
    func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {}
    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    func copy(with zone: NSZone? = nil) -> Any { self }
    static var supportsSecureCoding: Bool { true }
    func encode(with coder: NSCoder) {}
    override init() {}
    required init?(coder: NSCoder) { nil }
}
