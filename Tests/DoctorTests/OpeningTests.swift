// Opening readers for a diagnosis: which are opened, and what an error means

import Doctor
import DoctorSituations
import ReaderInterface
import Synchronization
import Testing
import USBReaders

@Suite struct OpeningTests {
    private static let dialout = Part.system(user: Part.someone(in: ["dialout"]))

    @Test func onlyReadersThatNothingIsKnownAgainstAreOpened() async throws {
        let situation = try #require(Situation.all.first { $0.name == "one of two works" })
        let opener = Opener(Part.answers)
        let diagnosis = try await Diagnosis(situation.survey).opened(by: opener)
        #expect(opener.opened.withLock { $0 } == [Part.acr122])
        #expect(diagnosis.subjects.map(diagnosis.didOpen) == [true, false])
        #expect(diagnosis.examinations.map(\.statement) == situation.diagnosis.examinations.map(\.statement))
    }

    @Test func aCancelledOpeningEndsTheDiagnosis() async throws {
        let survey = ReaderSurvey(readers: [Part.plugged()], system: Part.system())
        await #expect(throws: CancellationError.self) { try await Diagnosis(survey).opened(by: Opener(nil)) }
    }

    @Test func anErrorOfOpeningSaysWhatKeepsTheReader() {
        func word(_ error: ReaderError) -> String {
            switch Opening(error) {
            case .answered: "answered"
            case .held(let holder): "held by \(holder)"
            case .failed(.noReader, _): "no reader"
            case .failed(.busy, _): "busy"
            case .failed(.noPermission, _): "no permission"
            case .failed(.readerFailed, _): "failed"
            case .failed(.other(let cause), _): cause as? ReaderError == error ? "other" : "lost"
            }
        }
        #expect(word(.noReader(connection: nil)) == "no reader")
        #expect(word(.busy(connection: Part.acr122, holder: nil)) == "busy")
        #expect(word(.busy(connection: Part.acr122, holder: "nfc-list (process 8)")) == "held by nfc-list (process 8)")
        #expect(word(.noPermission(connection: Part.acr122, path: "/dev/bus/usb/001/004")) == "no permission")
        #expect(word(.readerFailed(operation: "opening", reason: "x", code: -1)) == "failed")
        #expect(word(.tagLost) == "other")
    }

    @Test("An invalid option in a reader's name is the cause that the doctor names") func invalidOption() async throws {
        let survey = ReaderSurvey(readers: [], serialPorts: [Part.serialPort()], system: Self.dialout)
        let error = ReaderConnectionError.notASpeed("9", known: [921_600])
        let opener = Opener(.failed(.other(error), message: "\(error)"))
        let wanted = "pn532_uart:/dev/ttyUSB0?speed=9"
        let problem = try await Diagnosis(survey, wanted: wanted).opened(by: opener).firstProblem
        #expect(problem?.name == .opens)
        #expect(problem?.obstacle?.kind == .usage)
        #expect(problem?.remedy?.cause == error.description)
        #expect(problem?.remedy?.note == nil)
    }

    @Test(
        "The advice for a silent board suggests another speed in its name",
        arguments: ["", ":115200", "?speed=921600", ":115200?speed=921600"])
    func otherSpeed(ending: String) async throws {
        let survey = ReaderSurvey(readers: [], serialPorts: [Part.serialPort()], system: Self.dialout)
        let wanted = "pn532_uart:/dev/ttyUSB0" + ending
        let problem = try await Diagnosis(survey, wanted: wanted).opened(by: Opener(Part.mute)).firstProblem
        #expect(problem?.remedy?.note?.words.hasSuffix("--reader pn532_uart:/dev/ttyUSB0:9600") == true)
    }

    /// The doctor passes on an unknown error unchanged.
    @Test func anErrorOfTheCallersIsGivenBack() async throws {
        struct Unknown: Error, Equatable {}
        let survey = ReaderSurvey(readers: [Part.plugged()], system: Part.system())
        let opener = Opener(.failed(.other(Unknown()), message: "It is unknown."))
        let problem = try await Diagnosis(survey).opened(by: opener).firstProblem
        guard case .other(let error) = problem?.obstacle else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(error is Unknown)
        #expect(problem?.name == .opens)
        #expect(problem?.facts == ["message": .text("It is unknown.")])
    }
}

/// Returns the given results without opening a reader.
private final class Opener: ReaderOpener {
    private let opening: Opening?
    let opened = Mutex<[String]>([])

    /// - Parameter opening: the result for each reader, or nil if the user does not want to wait.
    init(_ opening: Opening?) { self.opening = opening }

    func open(_ reader: Subject) async throws(CancellationError) -> Opening {
        opened.withLock { $0.append(reader.connection) }
        guard let opening else { throw CancellationError() }
        return opening
    }
}
