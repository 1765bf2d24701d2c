// The Android Application Record (`android.com:pkg`) — Android NdefRecord.createApplicationRecord

/// The Android application that should handle the message.
///
/// TNF 4, TYPE `android.com:pkg`. Payload: the package name (UTF-8).
public struct AndroidApplicationRecord: Hashable, Sendable {
    static let type = Array("android.com:pkg".utf8)

    /// The package name, such as `com.example.app`.
    ///
    /// It must not be empty.
    public var package: String

    /// Creates an application record without checking the package name.
    public init(package: String) {
        self.package = package
    }

    /// Parses a record with TNF 4 and type `android.com:pkg`.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .external, record.isType(Self.type) else {
            throw ContentError("Not an Android Application Record.")
        }
        guard !record.payload.isEmpty else { throw ContentError("The application's package name is empty.") }
        package = try String(utf8: record.payload, "The application's package name")
    }

    /// Whether an Android app can have this package name — Android manifest, "package".
    ///
    /// Such a name consists of two or more words that are separated by dots. Each word starts with an ASCII letter and
    /// contains only ASCII letters, digits and underscores.
    public var isPackageName: Bool {
        let words = package.split(separator: ".", omittingEmptySubsequences: false)
        return words.count > 1
            && words.allSatisfy { word in
                word.first.map { $0.isASCII && $0.isLetter } ?? false
                    && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            }
    }

    /// Encodes the application as a record.
    /// - Throws: ``ContentError`` if the package name is empty.
    public func record() throws(ContentError) -> NDEFRecord {
        guard !package.isEmpty else { throw ContentError("The application's package name is empty.") }
        return NDEFRecord(tnf: .external, type: Self.type, payload: Array(package.utf8))
    }
}
