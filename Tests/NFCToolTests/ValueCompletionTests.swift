// The completions that shells offer after an option

import Foundation
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

    @Test("After virtual:, the kinds of virtual tags are completed, also within a list") func tags() {
        let completion = ReaderCompletion(labels: ReaderLabels(), readers: [])
        #expect(completion.completing("virtual:ntag213") == ["virtual:ntag213"])
        #expect(completion.completing("virtual:ntag213,classic4k-") == ["virtual:ntag213,classic4k-ndef"])
        #expect(ReaderCompletion.tags(completing: "icode-slix2-").contains("icode-slix2-ndef"))
    }

    @Test("Files of virtual tags are completed in the folder that the name begins with") func tagFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["till.nfc", "other.nfc", "table.txt"] {
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil))
        }
        let completion = ReaderCompletion(labels: ReaderLabels(), readers: [])
        #expect(completion.completing("virtual:\(folder)/t") == ["virtual:\(folder)/till.nfc"])
        #expect(completion.completing("virtual:\(folder)/ta") == [])
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

        @Test(
            "A script completes provision without a subcommand as provision run", arguments: ["bash", "zsh", "fish"])
        func scriptKnowsTheDefault(_ shell: String) async throws {
            for words in [["--generate-completion-script", shell], ["--generate-completion-script=" + shell]] {
                let script = try await Tool.run(words)
                #expect(script.status == 0 && script.errors == "")
                let parts = script.output.components(separatedBy: "# Without a subcommand, the words are those of run.")
                #expect(parts.count == 2)
                #expect(parts.last?.contains("init-db") == true)
            }
            let other = try await Tool.run("--generate-completion-script", "tcsh")
            #expect(other.status == 64)
        }

        /// Returns the completions that bash offers for the last of some words.
        private static func bash(_ words: [String]) async throws -> Set<String> {
            let outcome = try await Tool.withFolder { folder in
                try Data().write(to: URL(filePath: folder + "/tags.csv"))
                let line = #"""
                    source <(nfctool --generate-completion-script bash)
                    COMP_WORDS=(\#(words.map { "'\($0)'" }.joined(separator: " ")))
                    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="${COMP_WORDS[*]}"
                    COMP_POINT=${#COMP_LINE}
                    _nfctool nfctool "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                    printf '%s\n' "${COMPREPLY[@]}"
                    """#
                return try await Tool.shell(line, in: folder)
            }
            return Set(outcome.output.split(separator: "\n").map(String.init))
        }

        @Test("bash completes provision without a subcommand as provision run")
        func bashKnowsTheDefault() async throws {
            for words in [["tags.csv"], ["--range", "1-9"], []] {
                let offered = try await Self.bash(["nfctool", "provision"] + words + ["--req"])
                #expect(offered == ["--require"], "\(words)")
            }
            let chips = try await Self.bash(["nfctool", "provision", "tags.csv", "--require", "ntag21"])
            #expect(chips.contains("ntag215"))
            #expect(try await Self.bash(["nfctool", "provision", "ta"]) == ["tags.csv"])
            #expect(try await Self.bash(["nfctool", "provision", "ver"]) == ["verify"])
            #expect(try await Self.bash(["nfctool", "provision", "status", "--wa"]) == ["--watch"])
        }

        @Test("bash completes the commands after help") func commandsToExplain() async throws {
            let offered = try await Self.bash(["nfctool", "help", "prot"])
            #expect(offered == ["protect"])
        }

        @Test(
            "zsh and fish have the names of the commands after help",
            arguments: [("zsh", "'*:subcommands:(read write"), ("fish", "-f -a 'read write")])
        func commandsToExplain(_ shell: String, form: String) async throws {
            #expect(try await Tool.run("--generate-completion-script", shell).output.contains(form))
        }

        @Test("bash completes the values of --beep and --led") func signals() async throws {
            let (beep, led) = (["--beep", ""], ["--led", ""])
            for command in [["provision", "run"], ["provision", "tags.csv"], ["scan"]] {
                #expect(try await Self.bash(["nfctool"] + command + beep) == ["ok", "fail", "ok,fail", "off"])
                #expect(try await Self.bash(["nfctool"] + command + led) == ["on", "off"])
            }
        }

        @Test("bash completes the phones of ndef check, and files after --symlink and --control") func otherValues()
            async throws
        {
            let check = ["nfctool", "ndef", "check"]
            #expect(try await Self.bash(check + ["--phone", ""]) == ["ios", "android", "ios,android"])
            for option in ["--symlink", "--control"] {
                #expect(try await Self.bash(["nfctool", "simulate", option, "ta"]) == ["tags.csv"])
            }
        }

        @Test("The earlier name of provision --count is accepted, but not offered") func earlierName() async throws {
            #expect(try await Self.bash(["nfctool", "provision", "run", "--lim"]).isEmpty)
            #expect(try await Self.bash(["nfctool", "provision", "run", "--coun"]) == ["--count"])
            let plan = ["provision", "--range", "1-2", "--text", "{n}", "--dry-run"]
            #expect(try await Tool.run(plan + ["--limit", "1"]).status == 0)
            #expect(try await Tool.run(plan + ["--limit", "0"]).errors.contains("--count must be at least 1."))
            let both = try await Tool.run(plan + ["--count", "1", "--limit", "2"])
            #expect(both.status == 64 && both.errors.contains("Give only one of them."), "\(both.errors)")
        }

        @Test("A word with a colon is completed") func colon() async throws {
            let words = ["nfctool", "read", "--reader", "virtual:ntag21"]
            let outcome = try await Tool.run(["---completion", "read", "--", "--reader", "3", "14"] + words)
            #expect(outcome.output.split(separator: "\n").first == "virtual:ntag213")
        }
    }
}
