// A card in a reader's field: connect, transaction, transmit — winscard.h; PC/SC part 5

import Clibpcsclite
import Dispatch
import Synchronization

// Unchecked: used on the queue of its reader, except `abort()`.
final class CardConnection: @unchecked Sendable {
    private let context: SmartCardContext
    private let handle: SCARDHANDLE
    private var protocolNumber: DWORD
    private var isOpen = true
    private(set) var hasTransaction = false
    /// Whether commands were sent after which the tag may still be unlocked or have another sector selected.
    var isUsed = false
    /// Whether ``beginTransaction(limit:)`` is waiting.
    ///
    /// Any thread may end the wait.
    private let waiting = Mutex(false)

    /// MAX_BUFFER_SIZE_EXTENDED, the longest message of pcsc-lite in both directions: an extended APDU with all its
    /// length fields.
    static let longestMessage = 4 + 3 + 65_536 + 3 + 2
    private static let anyProtocol = DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1)

    /// Connects to the card in a reader, and powers it up if necessary.
    init(_ context: SmartCardContext, reader: String) throws(PCSCStatus) {
        self.context = context
        var (handle, active) = (SCARDHANDLE(), DWORD())
        try context.check(
            SCardConnect(
                context.handle, reader, DWORD(SCARD_SHARE_SHARED), Self.anyProtocol, &handle, &active))
        (self.handle, protocolNumber) = (handle, active)
    }

    /// Connects to a reader without a card, to read its driver's attributes.
    init(direct context: SmartCardContext, reader: String) throws(PCSCStatus) {
        self.context = context
        var (handle, active) = (SCARDHANDLE(), DWORD())
        try context.check(
            SCardConnect(context.handle, reader, DWORD(SCARD_SHARE_DIRECT), 0, &handle, &active))
        (self.handle, protocolNumber) = (handle, active)
    }

    deinit { close() }

    func close() { disconnect(SCARD_LEAVE_CARD) }

    /// Closes the connection and cuts the power of the card.
    func powerDown() { disconnect(SCARD_UNPOWER_CARD) }

    private func disconnect(_ disposition: CInt) {
        guard isOpen else { return }
        endTransaction()
        isOpen = false
        SCardDisconnect(handle, DWORD(disposition))
    }

    /// The effect that a reconnection has on the card.
    enum Renewal {
        /// No effect, because another program has reset the card.
        case none
        case reset
        /// The field is switched off and on.
        case powerCycle

        fileprivate var code: DWORD {
            switch self {
            case .none: DWORD(SCARD_LEAVE_CARD)
            case .reset: DWORD(SCARD_RESET_CARD)
            case .powerCycle: DWORD(SCARD_UNPOWER_CARD)
            }
        }
    }

    /// Reconnects to the card.
    ///
    /// An open transaction remains open.
    func renew(_ renewal: Renewal) throws(PCSCStatus) {
        var active = DWORD()
        try context.check(
            SCardReconnect(handle, DWORD(SCARD_SHARE_SHARED), Self.anyProtocol, renewal.code, &active))
        protocolNumber = active
    }

    /// Starts a transaction, which keeps other programs from using the card until ``endTransaction()``.
    ///
    /// libpcsclite waits for other programs without limit. Only closing the handle ends the wait.
    /// - Parameter limit: how long to wait for another program. After this time, the connection is closed.
    /// - Throws: SHARING_VIOLATION if the wait exceeded the limit.
    func beginTransaction(limit: Duration) throws(PCSCStatus) {
        guard !hasTransaction else { return }
        waiting.withLock { $0 = true }
        let handle = handle
        let guardian = DispatchWorkItem { [weak self] in self?.endWaiting(handle) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1), execute: guardian)
        let result = SCardBeginTransaction(handle)
        guardian.cancel()
        let wasEnded = waiting.withLock { isWaiting in
            defer { isWaiting = false }
            return !isWaiting
        }
        guard !wasEnded else {
            isOpen = false
            throw PCSCStatus(SCARD_E_SHARING_VIOLATION)
        }
        try context.check(result)
        hasTransaction = true
    }

    /// Ends a wait in ``beginTransaction(limit:)``.
    ///
    /// May be called from any thread.
    func abort() { endWaiting(handle) }

    private func endWaiting(_ handle: SCARDHANDLE) {
        waiting.withLock { isWaiting in
            guard isWaiting else { return }
            isWaiting = false
            SCardDisconnect(handle, DWORD(SCARD_LEAVE_CARD))
        }
    }

    /// Ends the transaction, so that other programs can use the card.
    func endTransaction() {
        guard hasTransaction else { return }
        hasTransaction = false
        SCardEndTransaction(handle, DWORD(SCARD_LEAVE_CARD))
    }

    /// Sends a command APDU and returns the response, which may be empty.
    func transmit(_ command: [UInt8]) throws(PCSCStatus) -> [UInt8] {
        guard 4...Self.longestMessage ~= command.count else { throw PCSCStatus(SCARD_E_INVALID_PARAMETER) }
        var send = SCARD_IO_REQUEST(
            dwProtocol: protocolNumber, cbPciLength: DWORD(MemoryLayout<SCARD_IO_REQUEST>.size))
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.longestMessage)
        defer { buffer.deallocate() }
        var length = DWORD(Self.longestMessage)
        try context.check(
            SCardTransmit(handle, &send, command, DWORD(command.count), nil, buffer, &length))
        return Array(UnsafeBufferPointer(start: buffer, count: min(Int(clamping: length), Self.longestMessage)))
    }

    /// Returns an attribute of the reader or the card, or nil if the driver does not have it.
    func attribute(_ identifier: UInt32) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: 264)
        var length = DWORD(value.count)
        guard SCardGetAttrib(handle, DWORD(identifier), &value, &length) == 0, length <= DWORD(value.count) else {
            return nil
        }
        return Array(value.prefix(Int(length)))
    }

    /// Returns the answer to a control code of the driver.
    ///
    /// Nil if the driver refuses the code or does not support it.
    func control(_ code: UInt32, _ command: [UInt8] = []) -> [UInt8]? {
        var answer = [UInt8](repeating: 0, count: 264)
        var length = DWORD(0)
        let result = SCardControl(
            handle, DWORD(code), command, DWORD(command.count), &answer, DWORD(answer.count), &length)
        guard result == 0, length <= DWORD(answer.count) else { return nil }
        return Array(answer.prefix(Int(length)))
    }
}
