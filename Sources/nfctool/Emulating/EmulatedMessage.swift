// The tag that `emulate` presents, from the start until the emulation ends

import NDEF
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Terminal

struct EmulatedMessage {
    private let emulation: Emulation
    /// The capacity of a writable emulated tag in bytes.
    ///
    /// It exceeds that of an NTAG I2C 2K, and messages from phones are shorter.
    private static let writableCapacity = 4094

    /// Prepares a message for emulation.
    ///
    /// If the message has no records, the emulated tag is empty. `count` is the number of readers after which the
    /// emulation ends, or nil for no limit.
    ///
    /// - Throws: ``TooLongToEmulate``.
    init(_ message: NDEFMessage, isWritable: Bool, count: Int?) throws {
        do {
            let tag = try EmulatedType4Tag(
                message: message.records.isEmpty ? [] : message.encoded(), isWritable: isWritable,
                capacity: Self.writableCapacity)
            emulation = Emulation(tag, count: count)
        } catch {
            guard case TagError.tooLong(let length, let capacity) = error else { throw error }
            throw TooLongToEmulate(needed: length, capacity: capacity)
        }
    }

    /// Emulates the tag until its limit is reached or a signal ends the emulation.
    ///
    /// - Throws: ``NoReaderCame``, ``Interrupted``, or the error of a reader that cannot start or continue the
    ///   emulation.
    func run(
        in session: ListeningSession, within timeout: Duration?, for length: Duration?, telling log: EmulationLog
    ) async throws {
        let run = EmulationRun(emulation, in: session, timeout: timeout, length: length, tell: log.tell)
        let interruption = Interruption.onRequest(run.interrupt)
        defer { withExtendedLifetime(interruption) {} }
        StandardOutput.endWhenUnread()
        switch try await run.run() {
        case .done: return
        case .nobodyCame: throw NoReaderCame(time: timeout ?? .zero)
        case .interrupted: throw Interrupted(cause: nil)
        }
    }
}

/// A message that is too long for any Type 4 Tag, so that no larger tag can be suggested.
struct TooLongToEmulate: Failure {
    let needed: Int
    let capacity: Int

    var name: ErrorName { .tooLarge }
    var message: String { "The message needs \(needed) bytes; this tag holds \(capacity)." }
    var details: [String: FailureDetail] { ["needed": .number(needed), "capacity": .number(capacity)] }
}

struct NoReaderCame: Failure {
    let time: Duration
    var name: ErrorName { .timeout }
    var message: String { "No reader connected within \(time.inWords)." }
}
