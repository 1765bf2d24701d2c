// The name of a station within a plan

import Foundation
public import Provisioning

/// A station's name on one line, such as the name of a desk.
public struct StationName: Hashable, Sendable {
    /// The text of the name.
    public let text: String

    static let lengths = 1...64

    /// Creates a name.
    ///
    /// Nil stands for the host name.
    ///
    /// - Throws: `badStation` if the name is empty, too long, or not a single line.
    public init(_ text: String?) throws(JournalError) {
        let text = text ?? ProcessInfo.processInfo.hostName
        guard Self.lengths.contains(text.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .badStation }
        self.text = text
    }
}
