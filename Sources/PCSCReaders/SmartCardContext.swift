// A context of PC/SC: the readers that pcscd has, and their states — winscard.h, SCardEstablishContext, SCardGetStatusChange

import Clibpcsclite

// Unchecked: one thread at a time uses a context. Only `cancel()` may be called from others.
/// A connection to pcscd (SCARDCONTEXT).
final class SmartCardContext: @unchecked Sendable {
    /// The context, as libpcsclite takes it.
    let handle: SCARDCONTEXT

    /// Connects to pcscd; where systemd listens on its socket, this starts it.
    init() throws(PCSCStatus) {
        var handle = SCARDCONTEXT()
        var result = SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &handle)
        // When pcscd ends during this call, libpcsclite reports a refusal: try again.
        if PCSCStatus(result).meaning == .refused {
            result = SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &handle)
        }
        try PCSCStatus.check(result)
        self.handle = handle
    }

    deinit { SCardReleaseContext(handle) }

    /// Throws unless the result is `SCARD_S_SUCCESS`.
    ///
    /// libpcsclite returns SECURITY_VIOLATION when pcscd closes the connection. Either polkit denied access, or pcscd
    /// ended during the call.
    func check(_ result: LONG) throws(PCSCStatus) {
        do throws(PCSCStatus) { try PCSCStatus.check(result) } catch {
            throw error.meaning == .refused && !isAnswered ? .serviceGone : error
        }
    }

    /// Whether pcscd still answers in this context.
    private var isAnswered: Bool {
        var length = DWORD(0)
        let status = PCSCStatus(SCardListReaders(handle, nil, nil, &length))
        return status.code == 0 || status.meaning == .noReader
    }

    /// Readers come and go between two calls; a list that changes more often is not waited for.
    private static let listAttempts = 5
    /// Far more than 16 names of 128 bytes, as many as pcscd has.
    private static let longestList = 1 << 16

    /// The names of the readers, in pcscd's order; a slot for a SAM is a reader of its own.
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

    /// Returns when a reader is added or removed, or after the given time.
    ///
    /// pcsc-lite compares the number of readers. It does not notice when one is added while another is removed; the next
    /// call to ``readers()`` does.
    func waitForReaders(otherThan count: Int, milliseconds: UInt32) throws(PCSCStatus) {
        let result = Self.notification.withCString { name in
            var state = SCARD_READERSTATE()
            state.szReader = name
            state.dwCurrentState = DWORD(count) << 16
            return SCardGetStatusChange(handle, DWORD(milliseconds), &state, 1)
        }
        if PCSCStatus(result).meaning != .timeout { try check(result) }
    }

    /// The reader name by which SCardGetStatusChange reports readers that are added or removed.
    private static let notification = #"\\?PnP?\Notification"#

    /// What is known of a reader at one moment.
    struct ReaderState: Hashable {
        /// `dwEventState`: flags in the low word, the number of insertions and removals in the high one.
        let bits: UInt32
        /// The answer to reset of the card in the field.
        let atr: [UInt8]

        /// A card is in the field.
        var isPresent: Bool { bits & UInt32(SCARD_STATE_PRESENT) != 0 }
        /// A card is in the field that did not answer the reset.
        var isMute: Bool { bits & UInt32(SCARD_STATE_MUTE) != 0 }
        /// Insertions and removals since pcscd found the reader, modulo 65,536.
        var events: UInt16 { UInt16(truncatingIfNeeded: bits >> 16) }
        /// A program has the card to itself.
        var isExclusive: Bool { bits & UInt32(SCARD_STATE_EXCLUSIVE) != 0 }
        /// A program is connected to the card.
        var isInUse: Bool { bits & UInt32(SCARD_STATE_INUSE) != 0 }
    }

    /// The state of a reader now.
    func state(of reader: String) throws(PCSCStatus) -> ReaderState {
        try state(of: reader, unlike: nil, milliseconds: 0)
    }

    /// The state of a reader as soon as it differs from the one given, or after that time.
    func state(
        of reader: String, unlike known: ReaderState?, milliseconds: UInt32
    ) throws(PCSCStatus) -> ReaderState {
        let unknown = DWORD(SCARD_STATE_UNKNOWN) | DWORD(SCARD_STATE_UNAVAILABLE)
        let changed = UInt32(SCARD_STATE_CHANGED)
        // One call: `szReader` is borrowed for as long as it lasts.
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

    /// Ends a call to ``state(of:unlike:milliseconds:)`` that waits; from any thread.
    func cancel() { SCardCancel(handle) }
}
