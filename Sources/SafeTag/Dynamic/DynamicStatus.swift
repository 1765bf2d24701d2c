// The state of the files and keys of an NTAG 424 DNA — NXP NT4H2421Gx, 10.5 to 10.7

import NTAG424DNA
import ReaderInterface
public import ReaderSession
public import SecureDynamicMessaging
public import TagTypes

/// The state of an NTAG 424 DNA, as far as it can be read with or without a key.
public struct DynamicStatus: Sendable {
    /// The UID: the chip's real UID if any of the given keys is right, or otherwise the UID that the chip shows.
    public let uid: [UInt8]
    /// The settings of the files, in order of their numbers.
    public let files: [(number: UInt8, settings: NativeFileSettings)]
    /// The versions of keys 0 to 4.
    public let keyVersions: [UInt8]
    /// The number of taps, or nil if the tag does not count taps or requires another key for reading their number.
    public let counter: Int?
    /// For each of the given keys, by key number, whether the tag has this key.
    public let isKeyRight: [Int: Bool]
}

extension ConnectedTag {
    /// Reads the state of an NTAG 424 DNA.
    ///
    /// Nothing is changed, but the tag counts wrong keys.
    ///
    /// - Parameter keys: keys to try, or nil for none.
    /// - Returns: the state. A wrong key is not an error; see ``DynamicStatus/isKeyRight``.
    /// - Throws: `TagError.unsupported` for another chip; other errors from the tag, reader or session.
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
