// The name of a station within a plan

import Foundation
public import Provisioning

/// A station's name, such as the name of a desk, on one line.
public struct StationName: Hashable, Sendable {
    /// The name.
    public let text: String

    static let lengths = 1...64

    /// Creates a name.
    ///
    /// Nil stands for the host name.
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
