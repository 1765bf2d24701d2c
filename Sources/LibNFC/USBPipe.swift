// The bulk pipes of a reader that libnfc has open, for use between libnfc calls

@preconcurrency import Glibc

/// Transfers bytes to and from a reader that libnfc has open, for operations that libnfc does not support.
///
/// Use this only while no libnfc call is in progress, because libnfc reads from the same pipe.
struct USBPipe {
    let descriptors: USBDescriptors
    private let file: USBDeviceFile

    /// Creates the pipes of a file that has claimed the interface.
    ///
    /// Returns nil if the node's descriptors cannot be read.
    init?(_ file: USBDeviceFile) {
        guard let descriptors = USBDescriptors(node: file.descriptor) else { return nil }
        (self.file, self.descriptors) = (file, descriptors)
    }

    func send(_ message: [UInt8], within milliseconds: Int) throws(USBDeviceFile.Failure) {
        try file.send(message, to: descriptors.bulkOut, within: milliseconds)
        // A message that consists of whole packets must end with an empty packet.
        guard message.count.isMultiple(of: descriptors.packetSize) else { return }
        try file.send([], to: descriptors.bulkOut, within: milliseconds)
    }

    /// Receives one message of at most 320 bytes, which is more than any reader sends.
    func receive(within milliseconds: Int) throws(USBDeviceFile.Failure) -> [UInt8] {
        try file.receive(320, from: descriptors.bulkIn, within: milliseconds)
    }
}
