// What one NTAG 424 DNA gets that signs its URL: its own keys, and the URL

import ReaderInterface
import SafeTag
import SecureDynamicMessaging

/// What a row orders for a tag that signs its URL.
struct DynamicOrder: Sendable {
    /// The URL, and the keys that verify it.
    let setup: SDMSetup
    /// The change from the keys that every chip is delivered with to the tag's own.
    let keys: KeyChange

    /// How often a URL is asked for that noise may have mixed from two taps.
    fileprivate static let mostTaps = 3

    /// Makes the order of a tag, from whose UID its keys may be derived.
    ///
    /// Throws an `NDEFError` when the layout fits in no record.
    init(_ layout: SDMLayout, _ recipe: DynamicRecipe, uid: [UInt8]) throws {
        let keys = recipe.keys.keys(of: uid)
        setup = try SDMSetup(layout, keys: keys)
        self.keys = KeyChange(from: .factory, to: keys, version: recipe.keyVersion)
    }

    /// Why a tag does not hold the row, a sentence; nil where it gave the row's URL, signed with its own keys.
    func objection(to reading: TagReading) -> String? {
        do throws(SDMError) {
            _ = try setup.verified(reading)
            return nil
        } catch { return error.description }
    }
}

extension TagOrder {
    /// Reads a tag with `read`.
    ///
    /// A tag that is to sign its URL is read up to three times, until its answer verifies. The last reading is returned
    /// also when it does not. Only an error of `read` is thrown.
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
