// When a tag has not answered: how often it is asked again, and what may be concluded — NFC Forum T2T, ACK and NAK Responses
import Glibc
import ReaderInterface

/// How long a tag that is in the field is asked again before its answer counts as unreliable.
///
/// Silence, a broken frame and an answer of the wrong length are noise and say nothing about the tag. Only what a tag
/// repeats after a fresh activation is evidence.
public struct Patience: Hashable, Sendable {
    /// The least number of attempts at one command.
    public let attempts: Int
    /// How long a command is repeated beyond that, from its first failure on.
    public let time: Duration
    /// The wait between later attempts: a tag that is being placed couples better a moment later.
    public let pause: Duration

    /// Makes a patience.
    public init(attempts: Int, time: Duration, pause: Duration) {
        self.attempts = attempts
        self.time = time
        self.pause = pause
    }

    /// For commands that every tag of the type carries out: a hand takes up to 200 ms to place a tag, and half of the
    /// long frames may be lost.
    public static let standard = Patience(attempts: 8, time: .seconds(1), pause: .milliseconds(10))

    /// For short commands that some tags refuse by silence, and that are no loss when they are not carried out.
    static let optional = Patience(attempts: 3, time: .zero, pause: .zero)

    /// For short commands where silence is the only way to refuse: a system that a card does not have.
    static let silentRefusal = Patience(attempts: 4, time: .zero, pause: .zero)
}

/// What one attempt at a command brought.
enum Attempt<Answer> {
    case answer(Answer)
    /// Four bits that are not ACK.
    case refusal(UInt8)
}

/// The attempts at one command.
struct Persistence {
    /// NAKs that refuse nothing — NXP NTAG213_215_216 and MF1S50yyX, tables of ACK and NAK.
    ///
    /// 1 is a parity or checksum error, which noise in the command causes. 5 is an error while writing the EEPROM, or with
    /// the codes of a MIFARE Classic a parity or checksum error, too. Invalid arguments and closed blocks are 0 or 4.
    private static let accidents: Set<UInt8> = [0x1, 0x5]
    /// How often the same wrong answer, or the same status without a reason, is repeated before it counts.
    private static let repetitions = (violation: 3, unexplained: 2)
    /// The attempts that follow each other without a pause.
    private static let quickAttempts = 3

    private let patience: Patience
    private let needed: Int
    private var firstFailure: ContinuousClock.Instant?
    private var evidence = 0
    private var violations: (error: TagError, count: Int)?
    private var unexplained = 0
    /// How many attempts were made.
    private(set) var attempts = 0

    /// Begins to count the attempts at a command; `refusals` NAKs make a refusal.
    init(_ patience: Patience, refusals: Int) {
        self.patience = patience
        needed = refusals
    }

    /// Counts an attempt that failed by noise.
    mutating func failed() {
        attempts += 1
        if firstFailure == nil { firstFailure = .now }
    }

    /// Counts a NAK; true when the tag refuses for certain.
    mutating func isRefused(by nibble: UInt8) -> Bool {
        failed()
        violations = nil
        guard !Self.accidents.contains(nibble) else { return false }
        evidence += 1
        return evidence >= needed
    }

    /// Counts an answer that is not as specified; true when the tag gave the same one again and again.
    mutating func isCertain(_ violation: TagError) -> Bool {
        failed()
        let count = violations?.error == violation ? (violations?.count ?? 0) + 1 : 1
        violations = (violation, count)
        return count >= Self.repetitions.violation
    }

    /// Counts a status word that gives no reason; true when the tag gave it again.
    mutating func isUnexplainedAgain() -> Bool {
        failed()
        unexplained += 1
        return unexplained >= Self.repetitions.unexplained
    }

    /// Whether another attempt may be made; waits before a later one.
    func goesOn() -> Bool {
        let isWorthIt =
            attempts < patience.attempts || firstFailure.map { $0.duration(to: .now) < patience.time } ?? true
        if isWorthIt, attempts >= Self.quickAttempts, patience.pause > .zero { patience.pause.sleep() }
        return isWorthIt
    }
}

/// A tag that is activated again after each failure.
protocol PersistentlyAsked: AnyObject {
    /// How long the tag is asked.
    var patience: Patience { get }
    /// Activates the tag again.
    func reselect() throws(TagError)
}

extension PersistentlyAsked {
    /// How often a tag is looked for before it counts as gone: its answer to an activation may be lost, too.
    private var activations: Int { 3 }

    /// Repeats a command on fresh activations until it is answered, or refused for certain.
    ///
    /// - Parameters:
    ///   - command: its name, for the error.
    ///   - offset: where in the memory, in bytes.
    ///   - patience: how long; by default the tag's.
    ///   - refusals: how many NAKs make a refusal.
    ///   - attempt: sends the command; gets the number of the attempt, from 0 on.
    /// - Returns: nil when the tag refuses.
    /// - Throws: ``TagError/noReliableAnswer(command:offset:)``; ``TagError/reader(_:)`` with `tagLost` when the tag cannot
    ///   be activated; an answer that breaks a rule again and again.
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
                // No precise diagnosis — ISO/IEC 7816-4.
                case .commandFailed(_, _, sw: 0x6F00?):
                    if persistence.isUnexplainedAgain() { throw .noReliableAnswer(command: command, offset: offset) }
                default: throw error
                }
            }
            try activateAgain()
            guard persistence.goesOn() else { throw .noReliableAnswer(command: command, offset: offset) }
        }
    }

    /// Repeats a command that is answered or fails, but is never refused by four bits.
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

    /// Activates the tag; that it does not answer once is no proof that it left.
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
            // It was activated, and what opens it had no answer: the next attempt shows.
        }
    }
}

extension Duration {
    /// Blocks the thread for so long.
    fileprivate func sleep() {
        let (seconds, attoseconds) = components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
