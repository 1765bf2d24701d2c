// Opening a reader in a session, with the real libnfc and virtual chips

import Doctor
import DoctorSituations
import InProcessReaders
import ReaderInterface
import Testing
import USBReaders

@Suite struct OpeningSessionTests {
    private func subject(_ reader: String) throws -> Subject {
        let survey = ReaderSurvey(readers: [], system: Part.system())
        return try #require(Diagnosis(survey, wanted: reader).subjects.first)
    }

    @Test func aReaderThatAnswersTellsItsChip() async throws {
        let opening = try await OpeningSession().open(subject("virtual"))
        guard case .answered(let chip, _) = opening else {
            Issue.record("\(opening)")
            return
        }
        #expect(chip == "PN532 v1.6")
    }

    @Test func aReaderThatDoesNotAnswerIsWaitedForUntilTheTaskIsCancelled() async throws {
        let subject = try subject("virtual:?mute=0")
        let (waits, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            // Whatever the result, the test does not wait longer.
            defer { continuation.finish() }
            return try await OpeningSession { _ in continuation.yield() }.open(subject)
        }
        for await _ in waits { break }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func aNameThatMeansNoReaderIsAnErrorOfTheCallers() async throws {
        let opening = try await OpeningSession().open(subject("virtual:nonsense"))
        guard case .failed(.other(let error), let message) = opening else {
            Issue.record("\(opening)")
            return
        }
        #expect((error as? any ClassifiedError)?.kind == .usage)
        #expect(message.contains("nonsense"))
    }
}
