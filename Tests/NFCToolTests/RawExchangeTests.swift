// transceive and apdu with virtual tags of each kind

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct RawExchangeTests {
        @Test func aType2TagAnswersWithBytesAndBits() async throws {
            let outcome = try await Tool.run(
                "transceive", "60", "A2 27 01 02 03 04", "3A2727", "--json", "--reader", "virtual:ntag213")
            #expect(outcome.status == 0)
            let report = try outcome.json()
            #expect(report["schema"] as? Int == 1 && report["event"] as? String == "transceive")
            #expect(report["reader"] as? String == "virtual:ntag213")
            #expect((report["uid"] as? String)?.count == 14)
            #expect(
                try exchanges(outcome) == [
                    ["command": "60", "response": "0004040201000F03"],
                    ["command": "A22701020304", "response": "", "ack": "A"],
                    ["command": "3A2727", "response": "01020304"],
                ])
        }

        @Test func aRefusalComesAfterWhatWasSaid() async throws {
            let outcome = try await Tool.run(
                "transceive", "3A0303", "30FF", "3000", "--json", "--reader", "virtual:ntag213")
            #expect(outcome.status == 76)
            #expect(
                try exchanges(outcome) == [
                    ["command": "3A0303", "response": "E1101200"], ["command": "30FF", "response": "", "nak": "0"],
                ])
            let failure = try outcome.failure()
            #expect(failure["error"] as? String == "tagProtocol")
            #expect(failure["command"] as? String == "30FF" && failure["number"] as? Int == 2)
        }

        /// NTAG I2C 2k: block 0 of sector 1 is not the UID.
        @Test func aSectorIsSelected() async throws {
            let outcome = try await Tool.run(
                "transceive", "3000", "C2FF", "01000000", "3000", "--json", "--reader", "virtual:ntag-i2c-2k")
            #expect(outcome.status == 0)
            let exchanges = try exchanges(outcome)
            #expect(exchanges[2] == ["command": "01000000", "response": "", "ack": "passive"])
            #expect(exchanges[0]["response"] != exchanges[3]["response"])
        }

        @Test func aTagThatLeavesIsLostAndWhatItSaidIsNot() async throws {
            let outcome = try await Tool.run(
                "transceive", "3A0303", "3000", "3004", "--json", "--reader", "virtual:ntag213?loss=1")
            #expect(outcome.status == 75)
            #expect(try exchanges(outcome) == [["command": "3A0303", "response": "E1101200"]])
            #expect(try outcome.failure()["error"] as? String == "tagLost")
            #expect(try outcome.failure()["command"] as? String == "3000")
        }

        @Test func aUIDPicksOneOfSeveralTags() async throws {
            let uids = try await Tool.run("read", "--json", "--reader", "virtual:ntag213*2").jsonLines().compactMap {
                $0["uid"] as? String
            }
            for uid in uids {
                let outcome = try await Tool.run(
                    "transceive", "3A0000", "--uid", uid, "--json", "--reader", "virtual:ntag213*2")
                #expect(try exchanges(outcome)[0]["response"]?.prefix(6) == uid.prefix(6))
                #expect(try outcome.json()["uid"] as? String == uid)
            }
        }

        /// With a password, the tag is opened before the first command.
        @Test func aPasswordOpensTheTag() async throws {
            let command = "nfctool transceive A20401020304 3004 --reader virtual:ntag215-protected"
            #expect(try await Tool.shell(command).status == 76)
            let outcome = try await Tool.shell("NFCTOOL_PASSWORD=FFFFFFFF:0000 \(command)")
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("< ACK (A)\n> 30 04\n< 01 02 03 04"))
        }

        /// Polling of all systems, with the IDm in the answer; READ for a Topaz; a file of DESFire native commands.
        @Test(arguments: [
            ("type3", "0600FFFF0000", "12 01"), ("felica-lite-s-ndef", "0600FFFF0000", "12 01"),
            ("topaz96", "0100", ""), ("topaz512", "0210 0000000000000000", "10 "), ("desfire", "60", "AF 04"),
        ])
        func otherTagsAreSpokenToInTheirWay(kind: String, command: String, answer: String) async throws {
            let outcome = try await Tool.run("transceive", command, "--reader", "virtual:\(kind)")
            #expect(outcome.status == 0)
            #expect(outcome.output.split(separator: "\n").last?.hasPrefix("< \(answer)") == true)
        }

        /// The reader performs the cipher: authentication, followed by READ.
        ///
        /// Without authentication, the card does not answer READ.
        @Test func aClassicOpensWithItsKey() async throws {
            let information = try await Tool.run("info", "--json", "--reader", "virtual:classic1k").json()
            let uid = try #require(information["uid"] as? String)
            let open = try await Tool.run(
                "transceive", "6004FFFFFFFFFFFF\(uid.suffix(8))", "3004", "--json", "--reader", "virtual:classic1k")
            #expect(open.status == 0)
            #expect(try exchanges(open).last?["response"]?.count == 32)
            #expect(try await Tool.run("transceive", "3004", "--reader", "virtual:classic1k").status == 75)
        }

        @Test func anAPDUIsAnsweredWithDataAndStatusWord() async throws {
            let select = "00A4040007D276000085010100=9000"
            let outcome = try await Tool.run(
                "apdu", select, "00A4000C02E103=90xx", "00B0000002=", "00A4000C02FFFF", "--json", "--reader",
                "virtual:type4")
            #expect(outcome.status == 0)
            #expect(
                try exchanges(outcome) == [
                    ["command": "00A4040007D276000085010100", "response": "", "sw": "9000"],
                    ["command": "00A4000C02E103", "response": "", "sw": "9000"],
                    ["command": "00B0000002", "response": "000F", "sw": "9000"],
                    ["command": "00A4000C02FFFF", "response": "", "sw": "6A82"],
                ])
            #expect(try await Tool.run("apdu", select, "--reader", "virtual:type4b").status == 0)
        }

        @Test func anotherStatusWordEndsTheRun() async throws {
            let outcome = try await Tool.run(
                "apdu", "00A4040007D276000085010100=6Axx", "00A4000C02E103", "--json", "--reader", "virtual:type4")
            #expect(outcome.status == 76)
            #expect(try exchanges(outcome).map { $0["sw"] } == ["9000"])
            let failure = try outcome.failure()
            #expect(failure["error"] as? String == "tagProtocol")
            #expect(failure["found"] as? String == "9000" && failure["expected"] as? String == "6Axx")
        }

        private func exchanges(_ outcome: Outcome) throws -> [[String: String]] {
            try #require(try outcome.json()["exchanges"] as? [[String: String]])
        }
    }
}
