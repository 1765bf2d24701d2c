// A reader for tests of the virtual NTAG 424 DNA — NXP NT4H2421Gx, 9.1

import Synchronization

@testable import VirtualPN532

final class KnownRandoms: Sendable {
    private let queue: Mutex<[[UInt8]]>

    init(_ numbers: [String]) { queue = Mutex(numbers.map(octets)) }

    /// Returns the next number that was set, or a constant if that number has another size.
    func next(_ count: Int) -> [UInt8] {
        queue.withLock { queue in
            guard let first = queue.first, first.count == count else { return [UInt8](repeating: 0x5A, count: count) }
            return queue.removeFirst()
        }
    }
}

/// A card above the block protocol, and the reader's half of its sessions.
struct NTAG424Bench {
    static let uid = octets("04958CAA5C5E80")
    static let zeroKey = [UInt8](repeating: 0, count: 16)

    var card: NTAG424Card
    /// The reader's copy of the session, or nil if there is none.
    var session: NTAG424Session?

    init(_ memory: NTAG424Memory = NTAG424Memory(uid: uid), randoms: [String] = [], isSelected: Bool = true) {
        let known = KnownRandoms(randoms)
        card = NTAG424Card(memory: memory) { known.next($0) }
        if isSelected { select() }
    }

    mutating func select() { _ = send("00A4040C07D276000085010100") }

    /// Sends a whole APDU, and returns the answer with its status word.
    mutating func send(_ command: String) -> [UInt8] { card.execute(octets(command)) { $0 } }

    /// Sends an APDU during which power fails.
    ///
    /// `isStored` is true if the memory is written before that.
    mutating func tear(_ command: [UInt8], isStored: Bool) {
        _ = card.execute(command) { isStored ? $0 : 0 }
        card.powerOff()
    }

    /// Sends a wrapped command, and returns the status byte and the data.
    mutating func native(_ code: UInt8, _ data: [UInt8] = []) -> (status: UInt8, data: [UInt8]) {
        let answer = card.execute(Self.wrapped(code, data)) { $0 }
        return (answer.last ?? 0xFF, Array(answer.dropLast(2)))
    }

    static func wrapped(_ code: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0x90, code, 0x00, 0x00] + (data.isEmpty ? [] : [UInt8(data.count)]) + data + [0x00]
    }

    /// Performs AuthenticateEV2First or AuthenticateEV2NonFirst, and returns the last status.
    @discardableResult
    mutating func authenticate(
        _ number: UInt8 = 0, key: [UInt8] = zeroKey, isFirst: Bool = true, rndA: [UInt8] = Array(0xA0..<0xB0)
    ) -> UInt8 {
        let key = BlockCipher(algorithm: .aes, key: key)
        let first = native(isFirst ? 0x71 : 0x77, isFirst ? [number, 0x00] : [number])
        guard first.status == 0xAF else { return first.status }
        var vector = key.zeroVector
        let rndB = key.decryptCBC(first.data, vector: &vector)
        vector = key.zeroVector
        let token = key.encryptCBC(rndA + rndB.dropFirst() + rndB.prefix(1), vector: &vector)
        let second = native(0xAF, token)
        guard second.status == 0x00 else { return second.status }
        vector = key.zeroVector
        let proof = key.decryptCBC(second.data, vector: &vector)
        session = NTAG424Session(
            keyNumber: number, key: key, rndA: rndA, rndB: rndB,
            transaction: isFirst ? Array(proof.prefix(4)) : session?.transaction ?? [],
            counter: isFirst ? 0 : session?.counter ?? 0)
        return 0x00
    }

    /// Returns a command data field with the session's protection, and increments the reader's copy of CmdCtr.
    mutating func protected(
        _ code: UInt8, header: [UInt8], _ data: [UInt8], _ mode: NTAG424Mode
    ) -> [UInt8] {
        guard var session, mode != .plain else {
            self.session?.counter += 1
            return header + data
        }
        let counter = [UInt8(session.counter & 0xFF), UInt8(session.counter >> 8)]
        var content = data
        if mode == .full, !data.isEmpty {
            content.append(0x80)
            while content.count % 16 != 0 { content.append(0) }
            var vector = [UInt8](repeating: 0, count: 16)
            var first = session.encryption.encryptCBC(
                [0xA5, 0x5A] + session.transaction + counter + [UInt8](repeating: 0, count: 8), vector: &vector)
            content = session.encryption.encryptCBC(content, vector: &first)
        }
        let code = session.authentication.truncatedCode([code] + counter + session.transaction + header + content)
        session.counter += 1
        self.session = session
        return header + content + code
    }

    /// Sends a protected command, and returns the status and the plain answer.
    ///
    /// The answer is nil if its MAC is wrong.
    @discardableResult
    mutating func secure(
        _ code: UInt8, header: [UInt8], _ data: [UInt8], _ mode: NTAG424Mode
    ) -> (status: UInt8, data: [UInt8]?) {
        let (status, answer) = native(code, protected(code, header: header, data, mode))
        guard let session, status == 0x00, mode != .plain else { return (status, answer) }
        let counter = [UInt8(session.counter & 0xFF), UInt8(session.counter >> 8)]
        let content = Array(answer.dropLast(8))
        let expected = session.authentication.truncatedCode([status] + counter + session.transaction + content)
        guard expected == Array(answer.suffix(8)) else { return (status, nil) }
        guard mode == .full, !content.isEmpty else { return (status, content) }
        var zero = [UInt8](repeating: 0, count: 16)
        var vector = session.encryption.encryptCBC(
            [0x5A, 0xA5] + session.transaction + counter + [UInt8](repeating: 0, count: 8), vector: &zero)
        let plain = session.encryption.decryptCBC(content, vector: &vector)
        return (status, plain.lastIndex(of: 0x80).map { Array(plain[..<$0]) })
    }

    @discardableResult
    mutating func secure(
        _ code: UInt8, header: [UInt8], _ mode: NTAG424Mode
    ) -> (status: UInt8, data: [UInt8]?) { secure(code, header: header, [], mode) }

    /// Reads a whole file with ISOReadBinary and its short identifier.
    mutating func readFile(_ number: UInt8 = 2) -> [UInt8] { send("00B0" + hex([0x80 | number, 0x00]) + "00") }

    mutating func text() -> String { String(decoding: readFile().dropLast(2).filter { $0 != 0 }, as: UTF8.self) }
}

extension NTAG424Memory {
    /// Creates a chip with this URI record in file 02, and with these settings after FileOption and AccessRights.
    static func dynamic(
        uid: String = "04958CAA5C5E80", identifier: UInt8 = 0x04, _ uri: String, sdm: String, readCounter: Int = 0
    ) throws -> NTAG424Memory {
        var memory = NTAG424Memory(uid: octets(uid))
        let payload = [identifier] + Array(uri.utf8)
        memory.files[1].store(
            [0x00, UInt8(payload.count + 4), 0xD1, 0x01, UInt8(payload.count), 0x55] + payload, at: 0)
        memory.files[1].sdm = try NTAG424SDM(octets(sdm), fileSize: 256, readCounter: readCounter)
        memory.files[1].readCounter = readCounter
        return memory
    }
}
