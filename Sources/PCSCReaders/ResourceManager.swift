// A connection to pcscd: which readers there are, and what happens at them — winscard.h, SCardGetStatusChange

import Clibpcsclite

// Unchecked: a context is used by one thread at a time, but for `cancel()`, which is made for others.
/// A context of PC/SC's resource manager, which is pcscd.
final class ResourceManager: @unchecked Sendable {
    /// The context.
    let context: SCARDCONTEXT

    /// Connects to pcscd; where systemd listens on its socket, this starts it.
    init() throws(PCSCStatus) {
        var context = SCARDCONTEXT()
        var result = SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &context)
        // A pcscd that ends while it is greeted looks like one that refuses.
        if PCSCStatus(result).meaning == .refused {
            result = SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &context)
        }
        try PCSCStatus.check(result)
        self.context = context
    }

    deinit { SCardReleaseContext(context) }

    /// Throws a result that is not `SCARD_S_SUCCESS`.
    ///
    /// libpcsclite says SECURITY_VIOLATION for a connection that pcscd closed: because polkit told it to, or because it
    /// ended in the middle of a call.
    func check(_ result: LONG) throws(PCSCStatus) {
        do throws(PCSCStatus) { try PCSCStatus.check(result) } catch {
            throw error.meaning == .refused && !isAnswered ? .serviceGone : error
        }
    }

    /// Whether pcscd still answers in this context.
    private var isAnswered: Bool {
        var length = DWORD(0)
        let status = PCSCStatus(SCardListReaders(context, nil, nil, &length))
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
            var result = SCardListReaders(context, nil, nil, &length)
            if PCSCStatus(result).meaning == .noReader { return [] }
            try check(result)
            guard 1...DWORD(Self.longestList) ~= length else { return [] }
            var names = [CChar](repeating: 0, count: Int(length))
            result = SCardListReaders(context, nil, &names, &length)
            if result == SCARD_E_INSUFFICIENT_BUFFER { continue }
            if PCSCStatus(result).meaning == .noReader { return [] }
            try check(result)
            return names.prefix(Int(min(length, DWORD(names.count)))).split(separator: 0).map {
                String(decoding: $0.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        throw PCSCStatus(SCARD_E_INSUFFICIENT_BUFFER)
    }

    /// Returns when a reader comes or goes, or after that time.
    ///
    /// pcsc-lite tells by the number of readers: one that comes as another goes is seen at the next call.
    func waitForReaders(otherThan count: Int, milliseconds: UInt32) throws(PCSCStatus) {
        let result = Self.notification.withCString { name in
            var state = SCARD_READERSTATE()
            state.szReader = name
            state.dwCurrentState = DWORD(count) << 16
            return SCardGetStatusChange(context, DWORD(milliseconds), &state, 1)
        }
        if PCSCStatus(result).meaning != .timeout { try check(result) }
    }

    /// The name of the reader that stands for all that come and go.
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
            let result = SCardGetStatusChange(context, DWORD(milliseconds), &state, 1)
            return (result, state)
        }
        if let known, PCSCStatus(result).meaning == .timeout { return known }
        try check(result)
        guard state.dwEventState & unknown == 0 else { throw PCSCStatus(SCARD_E_UNKNOWN_READER) }
        let atr = withUnsafeBytes(of: state.rgbAtr) { Array($0.prefix(Int(min(state.cbAtr, DWORD($0.count))))) }
        return ReaderState(bits: UInt32(truncatingIfNeeded: state.dwEventState), atr: atr)
    }

    /// Ends a call to ``state(of:unlike:milliseconds:)`` that waits; from any thread.
    func cancel() { SCardCancel(context) }
}
