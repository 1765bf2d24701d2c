// The doctor's words, pinned: one file in Golden/Doctor per situation
//
// NFCTOOL_UPDATE_GOLDEN=FOLDER writes the files anew into FOLDER/Doctor: look at `git diff` before you commit them.

import Foundation
import Testing
import USBReaders

@testable import nfctool

@Suite struct DiagnosisTests {
    static let folder = (Bundle.module.resourceURL?.appending(path: "Golden/Doctor").path ?? "")
    static let shell = ShellLine(program: "nfctool", isRoot: false)

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

    /// As on a terminal of 80 columns without colours.
    static func transcript(_ situation: Situation) -> String {
        let diagnosis = situation.diagnosis
        let style = Style(isTerminal: true, environment: ["NO_COLOR": "1"], columns: 80)
        let text = DiagnosisPresentation(diagnosis, style: style, marks: .unicode, shell: shell).text
        let status = diagnosis.firstProblem?.error.map { "\($0.exitStatus) \($0.rawValue)" } ?? "0"
        let table = ReaderTable(PluggedReader.all(in: diagnosis), style: style, marks: .unicode).text
        return "\(text)\n--- readers\n\(table)\n--- exit \(status)\n"
    }

    @Test func situationsHaveNamesOfTheirOwn() {
        #expect(Set(Situation.all.map(\.name)).count == Situation.all.count)
        #expect(Situation.all.count >= 35)
    }

    @Test(arguments: Situation.all)
    func eachProblemHasACauseAndSomethingToDo(_ situation: Situation) {
        for examination in situation.diagnosis.examinations {
            let isTold = examination.status == .problem || examination.status == .warning
            #expect((examination.remedy != nil) == isTold)
            #expect((examination.error != nil) == (examination.status == .problem))
            guard let remedy = examination.remedy else { continue }
            #expect(!remedy.cause.isEmpty)
            #expect(!remedy.steps.isEmpty || remedy.note != nil)
        }
    }

    @Test(arguments: Situation.all)
    func theExitCodeIsOneOfTheContract(_ situation: Situation) {
        let status = situation.diagnosis.firstProblem?.error?.exitStatus
        #expect(status.map { [69, 74, 77].contains($0) } ?? true)
    }

    @Test(arguments: Situation.permissions + Situation.kernel.dropLast() + Situation.machines)
    func aReaderThatCannotBeOpenedIsNotTried(_ situation: Situation) {
        #expect(Diagnosis(situation.survey, wanted: situation.wanted).candidates.isEmpty || !situation.openings.isEmpty)
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

    /// Whatever a program is called, it stays one word of a command, and cannot start another.
    @Test func namesFromOutsideStayWords() {
        let evil = NodeHolder(process: 9, name: "a;rm -rf ~", user: 1000, userName: "al'ice $(id)")
        let user = SessionUser(number: 7, name: "al'ice $(id)")
        #expect(ShellLine.quoted("al'ice $(id)") == #"'al'\''ice $(id)'"#)
        #expect(ShellLine.quoted("") == "''")
        let survey = ReaderSurvey(
            readers: [Part.plugged(Part.reader(), .noPermission, Part.ownership("plugdev", number: 46))],
            system: Part.system(user: user))
        let steps = Diagnosis(survey).firstProblem?.remedy?.steps ?? []
        #expect(steps.map(Self.shell.text) == [#"sudo usermod -aG plugdev 'al'\''ice $(id)'"#])
        let held = ReaderSurvey(
            readers: [
                Part.plugged(Part.reader(driver: "usbfs"), holders: NodeHolders(visible: [evil]))
            ], system: Part.system())
        #expect(Diagnosis(held).firstProblem?.remedy?.steps.map(Self.shell.text) == ["kill 9"])
    }

    @Test func rootIsNotToldToUseSudo() {
        #expect(
            ShellLine(program: "./n", isRoot: true).text(.install(.rules))
                == "./n doctor --print rules | tee \(SystemFile.rules.path)")
    }

    @Test func theMarksFollowTheLocale() {
        #expect(Marks.of(["LANG": "de_DE.UTF-8"]) == .unicode)
        #expect(Marks.of(["LANG": "de_DE.UTF-8", "LC_ALL": "C"]) == .ascii)
        #expect(Marks.of(["LC_CTYPE": "en_US.utf8"]) == .unicode)
        #expect(Marks.of([:]) == .ascii)
    }
}
