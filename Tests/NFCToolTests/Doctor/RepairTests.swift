// doctor --fix: which commands, in which order, and what takes them back

import Testing

@testable import nfctool

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

    @Test func pcscdIsStoppedWithItsSocket() throws {
        #expect(try commands("pcscd") == ["sudo systemctl stop pcscd.socket pcscd.service"])
    }

    @Test(arguments: [
        "another program", "a service of root", "held unseen", "pcscd waits", "container without the node",
    ])
    func otherPeoplesProgramsAreLeftAlone(_ name: String) throws { #expect(try commands(name) == []) }

    @Test func nothingIsDoneWhereNothingIsWrong() throws { #expect(try commands("healthy") == []) }

    @Test func eachCommandIsListedOnce() throws {
        for situation in Situation.all {
            let steps = Repair(situation.diagnosis).steps
            #expect(Set(steps).count == steps.count)
        }
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
