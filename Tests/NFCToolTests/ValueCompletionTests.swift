// What shells complete after an option

import Provisioning
import Testing
import USBReaders

@testable import nfctool

@Suite struct ValueCompletionTests {
    private static let acr122 = ReaderModel.known(vendor: 0x072F, product: 0x2200)

    @Test("Readers that are connected and labels are completed, labels first") func readers() throws {
        let port = try #require(PortPath("1-2"))
        let reader = USBReader(
            model: try #require(Self.acr122), port: port, device: 5, manufacturer: nil, product: nil, serial: nil,
            interfaces: [])
        let labels = ReaderLabels(entries: [.init(label: "desk", target: .port(port))])
        let completion = ReaderCompletion(labels: labels, readers: [reader])
        #expect(completion.completing("") == ["desk", "usb:1-2", "auto", "virtual"])
        #expect(completion.completing("u") == ["usb:1-2"])
        #expect(completion.completing("v") == ["virtual", "virtual:"])
    }

    @Test("After virtual: the kinds of virtual tags are completed, and each one of a list") func tags() {
        let completion = ReaderCompletion(labels: ReaderLabels(), readers: [])
        #expect(completion.completing("virtual:ntag213") == ["virtual:ntag213"])
        #expect(completion.completing("virtual:ntag213,classic4k-") == ["virtual:ntag213,classic4k-ndef"])
        #expect(ReaderCompletion.tags(completing: "icode-slix2-").contains("icode-slix2-ndef"))
    }

    @Test("Each word that --require completes names its chip, and no shell has to quote it")
    func chips() {
        for chip in RequiredChip.all {
            #expect(RequiredChip(named: chip.word) == chip)
            #expect(chip.word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        }
    }
}

extension BuiltBinary {
    @Suite struct CompletionScriptTests {
        @Test("A shell gets the names of readers from nfctool", arguments: ["bash", "zsh", "fish"])
        func scriptAsks(_ shell: String) async throws {
            let script = try await Tool.run("--generate-completion-script", shell)
            #expect(script.status == 0)
            #expect(script.output.contains("---completion read -- --reader"))
            #expect(script.output.contains("ntag215"))
        }

        @Test("A word with a colon is completed") func colon() async throws {
            let words = ["nfctool", "read", "--reader", "virtual:ntag21"]
            let outcome = try await Tool.run(["---completion", "read", "--", "--reader", "3", "14"] + words)
            #expect(outcome.output.split(separator: "\n").first == "virtual:ntag213")
        }
    }
}
