// The numbers and contents of an NDEF application on a DESFire — NXP AN11004

/// The numbers and contents of the NDEF application that nfctool creates.
enum NDEFApplication {
    static let containerFile: UInt8 = 0x01
    static let ndefFile: UInt8 = 0x02
    static let ndefFileID: UInt16 = 0xE104
    /// The key settings, which allow everything without the application's key.
    ///
    /// That key keeps its default value.
    static let keySettings: UInt8 = 0x0F
    /// The byte that stands for one DES key and for files with ISO identifiers.
    static let keyCount: UInt8 = 0x21
    static let isoFileID: [UInt8] = [0x10, 0xE1]
    /// The maximum numbers of data bytes in one READ BINARY (MLe) and in one UPDATE BINARY (MLc).
    ///
    /// With these numbers, both commands fit into a frame of 64 bytes, the maximum for an EV1 — AN11004.
    static let mle = 59
    static let mlc = 52
    /// The unit in which memory is allocated, in bytes.
    static let memoryUnit = 32
    /// The maximum size of the NDEF file, in bytes, so that READ BINARY can address the whole file with P1 P2.
    static let largestFile = 0x7FE0
    /// The space for the application, the container and the headers of both files, in bytes, with a margin.
    static let overhead = 256
    static let smallestFile = 32
    /// Returns a capability container of mapping version 2.0 for an NDEF file of this size.
    static func container(size: Int) -> [UInt8] {
        [
            0x00, 0x0F, 0x20, 0x00, UInt8(mle), 0x00, UInt8(mlc), 0x04, 0x06, 0xE1, 0x04,
            UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size), 0x00, 0x00,
        ]
    }

    /// Returns the size of the NDEF file for which a card certainly has space with this much free memory.
    static func promisedSize(freeMemory: Int) -> Int { fileSize(freeMemory: freeMemory - overhead) }

    static func fileSize(freeMemory: Int) -> Int {
        min(largestFile, freeMemory - freeMemory % memoryUnit)
    }
}
