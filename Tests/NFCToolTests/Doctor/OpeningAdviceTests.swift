// The message of every command whose reader does not open: the doctor's cause, and one command

import Doctor
import DoctorSituations
import ReaderInterface
import Testing
import USBReaders

@testable import nfctool

@Suite struct OpeningAdviceTests {
    private static let shell = ShellLine(program: "nfctool", isRoot: false)

    private func advice(
        _ error: ReaderError, _ name: String, claim: USBControlError? = nil
    ) throws -> [String] {
        let situation = try #require(Situation.all.first { $0.name == name })
        let text = OpeningAdvice.text(for: error, in: situation.survey, shell: Self.shell) { _ in claim } ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private static let failed = ReaderError.readerFailed(operation: "opening", reason: "it did not answer", code: -1)

    @Test func aClaimedReaderSaysWhoHasIt() throws {
        #expect(
            try advice(Self.failed, "blacklisted but loaded") == [
                "The kernel driver pn533_usb has claimed the reader, so libnfc cannot claim it. The driver is blacklisted, but was loaded earlier or manually.",
                "Try:  sudo modprobe -r pn533_usb", "For details:  nfctool doctor",
            ])
        #expect(
            try advice(.busy(connection: Part.acr122, holder: nil), "pcscd")[1]
                == "Try:  sudo systemctl stop pcscd.socket pcscd.service")
        #expect(try advice(.busy(connection: Part.acr122, holder: nil), "another program")[1] == "Try:  kill 4711")
        #expect(try advice(Self.failed, "held unseen")[1] == "Try:  sudo nfctool doctor")
    }

    @Test func aReaderWithoutPermissionSaysWhatGivesIt() throws {
        let error = ReaderError.noPermission(connection: Part.acr122, path: "/dev/bus/usb/001/004")
        #expect(
            try advice(error, "no rule") == [
                "No udev rule lets users other than root open this reader.",
                "See what to do:  nfctool doctor --fix   (--yes runs the commands)",
            ])
        #expect(try advice(error, "not in the group")[1] == "Try:  sudo usermod -aG plugdev alice")
    }

    @Test func noReaderSaysWhatIsThereInstead() throws {
        let none = ReaderError.noReader(connection: nil)
        #expect(
            try advice(none, "ACR1252U")[0]
                == "The ACS ACR1252U is a PC/SC reader, which needs the smart-card daemon pcscd.")
        #expect(
            try advice(none, "serial adapter only")[1].hasPrefix(
                "Try:  nfctool doctor --reader pn532_uart:/dev/serial/by-id/"))
        #expect(try advice(none, "no rule")[0] == "No udev rule lets users other than root open this reader.")
        #expect(try advice(none, "no rule").last == "To try without a reader:  --reader virtual")
        #expect(
            try advice(.noReader(connection: "acr122_usb:001:003"), "healthy")[1]
                == "Try:  nfctool read --reader usb:1-2")
    }

    @Test func aMuteReaderIsNotTakenForAnythingElse() throws {
        #expect(try advice(Self.failed, "two alike") == [])
        #expect(try advice(Self.failed, "nothing plugged in") == [])
        #expect(try advice(Self.failed, "ACR122U mute")[1] == "Try:  usbreset 072f:2200")
        #expect(
            try advice(.noReader(connection: Part.acr122), "ACR122U mute").first == "libnfc finds no reader there.")
    }

    /// libnfc reports a claimed reader and a silent one in the same way.
    @Test func aClaimThatNobodyShowsIsNotTakenForSilence() throws {
        let lines = try advice(Self.failed, "ACR122U mute", claim: .busy)
        #expect(lines[0].hasPrefix("Something outside this system has claimed the reader"))
        #expect(try advice(Self.failed, "ACR122U mute", claim: .inputOutput)[1] == "Try:  usbreset 072f:2200")
    }

    /// The error names a process, so the advice does not blame any other cause.
    @Test func adviceIsAboutTheHolderThatTheErrorNames() throws {
        let busy = ReaderError.busy(connection: Part.acr122, holder: "nfctool (process 356)")
        for name in ["healthy", "held by a program that has ended", "another program"] {
            let lines = try advice(busy, name)
            #expect(lines[0] == "Only one program at a time can use a reader.")
            #expect(lines[1] == "Wait for nfctool (process 356) to finish, or stop it, and run the command again.")
        }
        let lines = try advice(busy, "held beside a program that looks")
        #expect(lines[0] == "Another nfctool process is using the reader. Wait for it to finish, or stop it.")
        #expect(lines[1] == "Try:  kill 356")
    }

    @Test func anUnsupportedReaderIsNamedByItsPort() throws {
        let survey = try #require(Situation.all.first { $0.name == "RC-S380" }).survey
        let text = OpeningAdvice.text(for: .noReader(connection: "usb:1-2"), in: survey, shell: Self.shell)
        let cause =
            "nfctool cannot use the Sony PaSoRi RC-S380: neither libnfc nor pcscd has a driver "
            + "for its chip, Sony's Port-100."
        #expect(text?.hasPrefix(cause) == true)
    }

    @Test func aMuteReaderThatWasNamedGetsItsRemedy() throws {
        let survey = try #require(Situation.all.first { $0.name == "ACR122U mute" }).survey
        let text = OpeningAdvice.text(for: Self.failed, named: "usb:1-2", in: survey, shell: Self.shell) { _ in nil }
        #expect(text?.contains("Try:  usbreset 072f:2200") == true)
        #expect(OpeningAdvice.text(for: Self.failed, named: "virtual:?mute=0", in: survey, shell: Self.shell) == nil)
    }

    @Test func aReaderNamedByItsLabelGetsItsRemedyToo() throws {
        let survey = try #require(Situation.all.first { $0.name == "ACR122U mute" }).survey
        let labels = try ReaderLabels(text: "desk = usb:1-2\n", file: "readers")
        let text = OpeningAdvice.text(for: Self.failed, named: "desk", in: survey, labels: labels, shell: Self.shell) {
            _ in
            nil
        }
        #expect(text?.contains("Try:  usbreset 072f:2200") == true)
    }

    @Test(arguments: ["virtual:bogus", "pn532_uart:/dev/pts/4", "nosuch"])
    func readersOfNoSystemKeepTheirOwnHints(_ connection: String) throws {
        #expect(try advice(.noReader(connection: connection), "nothing plugged in") == [])
    }

    @Test(arguments: [
        ReaderError.tagLost, .noAnswer, .aborted, .readerFailed(operation: "polling", reason: "x", code: -1),
    ])
    func otherErrorsAreNotTheDoctors(_ error: ReaderError) throws {
        #expect(try advice(error, "kernel driver") == [])
    }
}
