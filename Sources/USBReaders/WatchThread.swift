// The thread of a watch over the USB ports

internal import Clibusb
internal import Dispatch
@preconcurrency import Glibc
internal import Synchronization

/// Checks sysfs when libusb reports a change or the interval has passed, and reports the changes.
final class WatchThread: Sendable {
    private let root: SystemRoot
    private let source: ReaderWatch.Source
    private let continuation: AsyncStream<ReaderEvent>.Continuation
    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    private struct State {
        var isStopping = false
        /// The address of the libusb context in which the thread waits; nil if there is no context.
        var context: UInt?
    }

    init(root: SystemRoot, source: ReaderWatch.Source, continuation: AsyncStream<ReaderEvent>.Continuation) {
        self.root = root
        self.source = source
        self.continuation = continuation
    }

    func start(knowing readers: [USBReader]) {
        let start = Start(thread: self, readers: readers)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(start)
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                start.thread.run(knowing: start.readers)
                return nil
            }, argument.toOpaque())
        guard result != 0 else { return }
        argument.release()
        finish()
    }

    private final class Start {
        let thread: WatchThread
        let readers: [USBReader]

        init(thread: WatchThread, readers: [USBReader]) {
            self.thread = thread
            self.readers = readers
        }
    }

    func requestStop() {
        state.withLock { state in
            state.isStopping = true
            if let context = state.context { libusb_interrupt_event_handler(OpaquePointer(bitPattern: context)) }
        }
        wakeUp.signal()
    }

    func waitForEnd() {
        end.wait()
        end.signal()
    }

    private func finish() {
        continuation.finish()
        end.signal()
    }

    private func run(knowing readers: [USBReader]) {
        listen(knowing: readers)
        finish()
    }

    private func listen(knowing readers: [USBReader]) {
        let hotPlug = source == .hotPlug ? HotPlug() : nil
        let address = hotPlug.map { UInt(bitPattern: $0.context) }
        state.withLock { $0.context = address }
        defer { state.withLock { $0.context = nil } }
        var changes = ReaderChanges(known: readers)
        while !state.withLock({ $0.isStopping }) {
            for event in changes.look(at: USBReader.connected(root: root)) { continuation.yield(event) }
            let milliseconds = changes.isUnsettled ? 50 : 1000
            if hotPlug?.wait(milliseconds: milliseconds) != true {
                _ = wakeUp.wait(timeout: .now() + .milliseconds(milliseconds))
            }
        }
    }
}

/// A libusb context that receives a notification of every device that arrives or leaves.
private final class HotPlug {
    let context: OpaquePointer

    /// Registers with libusb, or returns nil if libusb does not support notifications.
    init?() {
        var context: OpaquePointer?
        guard libusb_has_capability(LIBUSB_CAP_HAS_HOTPLUG.rawValue) != 0, libusb_init(&context) == 0, let context
        else {
            return nil
        }
        self.context = context
        let events = LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED.rawValue | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT.rawValue
        let any = LIBUSB_HOTPLUG_MATCH_ANY
        // The callback does nothing: it is enough that libusb stops waiting.
        let result = libusb_hotplug_register_callback(
            context, CInt(events), 0, any, any, any, { _, _, _, _ in 0 }, nil, nil)
        guard result == 0 else { return nil }
    }

    deinit { libusb_exit(context) }

    /// Waits for an event, an interruption or the time limit.
    ///
    /// Returns false if libusb cannot wait.
    func wait(milliseconds: Int) -> Bool {
        var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        let result = libusb_handle_events_timeout_completed(context, &time, nil)
        return result == 0 || result == LIBUSB_ERROR_INTERRUPTED.rawValue
    }
}
