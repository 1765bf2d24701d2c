// The doctor's text, pinned: one file in Golden/Doctor per situation
//
// NFCTOOL_UPDATE_GOLDEN=FOLDER writes the files again into FOLDER/Doctor. Check `git diff` before you commit them.

import Doctor
import DoctorPresentation
import DoctorSituations
import Foundation
import Terminal
import Testing

@testable import nfctool

@Suite struct DiagnosisPresentationTests {
    private static let folder = (Bundle.module.resourceURL?.appending(path: "Golden/Doctor").path ?? "")
    private static let shell = ShellLine(program: "nfctool", isRoot: false)

    @Test(arguments: Situation.all)
    func wordsAreAsPinned(_ situation: Situation) throws {
        let name = situation.name.replacing(" ", with: "-").lowercased() + ".txt"
        let text = Self.transcript(situation)
        if let folder = ProcessInfo.processInfo.environment["NFCTOOL_UPDATE_GOLDEN"] {
            try text.write(toFile: "\(folder)/Doctor/\(name)", atomically: true, encoding: .utf8)
        }
        let expected = (try? String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)) ?? ""
        #expect(text == expected)
    }

    /// The text for a terminal of 80 columns without colours.
    private static func transcript(_ situation: Situation) -> String {
        let diagnosis = situation.diagnosis
        let style = Style(isTerminal: true, environment: ["NO_COLOR": "1"], columns: 80)
        let text = DiagnosisPresentation(diagnosis, style: style, marks: .unicode, shell: shell).text
        let error = diagnosis.firstProblem?.obstacle?.errorName
        let status = error.map { "\($0.exitStatus) \($0.rawValue)" } ?? "0"
        let table = ReaderTable(PluggedReader.all(in: diagnosis), style: style, marks: .unicode).text
        return "\(text)\n--- readers\n\(table)\n--- exit \(status)\n"
    }

    @Test(arguments: Situation.all)
    func theExitCodeIsOneOfTheContract(_ situation: Situation) {
        let status = situation.diagnosis.firstProblem?.obstacle?.errorName.exitStatus
        #expect(status.map { [69, 74, 77].contains($0) } ?? true)
    }

    @Test(arguments: Situation.all)
    func jsonHasEveryCheckAndItsCommands(_ situation: Situation) throws {
        let line = try JSONLine.string(DiagnosisReport(situation.diagnosis, shell: Self.shell))
        let object = try Outcome.object(line)
        let checks = try #require(object["checks"] as? [[String: Any]])
        #expect(object["schema"] as? Int == 1)
        #expect(object["healthy"] as? Bool == (situation.diagnosis.firstProblem == nil))
        #expect(checks.count == situation.diagnosis.examinations.count)
        #expect(checks.allSatisfy { $0["commands"] is [String] && $0["name"] is String && $0["status"] is String })
    }

    /// The report for an issue masks its text in the same way.
    @Test func whatIsPrintedIsMaskedInEverySituation() {
        var named = 0
        for situation in Situation.all {
            let diagnosis = situation.diagnosis
            let presentation = DiagnosisPresentation(diagnosis, style: .plain, marks: .ascii, shell: Self.shell)
            let text = ([presentation.lines] + presentation.remedies).joined(separator: "\n")
            if text.contains(Part.user) { named += 1 }
            let mask = Mask(diagnosis.survey, host: "laptop", home: "/home/\(Part.user)")
            #expect(!mask.masked(text).contains(Part.user), "\(situation.name)")
        }
        #expect(named > 0)
    }

    @Test func theMarksFollowTheLocale() {
        #expect(Marks.of(["LANG": "de_DE.UTF-8"]) == .unicode)
        #expect(Marks.of(["LANG": "de_DE.UTF-8", "LC_ALL": "C"]) == .ascii)
        #expect(Marks.of(["LC_CTYPE": "en_US.utf8"]) == .unicode)
        #expect(Marks.of([:]) == .ascii)
    }
}
