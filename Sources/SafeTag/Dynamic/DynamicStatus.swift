// What an NTAG 424 DNA says of its files and keys — NXP NT4H2421Gx, 10.5 to 10.7

import NTAG424DNA
import ReaderInterface
public import ReaderSession
public import SecureDynamicMessaging
public import TagTypes

/// The state of an NTAG 424 DNA, as it is readable without a key or with one.
public struct DynamicStatus: Sendable {
    /// The UID: the chip's own where a key was given, else the one it shows.
    public let uid: [UInt8]
    /// The settings of the files by their numbers, in order.
    public let files: [(number: UInt8, settings: NativeFileSettings)]
    /// The versions of keys 0 to 4.
    public let keyVersions: [UInt8]
    /// The number of taps; nil if the tag does not count, or needs another key to show the count.
    public let counter: Int?
    /// Whether the tag has the keys that were given, by number.
    public let isKeyRight: [Int: Bool]
}

extension ConnectedTag {
    /// Asks an NTAG 424 DNA for its state; nothing is changed, but the tag counts keys that are not its own.
    ///
    /// - Parameter keys: keys to try; nil for none.
    /// - Returns: the state; a key that the tag does not have is no error, see ``DynamicStatus/isKeyRight``.
    /// - Throws: `TagError.unsupported` for another chip; other errors of tag, reader or session.
    public func dynamicStatus(_ keys: SDMKeys?) async throws -> DynamicStatus {
        let shown = target.identifier
        return try await perform { tag in
            try NTAG424.perform("the status", on: tag) { chip throws(TagError) in
                var (uid, isRight) = (shown, [Int: Bool]())
                var files: [(number: UInt8, settings: NativeFileSettings)] = []
                for file in NTAG424.File.allCases { files.append((file.rawValue, try chip.fileSettings(file))) }
                var versions: [UInt8] = []
                for number in SDMKeys.numbers { versions.append(try chip.keyVersion(number)) }
                let dynamic = files.first { $0.number == NTAG424.File.ndef.rawValue }?.settings.dynamic
                var counter: Int?
                if let dynamic, dynamic.counterRetrieval == .free { counter = try chip.tapCounter(dynamic) }
                for number in keys?.named ?? [] {
                    guard let key = keys?[number] else { continue }
                    do throws(TagError) {
                        try chip.authenticate(number, key)
                        isRight[number] = true
                    } catch .wrongKey {
                        isRight[number] = false
                        continue
                    }
                    uid = try chip.cardUID()
                    if let dynamic, dynamic.counterRetrieval == .key(number) { counter = try chip.tapCounter(dynamic) }
                }
                return DynamicStatus(
                    uid: uid, files: files, keyVersions: versions, counter: counter, isKeyRight: isRight)
            }
        }
    }
}
