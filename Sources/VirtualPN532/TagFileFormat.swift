// Formats of tag files that the program using the virtual reader registers

import Synchronization

/// A format of tag files besides Flipper's.
///
/// ``TagFile`` uses it to convert files with this format's extension to and from Flipper text.
public struct TagFileFormat: Sendable {
    /// The reason why a file cannot be read, or why a tag cannot be stored in a file.
    public struct Failure: Error, Hashable, Sendable {
        /// The reason, as a sentence.
        public let reason: String

        /// Creates a failure with this reason.
        public init(_ reason: String) { self.reason = reason }
    }

    /// The file name extension that belongs to the format, in lower case and without a dot.
    let ending: String
    let flipperText: @Sendable ([UInt8]) throws(Failure) -> String
    /// Converts Flipper text to the bytes of a file.
    ///
    /// `old` is the present content of the file; it is empty for a new file.
    let bytes: @Sendable (_ flipperText: String, _ old: [UInt8]) throws(Failure) -> [UInt8]

    /// Creates a format.
    public init(
        ending: String, flipperText: @escaping @Sendable ([UInt8]) throws(Failure) -> String,
        bytes: @escaping @Sendable (_ flipperText: String, _ old: [UInt8]) throws(Failure) -> [UInt8]
    ) {
        (self.ending, self.flipperText, self.bytes) = (ending, flipperText, bytes)
    }

    private static let known = Mutex<[String: TagFileFormat]>([:])

    /// Adds formats for tag files in this process.
    public static func register(_ formats: [TagFileFormat]) {
        known.withLock { known in for format in formats { known[format.ending] = format } }
    }

    /// Returns the format for the extension of a path; nil for an unknown extension, including `.nfc`.
    static func of(path: String) -> TagFileFormat? {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let ending = name[dot...].dropFirst().lowercased()
        return known.withLock { $0[ending] }
    }
}
