// One reader over libnfc, owned by one serial queue — libnfc 1.8 nfc.h

import Clibnfc
public import Dispatch
@preconcurrency import Glibc
public import Logging
public import NFCReader
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
    let queue: DispatchQueue
    let logger: Logger
    let device: OpaquePointer
    /// Where the reader is; nil when its connection string does not tell.
    let node: ReaderNode?
    private var claim: ReaderClaim?
    private var isOpen = true
    /// A target is selected, so it would not hear a poll: an ISO-DEP tag that is still selected ignores it.
    var hasSelection = false
    /// What became of the targets since the field was last switched on.
    var fieldUse = FieldUse.fresh
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
        node = ReaderNode(connection: opening.connection)
        link = ReaderLink(connection: opening.connection)
        self.queue = queue
        self.logger = logger
        _ = nfc_device_set_property_int(device, NP_TIMEOUT_COMMAND, link.commandTimeout)
        let result = nfc_initiator_init(device)
        guard result >= 0 else { throw .libnfc(result, during: "setting up as initiator") }
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
        claim = nil
    }

    /// Selects a target that ``poll(for:settled:)`` found.
    public func connect(to target: Target) throws(ReaderError) -> any TagChannel {
        current = nil
        let wasFoundAlone = foundAlone?.identifier == target.identifier
        foundAlone = nil
        if !wasFoundAlone, try !isStillSelected(target), try !select(target) { throw .tagLost }
        connected = target
        let channel = LibNFCChannel(target: target, reader: self)
        current = channel
        return channel
    }

    /// Whether a card of type B that was connected before is there, and selected.
    ///
    /// It stays so: it would be found again only after its field was off, and then may have made up another PUPI —
    /// ISO/IEC 14443-3, ATQB.
    private func isStillSelected(_ target: Target) throws(ReaderError) -> Bool {
        guard target.technology == .nfcB, hasSelection, connected?.identifier == target.identifier else { return false }
        do throws(ReaderError) {
            return try isPresent()
        } catch .noAnswer {
            return false
        }
    }

    /// Asks the selected target in the way of its kind whether it is there.
    private func isPresent() throws(ReaderError) -> Bool {
        // How libnfc finds out differs from kind to kind.
        fieldUse = .several
        return try exchange("checking presence", { nfc_initiator_target_is_present($0, nil) }) { $0 != NFC_ETIMEOUT }
            == 0
    }

    /// Selects a target anew when its field was off, without a look at what else is there.
    public func powerUp(_ target: Target) throws(ReaderError) -> any TagChannel {
        (current, foundAlone) = (nil, nil)
        try cycleField()
        return try connect(to: target)
    }

    /// Asks the target in the way of its kind, and if that fails seeks it by its identifier.
    ///
    /// A Type 2 Tag is mute after a NAK, and to libnfc a FeliCa card is "released" at all times.
    public func presence(of channel: any TagChannel) throws(ReaderError) -> Presence {
        guard let current, current === channel else { return .absent }
        try endJewelFrames()
        do throws(ReaderError) {
            if try isPresent() { return .continuous }
        } catch .noAnswer {}
        return try select(channel.target) ? .renewed : .absent
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
    /// Selects a target by its identifier, anew if it is selected; false when it does not answer, or another one does.
    func select(_ target: Target) throws(ReaderError) -> Bool {
        if try selectOnce(target) { return true }
        // Only NFC-A has a selection by identifier that halted targets hear; others need a fresh start.
        return target.technology == .nfcA ? false : try selectAfresh(target)
    }

    /// Selects a target so that it forgets an authentication and takes on what was set up.
    ///
    /// A FeliCa card has no state of being selected that it could leave: it keeps all of it until the field goes.
    func reselect(_ target: Target) throws(ReaderError) -> Bool {
        target.technology == .nfcF ? try selectAfresh(target) : try select(target)
    }

    private func selectAfresh(_ target: Target) throws(ReaderError) -> Bool {
        try cycleField()
        return try selectOnce(target)
    }

    private func selectOnce(_ target: Target) throws(ReaderError) -> Bool {
        connected = nil
        try endSelection()
        var found = nfc_target()
        let count = try selectPassiveTarget(target.technology, target.selectionData, &found, "selecting")
        guard count > 0 else { return false }
        let selected = Target(found)
        fieldUse = fieldUse.selecting(selected)
        hasSelection = true
        return selected?.identifier == target.identifier
    }

    /// InListPassiveTarget, twice when the chip was still at it after libnfc's 300 ms (of which USB drivers leave 100) and
    /// is in step again.
    func selectPassiveTarget(
        _ technology: Technology, _ data: [UInt8], _ target: inout nfc_target, _ operation: String
    ) throws(ReaderError) -> CInt {
        for _ in 0..<2 {
            do throws(ReaderError) {
                return try exchange(operation) {
                    nfc_initiator_select_passive_target($0, technology.modulation, data, data.count, &target)
                }
            } catch .noAnswer {}
        }
        return 0
    }
}

extension LibNFCReader {
    /// Deselects what is selected: HLTA for a Type 2 Tag, S(DESELECT) for ISO-DEP.
    func endSelection() throws(ReaderError) {
        try endJewelFrames()
        guard hasSelection else { return }
        (hasSelection, connected) = (false, nil)
        fieldUse = .several
        // The target may be gone, so only a mute chip is an error here.
        do throws(ReaderError) {
            _ = try exchange("deselecting", { nfc_initiator_deselect_target($0) }, accept: { $0 != NFC_ETIMEOUT })
        } catch .noAnswer {}
    }

    /// Switches the field off and on: what was selected is not any more, and halted targets answer a poll again.
    func cycleField() throws(ReaderError) {
        try endJewelFrames()
        (hasSelection, connected) = (false, nil)
        try set(NP_ACTIVATE_FIELD, false)
        usleep(Self.fieldResetTime)
        try set(NP_ACTIVATE_FIELD, true)
        fieldUse = .fresh
    }

    /// Microseconds without a field after which a target has forgotten its state: NFC Forum Digital's tRESET of 5.1 ms; the
    /// ways of the two commands come on top.
    private static let fieldResetTime: useconds_t = 5_200

    func set(_ property: nfc_property, _ value: Bool) throws(ReaderError) {
        _ = try perform("setting a property") { nfc_device_set_property_bool($0, property, value) }
    }

    /// Makes one libnfc call to a target.
    ///
    /// A USB reader that was silent, or answered what is no answer, is brought into step first: then it is as if the target
    /// had been silent.
    ///
    /// - Parameters:
    ///   - operation: its name in errors.
    ///   - wait: how long the call waits for another reader, if it does.
    ///   - body: the call.
    ///   - accept: negative results that are answers, not errors.
    /// - Throws: ``ReaderError/noAnswer`` when nothing is known but that the reader is in step.
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
        if case .readerFailed = error { hasFailed = true }
        return error
    }
}
