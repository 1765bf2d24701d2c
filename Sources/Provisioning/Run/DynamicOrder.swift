// The keys and the URL for an NTAG 424 DNA that signs its URL

import ReaderInterface
import SafeTag
import SecureDynamicMessaging

/// The URL and the keys that a row specifies for a tag that signs its URL.
struct DynamicOrder: Sendable {
    /// The URL to set up, and the keys that verify it.
    let setup: SDMSetup
    /// The change from the delivery keys, which every new chip has, to the tag's own keys.
    let keys: KeyChange

    /// The maximum number of times that a tag is read to verify its URL.
    ///
    /// Radio noise can mix the URLs of two readings, so a single failure is not conclusive.
    fileprivate static let mostTaps = 3

    /// Creates the order for a tag.
    ///
    /// The tag's keys may be derived from its UID. Throws an `NDEFError` if the layout does not fit in a record.
    init(_ layout: SDMLayout, _ recipe: DynamicRecipe, uid: [UInt8]) throws {
        let keys = recipe.keys.keys(of: uid)
        setup = try SDMSetup(layout, keys: keys)
        self.keys = KeyChange(from: .factory, to: keys, version: recipe.keyVersion)
    }

    /// Returns the reason why a tag does not hold the row, as a sentence.
    ///
    /// Returns nil if the tag returned the row's URL and signed it with its own keys.
    func objection(to reading: TagReading) -> String? {
        do throws(SDMError) {
            _ = try setup.verified(reading)
            return nil
        } catch { return error.description }
    }
}

extension TagOrder {
    /// Reads a tag with `read`, and reads it again if its URL cannot be verified.
    ///
    /// A tag that signs its URL is read up to three times, until the URL is verified. The last reading is returned
    /// even if its URL cannot be verified. Only errors from `read` are thrown.
    static func reading(
        for order: TagOrder?, _ read: () async throws -> TagReading
    ) async throws -> TagReading {
        var reading = try await read()
        guard let dynamic = order?.dynamic else { return reading }
        for _ in 1..<DynamicOrder.mostTaps where dynamic.objection(to: reading) != nil && !reading.bytes.isEmpty {
            reading = try await read()
        }
        return reading
    }
}
