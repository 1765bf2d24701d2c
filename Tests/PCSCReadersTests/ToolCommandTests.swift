// The built nfctool: every command that works with a tag, once with a tag of each technology

import Foundation
import Testing
import VirtualPCSC
import VirtualPN532

extension ToolTests {
    /// A tag of one technology on one model of reader, and the exit codes of the commands that do not end with 0.
    struct Sample: Sendable, CustomTestStringConvertible {
        let model: PCSCReaderModel
        let make: @Sendable (Int) -> any VirtualTag
        let transceive: [String]
        /// 64 wrong use, 77 not allowed, 78 not on this kind of tag or with this reader.
        let codes: [String: Int32]

        var testDescription: String { "\(make(1)) on \(model)" }

        static let all: [Sample] = [
            Sample(model: .acr1552u, make: { VirtualTagKind.ntag213.make(serial: $0) }, transceive: ["60"], codes: [:]),
            Sample(
                model: .utrust3721f, make: { VirtualISO15693Tag(chip: .icodeSLIX2, serial: UInt16($0)) },
                transceive: ["022B"], codes: ["protect": 78, "unprotect": 78]),
            Sample(
                model: .acr1252u, make: { VirtualTagKind.feliCaLiteSNDEF.make(serial: $0) },
                transceive: ["060088B40000"], codes: ["protect": 78, "unprotect": 78]),
            Sample(
                model: .omnikey5022, make: { VirtualTagKind.classic1kNDEF.make(serial: $0) },
                transceive: ["6004D3F7D3F7D3F700000000"], codes: ["protect": 78, "unprotect": 78]),
            Sample(
                model: .acr122u, make: { VirtualTagKind.type4.make(serial: $0) },
                transceive: ["00A4040007D276000085010100"], codes: ["protect": 78, "unprotect": 78, "lock": 77]),
        ]
    }

    @Test(arguments: Sample.all)
    func everyCommandEndsAsItShould(sample: Sample) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let dump = folder.appending(path: "dump.json").path
        let tag = sample.make(1)
        let reader = VirtualPCSCReader(model: sample.model, tags: [tag])
        let daemon = try PrivatePCSCDaemon(readers: [reader])
        defer { daemon.stop() }
        let commands: [(name: String, arguments: [String])] = [
            ("format", ["format", "--yes"]), ("write", ["write", "--yes", "--text", "hello"]), ("read", ["read"]),
            ("info", ["info"]), ("dump", ["dump", dump]), ("erase", ["erase"]),
            ("restore", ["restore", dump, "--yes"]), ("transceive", ["transceive"] + sample.transceive),
            ("recover", ["recover"]), ("protect", ["protect", "--yes"]), ("unprotect", ["unprotect", "--yes"]),
            ("copy", ["copy", "--yes", "--timeout", "5s"]), ("lock", ["lock", "--yes"]),
        ]
        for (name, arguments) in commands {
            // The second tag arrives when the first one was read.
            let onHint = { (hint: String) in
                guard hint.contains("Place tag 1 of 1") else { return }
                reader.remove()
                reader.place(sample.make(2))
            }
            let outcome = try Tool.run(
                arguments, daemon, password: "11223344", onHint: name == "copy" ? onHint : nil)
            #expect(
                outcome.status == sample.codes[name] ?? 0, "\(sample.model) \(name): \(outcome.status) \(outcome.text)")
        }
        let first = try #require(TagWitness(tag).message)
        #expect(first.count > 5 && first == TagWitness(reader.field.present(at: .now).first ?? tag).message)
    }
}
