// Password verification and configuration — NXP data sheets, "Password verification protection"

import Testing
@testable import VirtualPN532

@Suite struct PasswordTests {
    /// Sets PWD 01020304, PACK ABCD and ACCESS, followed by AUTH0.
    private func protected(_ access: String, auth0: String = "10") throws -> VirtualType2Tag {
        let tag = try VirtualTagKind.ntag213.type2()
        for command in [
            "A2 2B 01 02 03 04", "A2 2C AB CD 00 00", "A2 2A \(access) 05 00 00", "A2 29 04 00 00 \(auth0)",
        ] {
            #expect(tag.send(command) == "ACK")
        }
        return tag.activate()
    }

    @Test func passwordGivesPACKAndOpensWriting() throws {
        let tag = try protected("00")
        #expect(tag.send("A2 10 00 00 00 01") == "NAK 0")
        #expect(tag.activate().send("A2 0F 00 00 00 01") == "ACK")
        #expect(tag.send("30 10").hasPrefix("00"))
        #expect(tag.send("1B 01 02 03 04") == "AB CD")
        #expect(tag.isAuthenticated)
        #expect(tag.send("A2 10 00 00 00 01") == "ACK")
        #expect(tag.activate().send("A2 10 00 00 00 02") == "NAK 0")
    }

    @Test func wrongPasswordIsNAKAndEndsTheSelection() throws {
        let tag = try protected("00")
        #expect(tag.send("1B FF FF FF FF") == "NAK 0")
        #expect(tag.send("30 00") == "-")
    }

    @Test func factoryPasswordIsAllOnesWithPACKZero() throws {
        #expect(try VirtualTagKind.ntag216.type2().send("1B FF FF FF FF") == "00 00")
        let tag = try VirtualTagKind.ntag215Protected.type2()
        #expect(tag.send("A2 04 00 00 00 00") == "NAK 0")
        #expect(tag.activate().send("1B FF FF FF FF") == "00 00")
        #expect(tag.send("A2 04 00 00 00 00") == "ACK")
    }

    @Test func passwordAndPACKReadAsZeroEvenAfterVerification() throws {
        let tag = try protected("00")
        tag.send("1B 01 02 03 04")
        #expect(tag.send("3A 2B 2C") == "00 00 00 00 00 00 00 00")
        #expect(Array(tag.contents.suffix(8)) == bytes("01 02 03 04 AB CD 00 00"))
    }

    @Test func protForbidsReadingFromAUTH0OnAndRollsOverThere() throws {
        let tag = try protected("80")
        let first = String(flipperBytes: tag.contents.prefix(8))
        #expect(tag.send("30 0E") == "00 00 00 00 00 00 00 00 " + first)
        #expect(tag.send("3A 0E 0F") == "00 00 00 00 00 00 00 00")
        #expect(tag.send("3A 0E 10") == "NAK 0")
        #expect(tag.activate().send("30 10") == "NAK 0")
        #expect(tag.activate().send("1B 01 02 03 04") == "AB CD")
        #expect(tag.send("30 10").hasPrefix("00 00 00 00"))
    }

    @Test func auth0OfZeroProtectsEverything() throws {
        let tag = try protected("80", auth0: "00")
        #expect(tag.send("30 00") == "NAK 0")
        #expect(tag.activate().send("A2 02 00 00 00 00") == "NAK 0")
        #expect(tag.activate().send("60").hasPrefix("00 04"))
    }

    @Test func authlimLocksForEverAfterSoManyFailures() throws {
        let tag = try protected("02")
        #expect(tag.send("1B 00 00 00 00") == "NAK 0")
        #expect(tag.activate().send("1B 01 02 03 04") == "AB CD")
        for _ in 1...2 { #expect(tag.activate().send("1B 00 00 00 00") == "NAK 0") }
        #expect(tag.activate().send("1B 01 02 03 04") == "NAK 4")
        #expect(tag.activate().send("A2 10 00 00 00 01") == "NAK 0")
        #expect(tag.flipperText.contains("Failed authentication attempts: 2\n"))
    }

    @Test func authlimZeroNeverLocks() throws {
        let tag = try protected("00")
        for _ in 1...20 { #expect(tag.activate().send("1B 00 00 00 00") == "NAK 0") }
        #expect(tag.activate().send("1B 01 02 03 04") == "AB CD")
    }

    @Test func cfglckTakesEffectAtTheNextPowerUpAndLeavesPasswordWritable() throws {
        let tag = try VirtualTagKind.ntag213.type2()
        #expect(tag.send("A2 2A 40 05 00 00") == "ACK")
        #expect(tag.send("A2 29 04 00 00 20") == "ACK")
        #expect(tag.activate().send("A2 2A 00 05 00 00") == "NAK 0")
        #expect(tag.activate().send("A2 29 04 00 00 FF") == "NAK 0")
        tag.activate().send("1B FF FF FF FF")
        #expect(tag.send("A2 2B 01 01 01 01") == "ACK")
        #expect(tag.send("A2 2C 01 01 00 00") == "ACK")
    }

    /// NXP's support about the NTAG213: the configuration takes effect at power-up, PWD and PACK immediately (thread
    /// 488217).
    @Test func configurationCountsFromPowerUpOnAndPasswordAtOnce() throws {
        let tag = try VirtualTagKind.ntag213.type2()
        // AUTH0 is first, in nfcpy's order. The blocks after it can still be written.
        for command in ["A2 29 04 00 00 03", "A2 2A 80 05 00 00", "A2 2B 01 02 03 04", "A2 2C AB CD 00 00"] {
            #expect(tag.send(command) == "ACK")
        }
        #expect(tag.send("30 10").hasPrefix("00"))
        #expect(tag.send("1B 01 02 03 04") == "AB CD")
        // Selecting the tag again is not a power-up.
        tag.send("50 00")
        #expect(tag.poll(wakeUp: true))
        tag.select()
        #expect(tag.send("A2 10 00 00 00 01") == "ACK")
        #expect(tag.activate().send("A2 10 00 00 00 02") == "NAK 0")
        #expect(tag.activate().send("30 03") == "NAK 0")
    }

    // MARK: Counters

    @Test func nfcCounterCountsTheFirstReadAfterEachPowerUp() throws {
        let tag = try VirtualTagKind.ntag213.type2()
        #expect(tag.send("39 02") == "NAK 0")
        tag.activate().send("A2 2A 10 05 00 00")
        #expect(tag.send("39 02") == "NAK 0")
        #expect(tag.activate().send("39 02") == "00 00 00")
        tag.send("30 00")
        tag.send("30 04")
        #expect(tag.send("39 02") == "01 00 00")
        tag.activate().send("3A 00 02")
        #expect(tag.send("39 02") == "02 00 00")
        #expect(tag.send("39 00") == "NAK 0")
    }

    @Test func protectedNFCCounterNeedsThePassword() throws {
        let tag = try protected("18")
        #expect(tag.send("39 02") == "NAK 0")
        tag.activate().send("1B 01 02 03 04")
        #expect(tag.send("39 02") == "00 00 00")
    }

    @Test func ultralightEV1CountersAddAndStopAtTheirEnd() throws {
        let tag = try VirtualTagKind.ultralightEV1.type2()
        #expect(tag.send("39 00") == "00 00 00")
        #expect(tag.send("A5 00 01 02 03 FF") == "ACK")
        #expect(tag.send("39 00") == "01 02 03")
        #expect(tag.send("39 02") == "00 00 00")
        #expect(tag.send("A5 00 FF FF FF 00") == "NAK 4")
        #expect(tag.activate().send("39 00") == "01 02 03")
        #expect(tag.send("A5 01 FF FF FF 00") == "ACK")
        #expect(tag.send("39 01") == "FF FF FF")
        #expect(tag.send("3E 01") == "BD")
        #expect(tag.send("39 03") == "NAK 0")
        #expect(tag.activate().send("3E 03") == "NAK 0")
        #expect(tag.activate().send("A5 03 01 00 00 00") == "NAK 0")
    }

    @Test func nfcCounterStopsAtItsEnd() throws {
        let text = try VirtualTagKind.ntag213.type2().flipperText
            .replacing("Counter 2: 0", with: "Counter 2: 16777214").replacing("Page 42: 00", with: "Page 42: 10")
        let tag = try #require(try FlipperFile.parse(text) as? VirtualType2Tag)
        for count in ["FF FF FF", "FF FF FF"] {
            tag.activate().send("30 00")
            #expect(tag.send("39 02") == count)
        }
    }

    @Test func vcslAnswersTheVirtualCardTypeIdentifier() throws {
        let command = "4B" + String(repeating: " 00", count: 20)
        #expect(try VirtualTagKind.ultralightEV1.type2().send(command) == "05")
        #expect(try VirtualTagKind.ntag213.type2().send(command) == "NAK 0")
    }
}
