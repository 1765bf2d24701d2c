// One reader over libnfc, owned by one serial queue — libnfc 1.8 nfc.h

import Clibnfc
public import Dispatch
@preconcurrency import Glibc
public import Logging
public import ReaderInterface
import Synchronization

// Unchecked: mutable state is touched on `queue` only, but for `call`.
/// A reader that libnfc drives: PN532, PN533, ACR122U and their kin.
///
/// All calls but ``abort()`` are made on the queue given to ``init(connection:queue:logger:)``, which checks it. Each call
/// returns in bounded time, also when the reader is mute: its own time-out where it has one, else at most about one second.
public final class LibNFCReader: Reader, @unchecked Sendable {
    /// The connection string of the reader; one that came back from a reset may have another device number than was asked
    /// for.
    public let connection: String
    /// Those of a PN53x, whose radio has no ISO 15693.
    public let technologies = Set(Technology.allCases.filter { $0.modulation != nil })
    let queue: DispatchQueue
    let logger: Logger
    let device: OpaquePointer
    /// Where the reader is; nil when its connection string does not tell.
    let node: ReaderNode?
    private var claim: ReaderClaim?
    /// Keeps other processes off the reader while it is open.
    private(set) var lock: OpenNode?
    private var isOpen = true
    /// A target is selected, so it would not hear a poll: an ISO-DEP tag that is still selected ignores it.
    var hasSelection = false
    /// What became of the targets since the field was last switched on.
    var fieldUse = FieldUse.fresh()
    /// When that was.
    var fieldStart = FieldStart()
    /// What libnfc's driver makes of sizes and times.
    let link: ReaderLink
    /// The reader itself failed: nothing good is to be had from it any more.
    private(set) var hasFailed = false
    /// How often in a row the reader had to be brought into step.
    var missteps = 0
    /// The way to the reader beside libnfc's, once it was needed.
    var sideChannel = SideChannel.unknown
    /// Another reader has activated this one, which listens.
    var isActivated = false
    /// A signal failed, and that was said.
    var hasToldOfSignals = false
    /// How the next bytes to a target are wrapped; a property of libnfc's device.
    var framing = Framing.handled
    /// The chip leaves parity to the host, as ``JewelFrames`` need it and nothing else does.
    var leavesParityToHost = false
    /// The channel that may talk to the selected target.
    weak var current: LibNFCChannel?
    /// The target that the last call found alone, and left selected.
    var foundAlone: Target?
    /// The target that ``connect(to:)`` left selected; nil once another was looked for, whichever was found.
    var connected: Target?
    /// What `abort()` may look at from any thread.
    private let call = Mutex(Call())

    /// Whether a libnfc call is in progress; from any thread.
    var isRunning: Bool { call.withLock { $0.isRunning } }

    private struct Call {
        var isAborted = false
        var isRunning = false
        /// How many calls were made, this one included.
        var number = 0
        /// Until when libnfc may be told to end a call that waits for another reader.
        var abortLimit: ContinuousClock.Instant?
    }

    /// A call that has run this long waits for the chip.
    private static let abortDelay = DispatchTimeInterval.milliseconds(100)
    /// USB drivers look whether a call was aborted every 200 ms.
    private static let abortPatience = DispatchTimeInterval.milliseconds(300)
    /// This long before its time-out a call that waits for another reader is left alone.
    private static let abortMargin = Duration.milliseconds(50)

    /// Opens a reader and switches its field on.
    ///
    /// Costs about ten exchanges and 50 ms with `pn532_uart`.
    ///
    /// - Parameters:
    ///   - connection: a libnfc connection string, at most 1023 bytes.
    ///   - queue: the serial queue that owns the reader; the initialiser itself may be called on it or before it is used.
    ///   - logger: gets the bytes to and from tags at trace level.
    /// - Throws: `ReaderError.noReader`, `ReaderError.busy`,
    ///   `ReaderError.noPermission`, or `ReaderError.readerFailed` when something is
    ///   there that does not answer.
    public init(connection: String, queue: DispatchQueue, logger: Logger) throws(ReaderError) {
        guard !connection.utf8.contains(0), connection.utf8.count < MemoryLayout<nfc_connstring>.size else {
            throw .noReader(connection: connection)
        }
        let opening = try ReaderOpening(connection, logger: logger)
        (self.connection, claim, device) = (opening.connection, opening.claim, opening.device)
        lock = opening.lock
        node = ReaderNode(connection: opening.connection)
        link = ReaderLink(connection: opening.connection)
        self.queue = queue
        self.logger = logger
        _ = nfc_device_set_property_int(device, NP_TIMEOUT_COMMAND, link.commandTimeout)
        let result = nfc_initiator_init(device)
        guard result >= 0 else { throw .libnfc(result, during: "setting up as initiator") }
        fieldStart = FieldStart()
        // Every select answers at once, tag or no tag: so a chip that does not answer is a mute chip, not an empty field.
        let setting = nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false)
        guard setting >= 0 else { throw .libnfc(setting, during: "setting a property") }
    }

    deinit {
        if isOpen { nfc_close(device) }
    }

    /// Ends a call in progress, and fails all later ones, with `ReaderError.aborted`; from any thread.
    public func abort() {
        let running = call.withLock { call in
            call.isAborted = true
            return call.isRunning ? call.number : nil
        }
        if let running { endCall(running, after: Self.abortDelay) }
    }

    /// Ends a call that goes on for so long.
    ///
    /// libnfc loses an abort that comes while a call does not wait for the chip, and leaks a descriptor each time: hence the
    /// delay, in which most calls end by themselves, and another try. And an abort clears the error of the call: in the 50 ms
    /// that libnfc pauses after a time-out it would make an answer of it, which may end the process.
    private func endCall(_ number: Int, after delay: DispatchTimeInterval) {
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) {
            let isRunning = self.call.withLock { call in
                guard call.isRunning, call.number == number, call.abortLimit.map({ .now < $0 }) ?? true else {
                    return false
                }
                nfc_abort_command(self.device)
                return true
            }
            if isRunning { self.endCall(number, after: Self.abortPatience) }
        }
    }

    /// Switches the field off and gives the reader back.
    public func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard isOpen else { return }
        isOpen = false
        // A reader that is mute is not waited for once more.
        if hasFailed { _ = nfc_device_set_property_int(device, NP_TIMEOUT_COMMAND, link.shortestTimeout) }
        nfc_close(device)
        restorePolling()
        (claim, lock) = (nil, nil)
    }

    /// Whether calls may be made: it is neither closed nor aborted.
    var isUsable: Bool { isOpen && call.withLock { !$0.isAborted } }

    /// Whether the channel's target is the selected one.
    func isCurrent(_ channel: LibNFCChannel) -> Bool { current === channel }

    /// Whether libnfc's PN53x layer drives the reader, and found a PN532.
    ///
    /// With a driver that is not on top of it, such as that for PC/SC, a host command would end the process.
    var isPN532: Bool { chip?.hasPrefix("PN532 ") ?? false }

    /// What the chip said it is: libnfc's PN53x layer begins its report with `chip: PN532 v1.6`, remembered from opening.
    public private(set) lazy var chip: String? = {
        let heading = "chip: "
        var report: UnsafeMutablePointer<CChar>?
        guard nfc_device_get_information_about(device, &report) >= 0, let report else { return nil }
        defer { nfc_free(report) }
        let line = String(cString: report).prefix { !$0.isNewline }
        return line.hasPrefix(heading) ? String(line.dropFirst(heading.count)) : nil
    }()
}

extension LibNFCReader {
    func set(_ property: nfc_property, _ value: Bool) throws(ReaderError) {
        _ = try perform("setting a property") { nfc_device_set_property_bool($0, property, value) }
    }

    /// Makes one libnfc call to a target.
    ///
    /// A USB reader that was silent, or answered what is no answer, is brought into step first: then it is as if the
    /// target had been silent.
    ///
    /// - Parameters:
    ///   - operation: its name in errors.
    ///   - wait: how long the call waits for another reader; nil if it does not.
    ///   - body: the call.
    ///   - accept: negative results that are answers, not errors.
    /// - Returns: libnfc's result: not negative, or one that `accept` takes.
    /// - Throws: ``ReaderError/noAnswer`` when nothing is known but that the reader is in step; the error of libnfc's
    ///   result otherwise.
    func exchange(
        _ operation: String, waiting wait: Duration? = nil, _ body: (OpaquePointer) -> CInt,
        accept: (CInt) -> Bool = { _ in false }
    ) throws(ReaderError) -> CInt {
        let result = try run(operation, waiting: wait, body)
        guard !link.isOutOfStep(after: result) else {
            guard bringIntoStep() else { throw failure(result, operation) }
            throw .noAnswer
        }
        missteps = 0
        guard result >= 0 || accept(result) else { throw failure(result, operation) }
        return result
    }

    /// Makes one libnfc call to the reader itself.
    func perform(_ operation: String, _ body: (OpaquePointer) -> CInt) throws(ReaderError) -> CInt {
        let result = try run(operation, body)
        guard result >= 0 else { throw failure(result, operation) }
        return result
    }

    /// Runs a libnfc call on the owner's queue: ``abort()`` ends it, and its error is told apart.
    private func run(
        _ operation: String, waiting wait: Duration? = nil, _ body: (OpaquePointer) -> CInt
    ) throws(ReaderError) -> CInt {
        dispatchPrecondition(condition: .onQueue(queue))
        guard isOpen else { throw .readerFailed(operation: operation, reason: "it was closed", code: NFC_ESOFT) }
        try call.withLock { call throws(ReaderError) in
            guard !call.isAborted else { throw .aborted }
            call.isRunning = true
            call.number &+= 1
            call.abortLimit = wait.map { .now + $0 - Self.abortMargin }
        }
        let result = body(device)
        let isAborted = call.withLock { call in
            call.isRunning = false
            return call.isAborted
        }
        guard !isAborted else { throw .aborted }
        return result
    }

    private func failure(_ result: CInt, _ operation: String) -> ReaderError {
        let isGone = node.map { !$0.exists } ?? false
        let error = ReaderError.libnfc(isGone ? NFC_ENOTSUCHDEV : result, during: operation)
        guard case .readerFailed = error else { return error }
        hasFailed = true
        guard let taker = taker() else { return error }
        return .readerFailed(operation: operation, reason: "\(taker) took it away", code: -EBUSY, fault: .taken)
    }
}
