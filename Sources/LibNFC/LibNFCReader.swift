// A reader that libnfc drives, owned by a serial queue — libnfc 1.8 nfc.h

import Clibnfc
public import Dispatch
@preconcurrency import Glibc
public import Logging
public import ReaderInterface
import Synchronization

// Unchecked: mutable state is used only on `queue`, except `call`.
/// A reader that libnfc drives: PN532, PN533, ACR122U and similar ones.
///
/// All calls except ``abort()`` must be made on the queue given to
/// ``init(connection:queue:logger:usesHigherBitRates:)``. A call on another queue ends the program. Each call returns
/// in bounded time even if the reader does not answer: after its own time-out if it has one, otherwise after about two
/// seconds at most.
public final class LibNFCReader: Reader, @unchecked Sendable {
    /// The connection string of the reader.
    ///
    /// After a reset, the device number may differ from the one in the requested connection string.
    public let connection: String
    /// All technologies except ISO 15693, which the radio of a PN53x does not support.
    public let technologies = Set(Technology.allCases.filter { $0.modulation != nil })
    let queue: DispatchQueue
    let logger: Logger
    let device: OpaquePointer
    /// The reader's device node, or nil if the connection string does not name one.
    let node: ReaderNode?
    private var claim: ReaderClaim?
    /// The lock that prevents other processes from using the open reader, or nil if the reader has no node.
    private(set) var lock: OpenNode?
    /// The serial line whose usual speed must be restored, or nil if the speed was not raised.
    private let raisedSpeed: RaisedSpeed?
    private var isOpen = true
    /// Whether a target is selected.
    ///
    /// A selected target may miss a poll: an ISO-DEP tag ignores polls while it is selected.
    var hasSelection = false
    var fieldUse = FieldUse.fresh()
    /// The time at which the field was last switched on.
    var fieldStart = FieldStart()
    let link: ReaderLink
    /// Whether the reader itself failed, so that it is no longer usable.
    private(set) var hasFailed = false
    var missteps = 0
    /// The direct channel to the reader, which is opened when it is first needed.
    var sideChannel = SideChannel.unknown
    /// Whether another reader has activated this reader while it listens.
    var isActivated = false
    var hasToldOfSignals = false
    /// The framing of the next bytes to a target, which is a property of libnfc's device.
    var framing = Framing.handled
    /// Whether the chip leaves parity to the host.
    ///
    /// Only ``JewelFrames`` need this.
    var leavesParityToHost = false
    /// Chooses the bit rates of ISO-DEP targets, or nil if all targets stay at 106 kbit/s.
    var bitRates: BitRateChoice?
    /// The channel that may communicate with the selected target, or nil if there is none.
    weak var current: LibNFCChannel?
    /// The target that the last call found alone and left selected, or nil if there is none.
    var foundAlone: Target?
    /// The target that ``connect(to:)`` left selected.
    ///
    /// Nil after any later search, whatever its result.
    var connected: Target?
    /// The state that `abort()` may use from any thread.
    private let call = Mutex(Call())

    /// Whether a libnfc call is in progress.
    ///
    /// May be read from any thread.
    var isRunning: Bool { call.withLock { $0.isRunning } }

    private struct Call {
        var isAborted = false
        var isRunning = false
        /// The number of calls so far, including this one.
        var number = 0
        /// The time until which libnfc may be asked to end a call that waits for another reader.
        ///
        /// Nil for all other calls.
        var abortLimit: ContinuousClock.Instant?
    }

    /// The time after which a call is assumed to be waiting for the chip.
    private static let abortDelay = DispatchTimeInterval.milliseconds(100)
    /// The time between two attempts to abort a call.
    ///
    /// USB drivers check every 200 ms whether a call was aborted.
    private static let abortPatience = DispatchTimeInterval.milliseconds(300)
    /// The time before the time-out of a call in which the call is not aborted, if it waits for another reader.
    private static let abortMargin = Duration.milliseconds(50)

    /// Opens a reader and switches its field on.
    ///
    /// Opening costs about ten exchanges and 50 ms with `pn532_uart`.
    ///
    /// - Parameters:
    ///   - connection: a libnfc connection string, at most 1023 bytes. For a PN532 on a serial port, `?speed=921600`
    ///     may follow, which sets the speed of the line while the reader is open.
    ///   - queue: the serial queue that owns the reader. The initialiser may be called on it, or before it is used.
    ///   - logger: receives the bytes to and from tags at trace level.
    ///   - usesHigherBitRates: whether to use more than 106 kbit/s with ISO-DEP targets of type A that support it. Only
    ///     a PN532 can.
    /// - Throws: `ReaderError.noReader`, `ReaderError.busy`, `ReaderError.noPermission`, or `ReaderError.readerFailed`
    ///   if a device is present but does not answer at all, or does not answer at the raised speed.
    public init(
        connection: String, queue: DispatchQueue, logger: Logger, usesHigherBitRates: Bool = false
    ) throws(ReaderError) {
        guard !connection.utf8.contains(0), connection.utf8.count < MemoryLayout<nfc_connstring>.size else {
            throw .noReader(connection: connection)
        }
        let opening = try ReaderOpening(connection, logger: logger)
        (self.connection, claim, device) = (opening.connection, opening.claim, opening.device)
        lock = opening.lock
        raisedSpeed = opening.raisedSpeed
        node = ReaderNode(connection: opening.connection)
        link = ReaderLink(connection: opening.connection)
        self.queue = queue
        self.logger = logger
        bitRates = usesHigherBitRates ? BitRateChoice() : nil
        _ = nfc_device_set_property_int(device, NP_TIMEOUT_COMMAND, link.commandTimeout)
        let result = nfc_initiator_init(device)
        guard result >= 0 else { throw .libnfc(result, during: "setting up as initiator") }
        fieldStart = FieldStart()
        // Every selection returns immediately, with or without a tag. No answer therefore means a faulty chip, not an
        // empty field.
        let setting = nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false)
        guard setting >= 0 else { throw .libnfc(setting, during: "setting a property") }
    }

    deinit {
        guard isOpen else { return }
        raisedSpeed?.restore()
        nfc_close(device)
    }

    /// Ends a call in progress, and makes this call and all later ones fail with `ReaderError.aborted`.
    ///
    /// May be called from any thread.
    public func abort() {
        let running = call.withLock { call in
            call.isAborted = true
            return call.isRunning ? call.number : nil
        }
        if let running { endCall(running, after: Self.abortDelay) }
    }

    /// Ends a call that is still running after a delay.
    ///
    /// If a call is not waiting for the chip, libnfc loses the abort and leaks a descriptor each time. Most calls end
    /// by themselves in a short time, so the abort is delayed, and repeated if necessary. An abort also clears the
    /// call's error. If it comes in the 50 ms that libnfc pauses after a time-out, libnfc treats the time-out as an
    /// answer, which may end the process.
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

    /// Switches the field off and releases the reader.
    public func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard isOpen else { return }
        isOpen = false
        // Do not wait again for a reader that does not answer.
        if hasFailed { _ = nfc_device_set_property_int(device, NP_TIMEOUT_COMMAND, link.shortestTimeout) }
        raisedSpeed?.restore(within: hasFailed ? Int(link.shortestTimeout) : ChipSpeed.patience)
        nfc_close(device)
        restorePolling()
        (claim, lock) = (nil, nil)
    }

    /// Whether calls may be made, because the reader is neither closed nor aborted.
    var isUsable: Bool { isOpen && call.withLock { !$0.isAborted } }

    func isCurrent(_ channel: LibNFCChannel) -> Bool { current === channel }

    /// Whether libnfc's PN53x layer drives the reader and found a PN532.
    ///
    /// With a driver that does not use this layer, such as libnfc's own for PC/SC, a host command would end the
    /// process.
    var isPN532: Bool { chip?.hasPrefix("PN532 ") ?? false }

    /// The chip's name and version that libnfc read when it opened the reader, or nil if they are not known.
    ///
    /// libnfc's PN53x layer starts its report with `chip: PN532 v1.6`.
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
    /// If a USB reader did not answer, or gave an invalid answer, it is resynchronised first. The result is the
    /// same as if the target had not answered.
    ///
    /// - Parameters:
    ///   - operation: the name of the operation in errors.
    ///   - wait: how long the call waits for another reader, or nil if it does not wait for one.
    ///   - body: the libnfc call.
    ///   - accept: negative results that are answers, not errors.
    /// - Returns: libnfc's result: not negative, or one that `accept` accepts.
    /// - Throws: ``ReaderError/noAnswer`` if the reader was resynchronised and the result is unknown; otherwise the
    ///   error for libnfc's result.
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

    func perform(_ operation: String, _ body: (OpaquePointer) -> CInt) throws(ReaderError) -> CInt {
        let result = try run(operation, body)
        guard result >= 0 else { throw failure(result, operation) }
        return result
    }

    /// Runs a libnfc call on the owner's queue.
    ///
    /// ``abort()`` ends the call and makes it throw `aborted`.
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
        let gone = ReaderError.libnfc(NFC_ENOTSUCHDEV, during: operation)
        guard !isUnplugged else {
            hasFailed = true
            return gone
        }
        let error = ReaderError.libnfc(result, during: operation)
        guard case .readerFailed = error, !hasFailed else { return error }
        hasFailed = true
        if let taker = taker() {
            return .readerFailed(
                operation: operation, reason: "\(taker) took it away", code: -EBUSY, fault: .taken)
        }
        // A hub reports an unplugged device up to 0.26 s late (from memory).
        return isUnplugged ? gone : error
    }

    private var isUnplugged: Bool {
        guard let node else { return false }
        guard node.exists, node.isUSB, let lock else { return !node.exists }
        return USBDeviceFile(descriptor: lock.descriptor).isUnplugged
    }
}
