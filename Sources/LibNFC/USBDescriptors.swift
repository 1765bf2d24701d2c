// The descriptors of a USB device, read from its node in /dev/bus/usb — USB 2.0, 9.6; usbfs

@preconcurrency import Glibc

struct USBDescriptors: Hashable {
    let vendor: UInt16
    let product: UInt16
    /// The address of the IN endpoint, with bit 7 set.
    let bulkIn: UInt8
    let bulkOut: UInt8
    /// wMaxPacketSize of the OUT endpoint.
    let packetSize: Int

    /// Whether the device is the ACR122U itself.
    ///
    /// The Touchatag and the ACR1222 use the same protocol but have other LEDs.
    var isACR122U: Bool { vendor == 0x072F && product == 0x2200 }

    private enum DescriptorType {
        static let device: UInt8 = 1
        static let interface: UInt8 = 4
        static let endpoint: UInt8 = 5
    }

    /// The maximum number of bytes that are read.
    ///
    /// The descriptors of supported devices are shorter.
    private static let longest = 4096

    /// Parses the device descriptor and the first configuration.
    ///
    /// Returns nil if they are truncated or have no bulk endpoints.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 18, bytes[0] == 18, bytes[1] == DescriptorType.device else { return nil }
        // usbfs returns the words of the device descriptor in the host's byte order, and all other words in that of
        // USB.
        let words = bytes.withUnsafeBytes { bytes in
            [8, 10].map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt16.self) }
        }
        var inward: UInt8?
        var outward: (address: UInt8, packetSize: Int)?
        var isFirstInterface = false
        var rest = bytes.dropFirst(18)
        while let length = rest.first.map(Int.init), length >= 2, rest.count >= length {
            let descriptor = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            switch descriptor[1] {
            case DescriptorType.interface where length >= 9:
                isFirstInterface = descriptor[2] == 0 && descriptor[3] == 0
            // In bmAttributes, transfer type 2 means bulk.
            case DescriptorType.endpoint where length >= 7 && isFirstInterface && descriptor[3] & 3 == 2:
                if descriptor[2] & 0x80 != 0 {
                    inward = inward ?? descriptor[2]
                } else if outward == nil {
                    outward = (descriptor[2], Int(descriptor[4]) | Int(descriptor[5]) << 8)
                }
            default: break
            }
        }
        guard let inward, let outward, outward.packetSize > 0 else { return nil }
        (vendor, product) = (words[0], words[1])
        (bulkIn, bulkOut, packetSize) = (inward, outward.address, outward.packetSize)
    }

    /// Reads the descriptors from an open node.
    ///
    /// Returns nil if they cannot be read or used.
    init?(node descriptor: CInt) {
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        self.init(Array(bytes.prefix(count)))
    }
}
