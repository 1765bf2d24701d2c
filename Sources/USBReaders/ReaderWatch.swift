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
