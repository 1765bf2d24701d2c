// doctor --fix: the commands, their order, and how to revert them

import Doctor
import DoctorSituations
import Synchronization
import Testing
import USBReaders

@Suite struct RepairTests {
    private func commands(_ name: String) throws -> [String] {
        let situation = try #require(Situation.all.first { $0.name == name })
        return Repair(situation.diagnosis).steps.map(DiagnosisTests.shell.text)
    }

    @Test func aMissingRuleIsInstalledAndAppliedInOrder() throws {
        #expect(
            try commands("no rule") == [
                "nfctool doctor --print rules | sudo tee /etc/udev/rules.d/93-nfctool.rules",
                "sudo udevadm control --reload", "sudo udevadm trigger --action=change --subsystem-match=usb",
            ])
    }

    @Test func theKernelDriverGoesAndStaysAway() throws {
        #expect(
            try commands("kernel driver") == [
                "sudo modprobe -r pn533_usb",
                "nfctool doctor --print blacklist | sudo tee /etc/modprobe.d/nfctool.conf",
            ])
    }

    @Test func pcscdKeepsTheReaderThatIsUsedThroughIt() throws {
        #expect(try commands("pcscd") == [])
    }

    @Test(arguments: [
        "another program", "a service of root", "held unseen", "pcscd waits", "container without the node",
        "pcscd by hand", "no scan, no device", "held while pcscd is seen idle", "adapter taken from its driver",
    ])
    func otherPeoplesProgramsAreLeftAlone(_ name: String) throws { #expect(try commands(name) == []) }

    @Test func nothingIsDoneWhereNothingIsWrong() throws { #expect(try commands("healthy") == []) }

    @Test func eachCommandIsListedOnce() throws {
        for situation in Situation.all {
            let steps = Repair(situation.diagnosis).steps
            #expect(Set(steps).count == steps.count)
        }
    }

    @Test func aStepThatFailsEndsItsRemedyAndOnlyWhatWasDoneIsTakenBack() async throws {
        let rule = try #require(Situation.all.first { $0.name == "no rule" })
        let driver = try #require(Situation.all.first { $0.name == "kernel driver" })
        let readers = rule.survey.readers + driver.survey.readers
        let repair = Repair(Diagnosis(ReaderSurvey(readers: readers, system: driver.survey.system)))
        #expect(repair.steps.count == 5)
        let runner = Runner(failing: [.install(.rules), .install(.blacklist)])
        let outcomes = await repair.run(by: runner)
        #expect(
            outcomes.map(\.step) == [.install(.rules), .root("modprobe", "-r", "pn533_usb"), .install(.blacklist)])
        #expect(Repair.undo(outcomes) == [.root("modprobe", "pn533_usb")])
        #expect(outcomes.map(\.failure) == [.exited(1), nil, .exited(1)])
        #expect(runner.heard.withLock { $0 } == outcomes.flatMap { [$0.step, $0.step] })
    }

    @Test func aCancelledRepairBeginsNoFurtherStep() async throws {
        let rule = try #require(Situation.all.first { $0.name == "no rule" })
        let repair = Repair(rule.diagnosis)
        let runner = Runner { withUnsafeCurrentTask { $0?.cancel() } }
        let outcomes = await Task { await repair.run(by: runner) }.value
        #expect(outcomes.map(\.step) == [.install(.rules)])
        #expect(outcomes.first?.failure == nil)
    }

    @Test func whoSitsAtTheMachineGetsARuleThatWorksAtOnceAndNoNewGroup() throws {
        let steps = try commands("at the seat")
        #expect(steps.contains { $0.contains(SystemFile.rules.path) })
        #expect(!steps.contains { $0.contains("usermod") })
        // Over SSH, uaccess does not help.
        #expect(try commands("not in the group").contains { $0.contains("usermod") })
    }

    /// Joining any group that happens to own a node could grant more than access to a reader.
    @Test func onlyGroupsForDevicesAreJoinedWithoutAsking() {
        let denied = ReaderSurvey(
            readers: [Part.plugged(Part.reader(), .readOnly, Part.ownership("wheel", number: 10))],
            system: Part.system(user: Part.someone()))
        let diagnosis = Diagnosis(denied)
        #expect(diagnosis.firstProblem?.remedy?.steps == [.root("usermod", "-aG", "wheel", "alice")])
        #expect(Repair(diagnosis).steps == [])
    }

    @Test func theGroupOfOurRulesIsMadeWhereThereIsNone() {
        let stranger = SessionUser(number: 1000, name: Part.user)
        let denied = ReaderSurvey(
            readers: [Part.plugged(Part.reader(), .readOnly, Part.ownership())], system: Part.system(user: stranger))
        let repair = Repair(Diagnosis(denied))
        #expect(Array(repair.steps.prefix(2)) == [.root("groupadd", "--system", "plugdev"), .install(.rules)])
        #expect(repair.undo.last == .root("groupdel", "plugdev"))
    }

    @Test func whatIsDoneCanBeTakenBackInReverse() throws {
        let situation = try #require(Situation.all.first { $0.name == "kernel driver" })
        #expect(
            Repair(situation.diagnosis).undo.map(DiagnosisTests.shell.text) == [
                "sudo rm /etc/modprobe.d/nfctool.conf", "sudo modprobe pn533_usb",
            ])
        #expect(
            SystemStep.root("systemctl", "stop", "pcscd.socket", "pcscd.service").undo
                == .root("systemctl", "start", "pcscd.socket"))
        #expect(
            SystemStep.root("usermod", "-aG", "plugdev", "alice").undo == .root("gpasswd", "-d", "alice", "plugdev"))
        #expect(SystemStep.write("1-2:1.0", path: "/sys/x/unbind").undo == .write("1-2:1.0", path: "/sys/x/bind"))
    }
}

/// Runs no step, and records its calls before and after each step.
private final class Runner: StepRunner {
    private let failing: Set<SystemStep>
    private let onRun: @Sendable () -> Void
    let heard = Mutex<[SystemStep]>([])

    init(failing: Set<SystemStep> = [], onRun: @escaping @Sendable () -> Void = {}) {
        self.failing = failing
        self.onRun = onRun
    }

    func willRun(_ step: SystemStep) { heard.withLock { $0.append(step) } }

    func run(_ step: SystemStep) async throws(StepFailure) {
        onRun()
        if failing.contains(step) { throw .exited(1) }
    }

    func didRun(_ outcome: Repair.Outcome) { heard.withLock { $0.append(outcome.step) } }
}
