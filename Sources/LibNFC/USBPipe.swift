// The bulk pipes of a reader that libnfc has open, between two of libnfc's calls

@preconcurrency import Glibc

/// Bytes to and from the reader that libnfc holds: what libnfc has no call for goes this way.
///
/// Only while no libnfc call is in progress: libnfc reads from the same pipe.
struct USBPipe {
    let descriptors: USBDescriptors
    private let file: USBDeviceFile

    /// Finds the file through which libnfc holds a node: of this process's open files of that node the one with the claim.
    ///
    /// - Returns: nil when there is none, or the node says nothing of itself.
    init?(heldNode path: String) {
        var node = stat()
        guard stat(path, &node) == 0 else { return nil }
        let files = openFiles().filter { descriptor in
            var file = stat()
            return fstat(descriptor, &file) == 0 && file.st_dev == node.st_dev && file.st_ino == node.st_ino
        }.map(USBDeviceFile.init)
        // The claim of what was claimed by the same file changes nothing; with any other file it is EBUSY.
        guard let file = files.first(where: { (try? $0.claim()) != nil }) else { return nil }
        self.init(file)
    }

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

/// The descriptors this process has open.
private func openFiles() -> [CInt] {
    guard let directory = opendir("/proc/self/fd") else { return [] }
    defer { closedir(directory) }
    let own = dirfd(directory)
    var files: [CInt] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if let file = CInt(name), file != own { files.append(file) }
    }
    return files
}
