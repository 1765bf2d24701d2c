// A minimal PC/SC client, which sees a reader like any other program

import Clibpcsclite
import VirtualPCSC

/// The result of a PC/SC call that failed.
struct PCSCError: Error, Hashable, CustomStringConvertible {
    let code: LONG
    var description: String { String(cString: pcsc_stringify_error(code)) }

    /// Creates an error from a code, which is imported with several types.
    static func code(_ value: some BinaryInteger) -> PCSCError { PCSCError(code: LONG(truncatingIfNeeded: value)) }
}

/// A context of a daemon.
final class Client {
    private var context: SCARDCONTEXT = 0
    private var card: SCARDHANDLE = 0

    init(_ daemon: PrivatePCSCDaemon) throws {
        daemon.serveThisProcess()
        try check(SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &context))
    }

    deinit {
        if card != 0 { SCardDisconnect(card, DWORD(SCARD_LEAVE_CARD)) }
        SCardReleaseContext(context)
    }

    private func check(_ result: LONG) throws {
        if result != 0 { throw PCSCError(code: result) }
    }

    func readers() throws -> [String] {
        var size = DWORD(4096)
        var buffer = [CChar](repeating: 0, count: Int(size))
        let result = SCardListReaders(context, nil, &buffer, &size)
        if PCSCError(code: result) == .code(SCARD_E_NO_READERS_AVAILABLE) { return [] }
        try check(result)
        return buffer.prefix(Int(size)).split(separator: 0).map { String(decoding: $0.map(UInt8.init), as: UTF8.self) }
    }

    /// Waits for a state of a reader other than the known one, and returns the new state and the ATR.
    func state(of reader: String, after known: DWORD = 0, seconds: Int = 5) throws -> (state: DWORD, atr: [UInt8]) {
        try reader.withCString { name in
            var entry = SCARD_READERSTATE()
            entry.szReader = name
            entry.dwCurrentState = known
            try check(SCardGetStatusChange(context, DWORD(seconds * 1000), &entry, 1))
            let atr = withUnsafeBytes(of: entry.rgbAtr) { Array($0.prefix(Int(entry.cbAtr))) }
            return (entry.dwEventState, atr)
        }
    }

    func connect(_ reader: String) throws {
        var active = DWORD()
        try check(
            SCardConnect(
                context, reader, DWORD(SCARD_SHARE_SHARED), DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1), &card, &active
            ))
    }

    func disconnect() throws {
        try check(SCardDisconnect(card, DWORD(SCARD_LEAVE_CARD)))
        card = 0
    }

    func transmit(_ command: [UInt8]) throws -> [UInt8] {
        var header = SCARD_IO_REQUEST(dwProtocol: UInt(SCARD_PROTOCOL_T1), cbPciLength: 16)
        var response = [UInt8](repeating: 0, count: 65_548)
        var size = DWORD(response.count)
        try check(SCardTransmit(card, &header, command, DWORD(command.count), nil, &response, &size))
        return Array(response.prefix(Int(size)))
    }

    /// Sends a command and returns the response, both as hexadecimal text.
    func transmit(_ text: String) throws -> String { hex(try transmit(bytes(text))) }

    func attribute(_ tag: DWORD) throws -> [UInt8] {
        var size = DWORD(256)
        var value = [UInt8](repeating: 0, count: Int(size))
        try check(SCardGetAttrib(card, tag, &value, &size))
        return Array(value.prefix(Int(size)))
    }

    func control(_ code: DWORD, _ data: [UInt8] = []) throws -> [UInt8] {
        var response = [UInt8](repeating: 0, count: 512)
        var size = DWORD()
        try check(SCardControl(card, code, data, DWORD(data.count), &response, DWORD(response.count), &size))
        return Array(response.prefix(Int(size)))
    }
}

func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text.filter { !$0.isWhitespace })
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
}
