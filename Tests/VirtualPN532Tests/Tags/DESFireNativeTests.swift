// Native commands of a MIFARE DESFire on the air — NXP MF3ICDx21_41_81, without ISO/IEC 7816-4 wrapping

import Testing

@testable import VirtualPN532

/// One command per frame through the chip.
///
/// The first byte of an answer is its status, and `AF` means that more follows.
@Suite struct DESFireNativeTests {
    private func bench(_ kind: VirtualTagKind = .desfire) -> ChipBench {
        let bench = ChipBench([kind.make(uid: octets("04010203040506"))])
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01 01 03 44 20 07"))
        return bench
    }

    /// Sends a command, and returns the answer after the chip's status.
    private func send(_ bench: ChipBench, _ command: String) -> String {
        let answer = bench.answer("40 01 " + command)
        #expect(answer.hasPrefix("41 00 "))
        return String(answer.dropFirst(6))
    }

    /// Makes an application with five keys, whose master key is an AES key only if it was created for AES.
    private func makeAESApplication(_ bench: ChipBench) {
        #expect(send(bench, "CA 01 00 00 0F 85") == "00")
        #expect(send(bench, "5A 01 00 00") == "00")
    }

    @Test func versionSelectionListingAndReading() {
        let bench = bench()
        #expect(send(bench, "60") == "AF 04 01 01 01 00 1A 05")
        #expect(send(bench, "AF") == "AF 04 01 01 01 04 1A 05")
        #expect(send(bench, "AF") == "00 04 01 02 03 04 05 06 BA 54 90 DB 80 21 14")
        #expect(send(bench, "6A") == "00")
        #expect(send(bench, "CA 01 00 00 0F 01") == "00")
        #expect(send(bench, "CA 02 00 00 0F 01") == "00")
        #expect(send(bench, "6A") == "00 01 00 00 02 00 00")
        #expect(send(bench, "5A 02 00 00") == "00")
        #expect(send(bench, "CD 01 00 EE EE 20 00 00") == "00")
        #expect(send(bench, "3D 01 00 00 00 03 00 00 AA BB CC") == "00")
        #expect(send(bench, "BD 01 00 00 00 04 00 00") == "00 AA BB CC 00")
        #expect(send(bench, "BD 01 1F 00 00 02 00 00") == "BE")
        #expect(send(bench, "BD 02 00 00 00 00 00 00") == "F0")
        #expect(send(bench, "5A 03 00 00") == "A0")
        #expect(send(bench, "71") == "1C")
    }

    /// Authenticate, its ISO and its AES form: `AF` and E(RndB), `AF` and the token, `00` and the proof.
    @Test(arguments: [
        (VirtualTagKind.desfire, DESFireAuthentication.legacy, 8), (.desfire, .iso, 8), (.desfire, .aes, 16),
    ])
    func authenticationGoesOnWithAnAdditionalFrame(
        kind: VirtualTagKind, authentication: DESFireAuthentication, size: Int
    ) {
        let bench = bench(kind)
        if authentication == .aes { makeAESApplication(bench) }
        let key = DESFireKey.blank(authentication.algorithm).cipher
        var vector = key.zeroVector
        let first = octets(send(bench, hex([authentication.rawValue, 0x00])))
        #expect(first.count == 1 + size && first[0] == 0xAF)
        let challenge = key.decryptCBC(Array(first.dropFirst()), vector: &vector)
        let random = (0..<UInt8(size)).map { 0xA0 + $0 }
        let token = random + challenge.dropFirst() + challenge.prefix(1)
        let isLegacy = authentication == .legacy
        let sent = isLegacy ? LegacyReader.chained(token, key: key) : key.encryptCBC(token, vector: &vector)
        let second = octets(send(bench, hex([0xAF] + sent)))
        #expect(second.count == 1 + size && second[0] == 0x00)
        if isLegacy { vector = key.zeroVector }
        #expect(
            key.decryptCBC(Array(second.dropFirst()), vector: &vector) == Array(random.dropFirst() + random.prefix(1)))
    }

    @Test(arguments: ["0A", "1A", "AA"])
    func anAuthenticationThatIsNotAnsweredRightFails(code: String) {
        let bench = bench()
        if code == "AA" { makeAESApplication(bench) }
        let size = code == "AA" ? 32 : 16
        #expect(send(bench, code + " 00").hasPrefix("AF"))
        #expect(send(bench, "AF" + String(repeating: " 00", count: size)) == "AE")
        #expect(send(bench, code + " 00").hasPrefix("AF"))
        #expect(send(bench, "AF" + String(repeating: " 00", count: size - 1)) == "7E")
        #expect(send(bench, code + " 00").hasPrefix("AF"))
        #expect(send(bench, "60").hasPrefix("AF"))
        #expect(send(bench, code + " 0F") == "40")
        #expect(send(bench, "AF") == "1C")
    }

    @Test func everyTruncationIsAStatus() {
        for command in ["5A 02 00 00", "BD 01 00 00 00 04 00 00", "0A 00", "1A 00", "AF 00"] {
            let bytes = octets(command)
            for length in 1..<bytes.count {
                let bench = bench()
                #expect(["7E", "1C"].contains(send(bench, hex(bytes.prefix(length)))), "\(command) \(length)")
            }
        }
    }
}
