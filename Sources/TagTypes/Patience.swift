// Retries after a missing answer, and the conclusions that they allow — NFC Forum T2T, ACK and NAK Responses
import Glibc
import ReaderInterface

/// How long to retry commands to a tag in the field before its answers count as unreliable.
///
/// A missing answer, a broken frame and an answer of the wrong length count as noise and show nothing about the tag.
/// Only an answer that a tag repeats after a new activation counts as evidence.
public struct Patience: Hashable, Sendable {
    /// The minimum number of attempts at one command.
    public let attempts: Int
    /// How long a command is repeated after its first failure, even beyond the minimum number of attempts.
    public let time: Duration
    /// The pause before each attempt after the third.
    ///
    /// A tag that is still being placed may be closer to the antenna after the pause.
    public let pause: Duration

    /// Creates a retry policy.
    public init(attempts: Int, time: Duration, pause: Duration) {
        self.attempts = attempts
        self.time = time
        self.pause = pause
    }

    /// The policy for commands that every tag of a type supports.
    ///
    /// The policy allows for a hand that takes up to 200 ms to place the tag, and for the loss of half of the long
    /// frames.
    public static let standard = Patience(attempts: 8, time: .seconds(1), pause: .milliseconds(10))

    /// The policy for optional short commands, which some tags refuse by not answering.
    static let optional = Patience(attempts: 3, time: .zero, pause: .zero)

    /// The policy for short commands that can only be refused by not answering, such as polling for an absent system.
    static let silentRefusal = Patience(attempts: 4, time: .zero, pause: .zero)
}

/// The result of one attempt at a command.
enum Attempt<Answer> {
    case answer(Answer)
    /// A 4-bit answer other than ACK.
    case refusal(UInt8)
}

/// Counts the failed attempts at one command, and decides when to give up.
struct Persistence {
    /// The NAK codes that are not a refusal — NXP NTAG213_215_216 and MF1S50yyX, tables of ACK and NAK.
    ///
    /// 1 is a parity or checksum error, caused by noise in the command. 5 is an EEPROM write error, or on a MIFARE
    /// Classic also a parity or checksum error. Invalid arguments and locked blocks cause 0 or 4.
    private static let accidents: Set<UInt8> = [0x1, 0x5]
    /// The number of times that the same violation, or a status without a reason, must occur before it counts.
    private static let repetitions = (violation: 3, unexplained: 2)
    /// The number of attempts without a pause in between.
    private static let quickAttempts = 3

    private let patience: Patience
    private let needed: Int
    private var firstFailure: ContinuousClock.Instant?
    private var evidence = 0
    private var violations: (error: TagError, count: Int)?
    private var unexplained = 0
    private(set) var attempts = 0

    /// Starts to count the attempts at a command, which counts as refused after `refusals` NAKs.
    init(_ patience: Patience, refusals: Int) {
        self.patience = patience
        needed = refusals
    }

    mutating func failed() {
        attempts += 1
        if firstFailure == nil { firstFailure = .now }
    }

    /// Counts a NAK and returns whether the refusal is now certain.
    mutating func isRefused(by nibble: UInt8) -> Bool {
        failed()
        violations = nil
        guard !Self.accidents.contains(nibble) else { return false }
        evidence += 1
        return evidence >= needed
    }

    /// Counts an answer that violates the specification, and returns whether the tag has repeated it often enough.
    mutating func isCertain(_ violation: TagError) -> Bool {
        failed()
        let count = violations?.error == violation ? (violations?.count ?? 0) + 1 : 1
        violations = (violation, count)
        return count >= Self.repetitions.violation
    }

    /// Counts a status word that gives no reason, and returns whether the tag has repeated it.
    mutating func isUnexplainedAgain() -> Bool {
        failed()
        unexplained += 1
        return unexplained >= Self.repetitions.unexplained
    }

    /// Returns whether another attempt may be made, and pauses before later attempts.
    func goesOn() -> Bool {
        let isWorthIt =
            attempts < patience.attempts || firstFailure.map { $0.duration(to: .now) < patience.time } ?? true
        if isWorthIt, attempts >= Self.quickAttempts, patience.pause > .zero { patience.pause.sleep() }
        return isWorthIt
    }
}

/// A tag that is activated again after each failure.
protocol PersistentlyAsked: AnyObject {
    var patience: Patience { get }
    func reselect() throws(TagError)
}

extension PersistentlyAsked {
    /// The number of attempts to activate a tag before it counts as gone.
    ///
    /// More than one attempt is needed, because the answer to an activation may also be lost.
    private var activations: Int { 3 }

    /// Repeats a command on new activations until the tag answers it or certainly refuses it.
    ///
    /// - Parameters:
    ///   - command: the name of the command, for the error.
    ///   - offset: the byte offset in the memory, for the error, or `nil` if there is none.
    ///   - patience: the retry policy; by default, that of the tag.
    ///   - refusals: the number of NAKs after which the command counts as refused.
    ///   - attempt: sends the command. It receives the number of the attempt, counted from 0.
    /// - Returns: the answer, or `nil` if the tag refuses.
    /// - Throws: ``TagError/noReliableAnswer(command:offset:)``; ``TagError/reader(_:)`` with `tagLost` if the tag
    ///   cannot be activated; a protocol violation that the tag repeats.
    func inquire<Answer>(
        _ command: String, at offset: Int? = nil, patience: Patience? = nil, refusals: Int = 2,
        _ attempt: (_ number: Int) throws(TagError) -> Attempt<Answer>
    ) throws(TagError) -> Answer? {
        var persistence = Persistence(patience ?? self.patience, refusals: refusals)
        while true {
            do throws(TagError) {
                switch try attempt(persistence.attempts) {
                case .answer(let answer): return answer
                case .refusal(let nibble):
                    guard persistence.isRefused(by: nibble) else { break }
                    try activateAgain()
                    return nil
                }
            } catch .reader(.noAnswer) {
                persistence.failed()
            } catch {
                switch error {
                case .protocolViolation:
                    if persistence.isCertain(error) { throw error }
                // SW 6F00: no precise diagnosis — ISO/IEC 7816-4.
                case .commandFailed(_, _, sw: 0x6F00?):
                    if persistence.isUnexplainedAgain() { throw .noReliableAnswer(command: command, offset: offset) }
                default: throw error
                }
            }
            try activateAgain()
            guard persistence.goesOn() else { throw .noReliableAnswer(command: command, offset: offset) }
        }
    }

    /// Repeats a command that is never refused with a 4-bit NAK, until the tag answers it or the command certainly
    /// fails.
    ///
    /// Throws what ``inquire(_:at:patience:refusals:_:)`` throws.
    func insist<Answer>(
        on command: String, at offset: Int? = nil, patience: Patience? = nil,
        _ attempt: (_ number: Int) throws(TagError) -> Answer
    ) throws(TagError) -> Answer {
        let answer: Answer? = try inquire(command, at: offset, patience: patience) { (number) throws(TagError) in
            .answer(try attempt(number))
        }
        guard let answer else { throw .noReliableAnswer(command: command, offset: offset) }
        return answer
    }

    /// Activates the tag again.
    ///
    /// A single missing answer does not prove that the tag has left.
    func activateAgain() throws(TagError) {
        for _ in 1..<activations {
            do throws(TagError) {
                return try reselect()
            } catch .reader(.tagLost) {
                continue
            } catch .reader(.noAnswer) {
                continue
            }
        }
        do throws(TagError) {
            try reselect()
        } catch .reader(.noAnswer) {
            // The tag was activated, but the authentication after it got no answer. The next attempt will report the
            // reason.
        }
    }
}

extension Duration {
    fileprivate func sleep() {
        let (seconds, attoseconds) = components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
