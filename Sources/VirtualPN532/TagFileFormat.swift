// Tag files in formats of other programs, given by a program that knows them

import Synchronization

/// A format of tag files besides Flipper's.
///
/// ``TagFile`` reads and writes files whose names have its ending by way of Flipper's text.
public struct TagFileFormat: Sendable {
    /// Why a file is none, or a tag does not fit one.
    public struct Failure: Error, Hashable, Sendable {
        /// A sentence.
        public let reason: String

        /// Makes a failure of a sentence.
        public init(_ reason: String) { self.reason = reason }
    }

    /// The ending of the files' names, in lower case and without a dot.
    let ending: String
    /// From a file's bytes to Flipper's text.
    let flipperText: @Sendable ([UInt8]) throws(Failure) -> String
    /// From Flipper's text to a file's bytes; `old` is what the file holds, nothing for a new one.
    let bytes: @Sendable (_ flipperText: String, _ old: [UInt8]) throws(Failure) -> [UInt8]

    /// Makes a format.
    public init(
        ending: String, flipperText: @escaping @Sendable ([UInt8]) throws(Failure) -> String,
        bytes: @escaping @Sendable (_ flipperText: String, _ old: [UInt8]) throws(Failure) -> [UInt8]
    ) {
        (self.ending, self.flipperText, self.bytes) = (ending, flipperText, bytes)
    }

    private static let known = Mutex<[String: TagFileFormat]>([:])

    /// Lets tag files have these formats from now on, in the whole process.
    public static func register(_ formats: [TagFileFormat]) {
        known.withLock { known in for format in formats { known[format.ending] = format } }
    }

    /// The format that a file's name asks for; nil for Flipper's, and for names with another ending.
    static func of(path: String) -> TagFileFormat? {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let ending = name[dot...].dropFirst().lowercased()
        return known.withLock { $0[ending] }
    }
}
