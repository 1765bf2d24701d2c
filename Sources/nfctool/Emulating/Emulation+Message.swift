// The tag that `emulate` is, from its message

import NDEF
import TagTypes

extension Emulation {
    /// As much as an NTAG I2C 2K and then some: more than phones write.
    private static let writableCapacity = 4094

    /// A Type 4 Tag with a message.
    ///
    /// - Throws: ``TooLongToEmulate``.
    static func holding(_ message: NDEFMessage, isWritable: Bool, count: Int?) throws -> Emulation {
        do {
            let tag = try EmulatedType4Tag(
                message: message.records.isEmpty ? [] : message.encoded(), isWritable: isWritable,
                capacity: writableCapacity)
            return Emulation(tag, count: count)
        } catch {
            guard case TagError.tooLong(let length, let capacity) = error else { throw error }
            throw TooLongToEmulate(needed: length, capacity: capacity)
        }
    }
}

/// A message for which no Type 4 Tag has room: there is no larger one to take.
struct TooLongToEmulate: Failure {
    let needed: Int
    let capacity: Int

    var name: ErrorName { .tooLarge }
    var message: String { "The message needs \(needed) bytes; this tag holds \(capacity)." }
    var details: [String: FailureDetail] { ["needed": .number(needed), "capacity": .number(capacity)] }
}
