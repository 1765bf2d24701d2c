// The thread of a plugged-in reader, which serves the driver's calls and card events — poll(2)

import Glibc
import Synchronization
import VirtualPN532

/// Serves the connections from pcscd's driver to one reader, until it is stopped.
final class IFDService: Sendable {
    private let thread: ServiceThread

    private static let headerSize = 12
    /// The maximum length of a call's data in bytes, which is pcscd's MAX_BUFFER_SIZE_EXTENDED.
    private static let longestData = 4 + 3 + (1 << 16) + 3 + 2

    private enum Connection: UInt8 {
        case calls = 0x43
        case events = 0x45
    }

    private struct Client {
        let descriptor: Int32
        /// The number of the interface, counted from 0.
        ///
        /// The first one is the contactless interface.
        let interface: Int
        var kind: Connection?
    }

    /// Listens on one socket for each interface of the reader.
    ///
    /// Throws `PCSCDaemonError.system` if a path cannot be used or the thread does not start.
    init(sockets: [String], reader: VirtualPCSCReader) throws(PCSCDaemonError) {
        var listeners: [Int32] = []
        for path in sockets { listeners.append(try UnixSocket.listen(at: path)) }
        do throws(VirtualReaderError) {
            let wake = try WakePipe()
            thread = try ServiceThread(wake: wake) { [listeners] in
                Self.run(listeners, wake, reader.firmware)
            }
            reader.field.setOnChange { wake.signal() }
            reader.firmware.setOnRelease { wake.signal() }
        } catch {
            for listener in listeners { close(listener) }
            let code = if case .noThread(let code) = error { code } else { EAGAIN }
            throw .system("Starting a thread for a reader", code)
        }
    }

    func stop() { thread.stop() }

    private static func run(_ listeners: [Int32], _ wake: WakePipe, _ firmware: ReaderFirmware) {
        var clients: [Client] = []
        /// Calls that the reader has not answered because it hangs.
        var owed: [(client: Client, call: IFDCall)] = []
        defer { for descriptor in listeners + clients.map(\.descriptor) { close(descriptor) } }
        while true {
            let events = firmware.presenceEvents()
            for client in clients where client.interface == 0 && client.kind == .events && !events.isEmpty {
                _ = UnixSocket.send(events, to: client.descriptor)
            }
            if !firmware.isHung {
                for (client, call) in owed { answer(call, client, firmware) }
                owed = []
            }
            var waiting = ([wake.readEnd] + listeners + clients.map(\.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            _ = poll(&waiting, nfds_t(waiting.count), firmware.millisecondsToNextChange)
            if waiting[0].revents != 0, !wake.drain() { return }
            var served: [Client] = []
            for (index, var client) in clients.enumerated() {
                guard waiting[1 + listeners.count + index].revents != 0 else {
                    served.append(client)
                    continue
                }
                let isOpen =
                    switch client.kind {
                    case nil: begin(&client)
                    case .events: false
                    case .calls:
                        if let call = receive(client) {
                            serve(call, client, firmware, &owed)
                        } else {
                            false
                        }
                    }
                if isOpen { served.append(client) } else { close(client.descriptor) }
            }
            clients = served
            owed.removeAll { owed in !clients.contains { $0.descriptor == owed.client.descriptor } }
            for (interface, listener) in listeners.enumerated() where waiting[1 + interface].revents != 0 {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                clients.append(Client(descriptor: descriptor, interface: interface))
            }
        }
    }

    private static func begin(_ client: inout Client) -> Bool {
        client.kind = UnixSocket.receive(1, from: client.descriptor).flatMap { Connection(rawValue: $0[0]) }
        return client.kind != nil
    }

    private static func receive(_ client: Client) -> IFDCall? {
        guard let header = UnixSocket.receive(headerSize, from: client.descriptor) else { return nil }
        let words = header.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
        guard words[2] <= longestData, let data = UnixSocket.receive(Int(words[2]), from: client.descriptor) else {
            return nil
        }
        return IFDCall(words[0], argument: words[1], data)
    }

    private static func serve(
        _ call: IFDCall, _ client: Client, _ firmware: ReaderFirmware, _ owed: inout [(client: Client, call: IFDCall)]
    ) -> Bool {
        if client.interface == 0, case .transmit = call, firmware.hangsNow() {
            owed.append((client, call))
            return true
        }
        return answer(call, client, firmware)
    }

    @discardableResult private static func answer(
        _ call: IFDCall, _ client: Client, _ firmware: ReaderFirmware
    ) -> Bool {
        let reply = client.interface == 0 ? firmware.answer(to: call) : firmware.answerOfEmptySlot(to: call)
        if reply.delay > .zero {
            let (seconds, attoseconds) = reply.delay.components
            usleep(UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
        }
        return UnixSocket.send(reply.bytes, to: client.descriptor)
    }
}
