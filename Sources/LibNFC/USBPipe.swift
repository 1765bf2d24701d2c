// The bulk pipes of a reader that libnfc has open, between two of libnfc's calls

@preconcurrency import Glibc

/// Bytes to and from the reader that libnfc holds: what libnfc has no call for goes this way.
///
/// Only while no libnfc call is in progress: libnfc reads from the same pipe.
struct USBPipe {
    let descriptors: USBDescriptors
    private let file: USBDeviceFile

    /// The pipes of a file that has the claim; nil when the node says nothing of itself.
    init?(_ file: USBDeviceFile) {
        guard let descriptors = USBDescriptors(node: file.descriptor) else { return nil }
        (self.file, self.descriptors) = (file, descriptors)
    }

    /// Sends one message.
    func send(_ message: [UInt8], within milliseconds: Int) throws(USBDeviceFile.Failure) {
        try file.send(message, to: descriptors.bulkOut, within: milliseconds)
        // A message of whole packets is not over before an empty one.
        guard message.count.isMultiple(of: descriptors.packetSize) else { return }
        try file.send([], to: descriptors.bulkOut, within: milliseconds)
    }

    /// Receives one message of at most 320 bytes, more than any reader sends.
    func receive(within milliseconds: Int) throws(USBDeviceFile.Failure) -> [UInt8] {
        try file.receive(320, from: descriptors.bulkIn, within: milliseconds)
    }
}
