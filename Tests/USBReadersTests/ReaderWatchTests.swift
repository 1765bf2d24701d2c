// Readers that are plugged in and unplugged

import Foundation
import Testing
@testable import USBReaders

@Suite(.serialized)
struct ReaderWatchTests {
    static let sources: [ReaderWatch.Source] = [.hotPlug, .polling]

    @Test(
        "a reader that is present at the start is not an event; later arrivals and departures are", arguments: sources)
    func events(source: ReaderWatch.Source) async throws {
        let system = try SystemCopy()
        try system.device("1-1", "072f", "2200", number: 2)
        let watch = ReaderWatch(root: system.root, source: source)
        #expect(watch.initial.map(\.port.description) == ["1-1"])
        var events = watch.events.makeAsyncIterator()
        try system.device("1-2", "04cc", "2533", number: 3)
        let arrival = try #require(await events.next())
        #expect(arrival == .arrived(arrival.reader) && arrival.reader.connection == "pn53x_usb:001:003")
        try system.unplug("1-1")
        let departure = try #require(await events.next())
        #expect(departure == .left(departure.reader) && departure.reader.connection == "acr122_usb:001:002")
        watch.stop()
        #expect(await events.next() == nil)
    }

    @Test("a stopped watch ends its events, and may be stopped again", arguments: sources)
    func stop(source: ReaderWatch.Source) async throws {
        let watch = ReaderWatch(root: try SystemCopy().root, source: source)
        watch.stop()
        watch.stop()
        for await event in watch.events { Issue.record("\(event)") }
    }

    @Test("a cancelled listener gets no more events, and the thread ends")
    func cancellation() async throws {
        let watch = ReaderWatch(root: try SystemCopy().root)
        let listener = Task { [events = watch.events] in for await _ in events {} }
        listener.cancel()
        await listener.value
        watch.stop()
    }

    @Test("a hundred watches leave no descriptor and no thread behind", arguments: sources)
    func leaks(source: ReaderWatch.Source) throws {
        let root = try SystemCopy().root
        let cycle = { ReaderWatch(root: root, source: source).stop() }
        cycle()  // opens what libusb opens only once
        let before = (count("/proc/self/fd"), count("/proc/self/task"))
        for _ in 0..<100 { cycle() }
        let after = (count("/proc/self/fd"), count("/proc/self/task"))
        // Other suites run at the same time, but a leak would be a hundred.
        #expect(after.0 - before.0 < 80 && after.1 - before.1 < 80, "\(before) → \(after)")
        print(
            "ReaderWatch, \(source), 100 times: descriptors \(before.0) → \(after.0), threads \(before.1) → \(after.1)")
    }

    @Test("a watch that is no longer referenced ends by itself")
    func abandoned() throws {
        let root = try SystemCopy().root
        let before = count("/proc/self/task")
        for _ in 0..<100 { _ = ReaderWatch(root: root) }
        var more = Int.max
        for _ in 0..<500 where more >= 80 {
            usleep(10_000)
            more = count("/proc/self/task") - before
        }
        #expect(more < 80)
    }

    private func count(_ folder: String) -> Int { SystemRoot().names(folder).count }
}

struct ReaderChangesTests {
    private func reader(_ port: String, _ device: UInt8, driver: String? = nil, interfaces: Int = 1) throws -> USBReader
    {
        USBReader(
            model: try #require(ReaderModel.known(vendor: 0x072F, product: 0x2200)), port: try #require(PortPath(port)),
            device: device,
            interfaces: (0..<interfaces).map { .init(number: UInt8($0), classCode: 11, kernelDriver: driver) })
    }

    @Test("a reader that returns with another number is reported as gone and back; one that was reset is not")
    func replug() throws {
        let before = try reader("1-1", 4)
        var changes = ReaderChanges(known: [before])
        #expect(changes.look(at: [before]).isEmpty)
        let after = try reader("1-1", 5)
        #expect(changes.look(at: [after]) == [.left(before), .arrived(after)])
        #expect(changes.look(at: [after]).isEmpty)
    }

    @Test("binding or unbinding a driver is not an event, and a later departure reports the newest state")
    func driver() throws {
        var changes = ReaderChanges(known: [try reader("1-1", 4)])
        let bound = try reader("1-1", 4, driver: "pn533_usb")
        #expect(changes.look(at: [bound]).isEmpty)
        #expect(changes.look(at: []) == [.left(bound)])
    }

    @Test("a device without its interfaces is reported at the second check, and with them as soon as they exist")
    func unsettled() throws {
        var changes = ReaderChanges(known: [])
        let bare = try reader("1-1", 4, interfaces: 0)
        #expect(changes.look(at: [bare]).isEmpty && changes.isUnsettled)
        #expect(changes.look(at: [bare]) == [.arrived(bare)])
        #expect(!changes.isUnsettled && changes.look(at: [bare]).isEmpty)
        let other = try reader("1-2", 5, interfaces: 0)
        #expect(changes.look(at: [bare, other]).isEmpty)
        let whole = try reader("1-2", 5)
        #expect(changes.look(at: [bare, whole]) == [.arrived(whole)])
        #expect(changes.look(at: [bare, other]).isEmpty)
    }

    @Test("a device that came and went between two checks, without its interfaces, is not reported")
    func fleeting() throws {
        var changes = ReaderChanges(known: [])
        #expect(changes.look(at: [try reader("1-1", 4, interfaces: 0)]).isEmpty)
        #expect(changes.look(at: []).isEmpty && !changes.isUnsettled)
    }
}
