// Diagnoses of every situation: the properties that all of them share

import Doctor
import DoctorSituations
import Testing
import USBReaders

@Suite struct DiagnosisTests {
    static let shell = ShellLine(program: "nfctool", isRoot: false)

    @Test func situationsHaveNamesOfTheirOwn() {
        #expect(Set(Situation.all.map(\.name)).count == Situation.all.count)
        #expect(Situation.all.count >= 35)
    }

    @Test(arguments: Situation.all)
    func eachProblemHasACauseAndSomethingToDo(_ situation: Situation) {
        for examination in situation.diagnosis.examinations {
            let isTold = examination.status == .problem || examination.status == .warning
            #expect((examination.remedy != nil) == isTold)
            #expect((examination.obstacle != nil) == (examination.status == .problem))
            guard let remedy = examination.remedy else { continue }
            #expect(!remedy.cause.isEmpty)
            #expect(!remedy.steps.isEmpty || remedy.note != nil)
        }
    }

    @Test(arguments: Situation.permissions + Situation.kernel.dropLast() + Situation.machines)
    func aReaderThatCannotBeOpenedIsNotTried(_ situation: Situation) {
        #expect(Diagnosis(situation.survey, wanted: situation.wanted).candidates.isEmpty || !situation.openings.isEmpty)
    }

    /// Whatever a program's name is, it stays one word of a command, and cannot start another command.
    @Test func namesFromOutsideStayWords() {
        let evil = NodeHolder(process: 9, name: "a;rm -rf ~", user: 1000, userName: "al'ice $(id)")
        let user = SessionUser(number: 7, name: "al'ice $(id)")
        #expect(ShellLine.quoted("al'ice $(id)") == #"'al'\''ice $(id)'"#)
        // Swift treats a quote and a combining mark as one character; a shell does not.
        #expect(ShellLine.quoted("a'\u{301};id") == #"'a'\''"# + "\u{301};id'")
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

    /// A service may have its own user with that name.
    @Test func aUserWhoIsCalledNfctoolIsNotTakenForTheProgram() {
        let shell = ShellLine(program: "./build/nfctool", isRoot: false)
        #expect(
            shell.text(.root("usermod", "-aG", "plugdev", "nfctool")) == "sudo usermod -aG plugdev nfctool")
        #expect(shell.text(.nfctool(["doctor"], needsRoot: true)) == "sudo ./build/nfctool doctor")
    }

    /// Docs/JSON.md lists them.
    @Test func theNamesOfTheChecksStay() {
        #expect(
            CheckName.allCases.map(\.rawValue) == [
                "reader", "unsupported", "serial", "configuration", "node", "permission", "kernelDriver", "blacklist",
                "pcscd", "holder", "machine", "names", "opens",
            ])
    }
}
