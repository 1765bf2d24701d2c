// Installed files have one source, so the copies in the program equal those in Docs/

import Doctor
import Foundation
import Testing
import USBReaders

@Suite struct SystemFileTests {
    /// The checkout in which these tests were built.
    private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    private func document(_ name: String) throws -> String {
        try String(contentsOf: Self.checkout.appending(path: "Docs/\(name)"), encoding: .utf8)
    }

    @Test func theFilesInDocsAreThoseTheDoctorInstalls() throws {
        #expect(try document("93-nfctool.rules") == SystemFile.rules.text)
        #expect(try document("nfctool-blacklist.conf") == SystemFile.blacklist.text)
    }

    @Test func theRulesNameEveryReaderThatLibnfcDrivesAndNoOther() {
        let lines = SystemFile.rules.text.split(separator: "\n").filter { $0.hasPrefix("ATTR") }
        let driven = ReaderModel.table.filter { $0.drive != nil }
        #expect(lines.count == driven.count)
        for (line, model) in zip(lines, driven) {
            #expect(line.contains("idVendor}==\"\(model.vendor.hexDigits)\""))
            #expect(line.contains("idProduct}==\"\(model.product.hexDigits)\""))
        }
    }

    /// The rules run after 92-libccid.rules, which gives the same readers to pcscd.
    ///
    /// They request `uaccess` themselves, because 73-seat-late.rules has already run.
    @Test func theRulesRunLastAndStillLetInWhoSitsHere() {
        let name = SystemFile.rules.path.split(separator: "/").last ?? ""
        #expect(name > "92-libccid.rules")
        let lines = SystemFile.rules.text.split(separator: "\n").filter { $0.hasPrefix("ATTR") }
        #expect(lines.allSatisfy { $0.contains(#"TAG+="uaccess", RUN{builtin}+="uaccess""#) })
    }

    @Test func theBlacklistNamesAllThatAreInTheWay() {
        for module in KernelModules.inTheWay { #expect(SystemFile.blacklist.text.contains("\nblacklist \(module)\n")) }
    }

    @Test func theTableInReadersMarkdownIsThatOfTheProgram() throws {
        let text = try document("Readers.md")
        for model in ReaderModel.table {
            let number = "`\(model.vendor.hexDigits):\(model.product.hexDigits)`"
            let row = text.split(separator: "\n").first { $0.hasPrefix("| \(number) |") }
            #expect(row?.contains(model.name) ?? false, "\(number) \(model.name)")
        }
        let numbers = text.matches(of: /`[0-9a-f]{4}:[0-9a-f]{4}`/).map { String($0.output) }
        let known = Set(ReaderModel.table.map { "`\($0.vendor.hexDigits):\($0.product.hexDigits)`" })
        #expect(Set(numbers) == known)
        #expect(text.contains("2026-11-21"))
    }
}
