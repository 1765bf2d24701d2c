// A PC/SC context: pcscd's readers and their states — winscard.h, SCardEstablishContext, SCardGetStatusChange

import Clibpcsclite

// Unchecked: a context is used by one thread at a time. Only `cancel()` may be called from other threads.
/// A connection to pcscd (SCARDCONTEXT).
final class SmartCardContext: @unchecked Sendable {
    /// libpcsclite's handle for the context.
    let handle: SCARDCONTEXT

    /// Connects to pcscd.
    ///
    /// If systemd listens on pcscd's socket, this starts pcscd.
    init() throws(PCSCStatus) {
        var handle = SCARDCONTEXT()
        var result = SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &handle)
        // If pcscd ends during this call, libpcsclite reports a refusal, so try again.
        if PCSCStatus(result).meaning == .refused {
            result = SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &handle)
        }
        try PCSCStatus.check(result)
        self.handle = handle
    }

    deinit { SCardReleaseContext(handle) }

    /// Throws an error unless the result is `SCARD_S_SUCCESS`.
    ///
    /// libpcsclite returns SECURITY_VIOLATION if pcscd closes the connection. Either polkit denied access, or pcscd
    /// ended during the call. It returns INVALID_HANDLE if pcscd ended, or if the reader of the card was unplugged.
    func check(_ result: LONG) throws(PCSCStatus) {
        do throws(PCSCStatus) { try PCSCStatus.check(result) } catch {
            if error.meaning == .refused, !isAnswered { throw .serviceGone }
            if error.code == UInt32(truncatingIfNeeded: SCARD_E_INVALID_HANDLE), isAnswered { throw .readerGone }
            throw error
        }
    }

    /// Whether pcscd still answers calls in this context.
    private var isAnswered: Bool {
        var length = DWORD(0)
        let status = PCSCStatus(SCardListReaders(handle, nil, nil, &length))
        return status.code == 0 || status.meaning == .noReader
    }

    /// The maximum number of attempts to read the list.
    ///
    /// More than one may be needed, because readers can be added or removed between two calls.
    private static let listAttempts = 5
    /// The maximum length of the list, in bytes.
    ///
    /// This is much more than pcscd allows: 16 names of 128 bytes.
    private static let longestList = 1 << 16

    /// Returns the names of the readers, in pcscd's order.
    ///
    /// A slot for a SAM is a separate reader.
    func readers() throws(PCSCStatus) -> [String] {
        for _ in 0..<Self.listAttempts {
            var length = DWORD(0)
            var result = SCardListReaders(handle, nil, nil, &length)
            if PCSCStatus(result).meaning == .noReader { return [] }
            try check(result)
            guard 1...DWORD(Self.longestList) ~= length else { return [] }
            var names = [CChar](repeating: 0, count: Int(length))
            result = SCardListReaders(handle, nil, &names, &length)
            if result == SCARD_E_INSUFFICIENT_BUFFER { continue }
            if PCSCStatus(result).meaning == .noReader { return [] }
            try check(result)
            return names.prefix(Int(min(length, DWORD(names.count)))).split(separator: 0).map {
                String(decoding: $0.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        throw PCSCStatus(SCARD_E_INSUFFICIENT_BUFFER)
    }

    /// Waits until a reader is added or removed, or until the given time has passed.
    ///
    /// pcsc-lite compares only the number of readers. It does not notice that one reader was added and another removed,
    /// but the next call to ``readers()`` does.
    func waitForReaders(otherThan count: Int, milliseconds: UInt32) throws(PCSCStatus) {
        let result = Self.notification.withCString { name in
            var state = SCARD_READERSTATE()
            state.szReader = name
            state.dwCurrentState = DWORD(count) << 16
            return SCardGetStatusChange(handle, DWORD(milliseconds), &state, 1)
        }
        if PCSCStatus(result).meaning != .timeout { try check(result) }
    }

    /// The reader name for which SCardGetStatusChange reports added and removed readers.
    private static let notification = #"\\?PnP?\Notification"#

    struct ReaderState: Hashable {
        /// `dwEventState`: flags in the low word, and the number of insertions and removals in the high word.
        let bits: UInt32
        let atr: [UInt8]

        var isPresent: Bool { bits & UInt32(SCARD_STATE_PRESENT) != 0 }
        /// The number of insertions and removals since pcscd found the reader, modulo 65,536.
        var events: UInt16 { UInt16(truncatingIfNeeded: bits >> 16) }
        var isExclusive: Bool { bits & UInt32(SCARD_STATE_EXCLUSIVE) != 0 }
        var isInUse: Bool { bits & UInt32(SCARD_STATE_INUSE) != 0 }
        /// Whether any program, including this one, is connected to the card.
        var isTaken: Bool { isInUse || isExclusive }
    }

    func state(of reader: String) throws(PCSCStatus) -> ReaderState {
        try state(of: reader, unlike: nil, milliseconds: 0)
    }

    /// Waits until the state of a reader differs from the given one, but at most for the given time, and returns the
    /// new state.
    func state(
        of reader: String, unlike known: ReaderState?, milliseconds: UInt32
    ) throws(PCSCStatus) -> ReaderState {
        let unknown = DWORD(SCARD_STATE_UNKNOWN) | DWORD(SCARD_STATE_UNAVAILABLE)
        let changed = UInt32(SCARD_STATE_CHANGED)
        // `szReader` is valid only within this closure.
        let (result, state) = reader.withCString { name in
            var state = SCARD_READERSTATE()
            state.szReader = name
            state.dwCurrentState = known.map { DWORD($0.bits & ~changed) } ?? DWORD(SCARD_STATE_UNAWARE)
            let result = SCardGetStatusChange(handle, DWORD(milliseconds), &state, 1)
            return (result, state)
        }
        if let known, PCSCStatus(result).meaning == .timeout { return known }
        try check(result)
        guard state.dwEventState & unknown == 0 else { throw PCSCStatus(SCARD_E_UNKNOWN_READER) }
        let atr = withUnsafeBytes(of: state.rgbAtr) { Array($0.prefix(Int(min(state.cbAtr, DWORD($0.count))))) }
        return ReaderState(bits: UInt32(truncatingIfNeeded: state.dwEventState), atr: atr)
    }

    /// Ends a waiting call to ``state(of:unlike:milliseconds:)``.
    ///
    /// May be called from any thread.
    func cancel() { SCardCancel(handle) }
}
