// What a station is called among those of a plan

import Foundation
public import Provisioning

/// A station's name: what people call a desk, on one line.
public struct StationName: Hashable, Sendable {
    /// The name.
    public let text: String

    static let lengths = 1...64

    /// Takes a name; without one, the host's.
    ///
    /// - Throws: `badStation`.
    public init(_ text: String?) throws(JournalError) {
        let text = text ?? ProcessInfo.processInfo.hostName
        guard Self.lengths.contains(text.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .badStation }
        self.text = text
    }
}
