// Readers that are plugged in and unplugged — libusb-1.0, "Device hotplug event notification"

/// An event on a USB port.
public enum ReaderEvent: Hashable, Sendable {
    /// A reader was plugged in.
    case arrived(USBReader)
    /// A reader was unplugged; the value is its last known state.
    case left(USBReader)

    /// The reader that arrived or left.
    public var reader: USBReader {
        switch self {
        case .arrived(let reader), .left(let reader): reader
        }
    }
}

/// Watches the USB ports on its own thread.
///
/// libusb reports that something changed, and sysfs shows what changed. If libusb reports nothing, for example in a
/// container without udev's messages, the watch reads sysfs every second. The watch ends when it is stopped, or when
/// neither the watch nor its event stream is referenced any more.
public final class ReaderWatch: Sendable {
    /// The readers, and the serial adapters recognised by ID, that were connected when the watch began.
    public let initial: [USBReader]
    /// The events since the watch began.
    ///
    /// The stream supports only one consumer.
    ///
    /// The stream ends when the watch is stopped. If a device was unplugged for less than one interval, the stream
    /// reports that it left and arrived, provided that its device number changed.
    public let events: AsyncStream<ReaderEvent>
    private let thread: WatchThread

    /// How a watch detects changes.
    public enum Source: Sendable {
        /// With notifications from libusb, if libusb supports them, and with a check every second.
        case hotPlug
        /// Only with a check every second.
        case polling
    }

    /// Starts watching.
    public init(root: SystemRoot = SystemRoot(), source: Source = .hotPlug) {
        let initial = USBReader.connected(root: root)
        // The buffer has room for more events than users cause while the stream is not read.
        let (events, continuation) = AsyncStream.makeStream(
            of: ReaderEvent.self, bufferingPolicy: .bufferingNewest(256))
        let thread = WatchThread(root: root, source: source, continuation: continuation)
        continuation.onTermination = { [weak thread] _ in thread?.requestStop() }
        thread.start(knowing: initial)
        self.initial = initial
        self.events = events
        self.thread = thread
    }

    /// Ends the watch, and returns after its thread has released everything.
    public func stop() {
        thread.requestStop()
        thread.waitForEnd()
    }
}
