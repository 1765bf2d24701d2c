// Readers that come and go — libusb-1.0, "Device hotplug event notification"

/// What happened on a USB port.
public enum ReaderEvent: Hashable, Sendable {
    /// A reader was plugged in.
    case arrived(USBReader)
    /// A reader was unplugged: as it was when it was there.
    case left(USBReader)

    /// The reader that came or went.
    public var reader: USBReader {
        switch self {
        case .arrived(let reader), .left(let reader): reader
        }
    }
}

/// A watch over the USB ports, on a thread of its own.
///
/// libusb tells when something happened, sysfs what. Where libusb tells nothing, as in a container without udev's messages,
/// sysfs is looked at each second. It ends when it is stopped, or when neither it nor its events are held any more.
public final class ReaderWatch: Sendable {
    /// The readers, and the adapters known by number, that were there when the watch began.
    public let initial: [USBReader]
    /// What happens from then on; for one to listen to.
    ///
    /// It ends when the watch is stopped. A device that was out for less than a look is told as gone and back when its
    /// number changed.
    public let events: AsyncStream<ReaderEvent>
    private let thread: WatchThread

    /// How a watch learns that something happened.
    public enum Source: Sendable {
        /// From libusb where it can tell, and by looking each second.
        case hotPlug
        /// By looking each second.
        case polling
    }

    /// Begins to watch.
    public init(root: SystemRoot = SystemRoot(), source: Source = .hotPlug) {
        let initial = USBReader.connected(root: root)
        // More than anybody plugs in while nobody listens.
        let (events, continuation) = AsyncStream.makeStream(
            of: ReaderEvent.self, bufferingPolicy: .bufferingNewest(256))
        let thread = WatchThread(root: root, source: source, continuation: continuation)
        continuation.onTermination = { [weak thread] _ in thread?.requestStop() }
        thread.start(knowing: initial)
        self.initial = initial
        self.events = events
        self.thread = thread
    }

    /// Ends the watch, and returns when its thread holds nothing any more.
    public func stop() {
        thread.requestStop()
        thread.waitForEnd()
    }
}
