// Wallet passes, and the sessions that end as soon as they begin — CoreNFC NFCVASReaderSession,
// NFCPaymentTagReaderSession

import CoreNFC
import Dispatch
import Testing

@Suite(.timeLimit(.minutes(5))) struct VASSignatureTests {
    @Test func modesHaveTheirNumbers() {
        func name(_ mode: NFCVASCommandConfiguration.Mode) -> String {
            switch mode {
            case .urlOnly: "urlOnly"
            case .normal: "normal"
            }
        }
        let numbers: [Int] = [0, 1, 2]
        let modes = numbers.map { NFCVASCommandConfiguration.Mode(rawValue: $0) }
        #expect(modes.map { $0.map(name) } == ["urlOnly", "normal", nil])
    }

    @Test func errorCodesAreStatusWords() {
        func number(_ code: NFCVASResponse.ErrorCode) -> Int {
            switch code {
            case .success: 0x9000
            case .dataNotFound: 0x6A83
            case .dataNotActivated: 0x6287
            case .wrongParameters: 0x6B00
            case .wrongLCField: 0x6700
            case .userIntervention: 0x6984
            case .incorrectData: 0x6A80
            case .unsupportedApplicationVersion: 0x6340
            }
        }
        let codes = (0...0xFFFF).compactMap { NFCVASResponse.ErrorCode(rawValue: $0) }
        #expect(codes.count == 8)
        #expect(codes.allSatisfy { number($0) == $0.rawValue })
    }

    @Test func theNamesOfIOS13AreTheCases() {
        let names = OldNames() as any Old
        #expect(names.modes == [.urlOnly, .normal])
        #expect(
            names.codes == [
                .success, .dataNotFound, .dataNotActivated, .wrongParameters, .wrongLCField, .userIntervention,
                .incorrectData, .unsupportedApplicationVersion,
            ])
    }

    @Test func aRequestIsCopiedWhole() throws {
        let request = NFCVASCommandConfiguration(
            vasMode: .normal, passTypeIdentifier: "pass.com.example", url: URL(string: "https://example.com"))
        let copy = try #require(request.copy() as? NFCVASCommandConfiguration)
        request.mode = .urlOnly
        request.passTypeIdentifier = ""
        request.url = nil
        let (mode, identifier, url): (NFCVASCommandConfiguration.Mode, String, URL?) = (
            copy.mode, copy.passTypeIdentifier, copy.url
        )
        #expect(mode == .normal)
        #expect(identifier == "pass.com.example")
        #expect(url?.absoluteString == "https://example.com")
    }

    @Test func theLabelsOfTheNewestSDKAreThere() {
        let request = NFCVASCommandConfiguration(VASMode: .urlOnly, passTypeIdentifier: "pass.com.example", url: nil)
        #expect(request.mode == .urlOnly)
        let queue = DispatchQueue(label: "test")
        let delegate = UnsupportedDelegate(Events())
        let session = NFCVASReaderSession(VASCommandConfigurations: [request], delegate: delegate, queue: queue)
        #expect(session.delegate === delegate)
        #expect(session.sessionQueue === queue)
    }

    @Test func aResponseIsItsOwnCopy() {
        let response = NFCVASResponse(status: .success, vasData: Data([1]), mobileToken: Data([2]))
        let (status, data, token): (NFCVASResponse.ErrorCode, Data, Data) = (
            response.status, response.vasData, response.mobileToken
        )
        #expect((status, data, token) == (.success, Data([1]), Data([2])))
        #expect(response.copy() as? NFCVASResponse === response)
    }
}

/// The sessions that no reader here supports.
@Suite(.timeLimit(.minutes(5))) struct UnsupportedSessionTests {
    static let kinds = Kind.allCases

    @Test(arguments: kinds) func aSessionEndsOnceWith1AndSaysWhy(_ kind: Kind) async throws {
        let bench = UnsupportedBench(kind)
        bench.session.begin()
        #expect(try await bench.events.next() == kind.end)
        #expect(!bench.session.isReady)
        #expect(!kind.readingAvailable)
        bench.session.invalidate()
        // A callback after the end would arrive before this one, on the same queue.
        await bench.settle()
        #expect(bench.events.all == [kind.end])
    }

    @Test(arguments: kinds) func theEndNeverComesInsideTheCall(_ kind: Kind) async throws {
        let bench = UnsupportedBench(kind)
        // The queue is blocked, so a callback made inside the call would be visible immediately.
        bench.queue.suspend()
        bench.session.begin()
        #expect(bench.events.all.isEmpty)
        bench.queue.resume()
        #expect(try await bench.events.next() == kind.end)
    }

    @Test(arguments: kinds) func beginningAgainGives103(_ kind: Kind) async throws {
        let bench = UnsupportedBench(kind)
        bench.session.begin()
        #expect(try await bench.events.next() == kind.end)
        bench.session.begin()
        #expect(try await bench.events.next() == "103 -")
    }

    @Test(arguments: kinds) func invalidatingFirstGives200(_ kind: Kind) async throws {
        let bench = UnsupportedBench(kind)
        bench.session.invalidate(errorMessage: "no")
        #expect(try await bench.events.next() == "200 -")
        #expect(bench.session.alertMessage == "no")
    }

    @Test(arguments: kinds) func aSessionInALocalVariableEndsAllTheSame(_ kind: Kind) async throws {
        let events = Events<String>()
        let delegate = UnsupportedDelegate(events)
        kind.session(delegate: delegate, queue: nil).begin()
        #expect(try await events.next() == kind.end)
    }
}

enum Kind: CaseIterable, Sendable {
    case pass, payment

    func session(delegate: UnsupportedDelegate, queue: DispatchQueue?) -> NFCReaderSession {
        switch self {
        case .pass:
            let request = NFCVASCommandConfiguration(vasMode: .normal, passTypeIdentifier: "pass.com.example", url: nil)
            return NFCVASReaderSession(vasCommandConfigurations: [request], delegate: delegate, queue: queue)
        case .payment: return NFCPaymentTagReaderSession(delegate: delegate, queue: queue)
        }
    }

    var readingAvailable: Bool {
        switch self {
        case .pass: NFCVASReaderSession.readingAvailable
        case .payment: NFCPaymentTagReaderSession.readingAvailable
        }
    }

    /// The code and the reason of the last callback.
    var end: String {
        switch self {
        case .pass: "1 Phones show Wallet passes only to a reader with Apple's keys and polling frames (VAS, ECP)."
        case .payment: "1 Only terminals that a card scheme has approved may read payment cards."
        }
    }
}

private struct UnsupportedBench {
    let queue = DispatchQueue(label: "test")
    let events = Events<String>()
    let delegate: UnsupportedDelegate
    let session: NFCReaderSession

    init(_ kind: Kind) {
        delegate = UnsupportedDelegate(events, queue: queue)
        session = kind.session(delegate: delegate, queue: queue)
    }

    /// Returns when the session's queue has finished its work.
    func settle() async {
        await withCheckedContinuation { continuation in
            session.sessionQueue.async { continuation.resume() }
        }
    }
}

/// The delegate of all kinds.
///
/// It records the code and the reason of the end, and checks that it is called on its queue.
final class UnsupportedDelegate: NSObject, Sendable {
    private let events: Events<String>
    private let queue: DispatchQueue?

    init(_ events: Events<String>, queue: DispatchQueue? = nil) {
        self.events = events
        self.queue = queue
    }

    private func stray() { events.record("stray") }

    private func end(_ error: any Error) {
        if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
        let error = error as? NFCReaderError
        let cause = error?.userInfo[NSUnderlyingErrorKey].map { "\($0)" }
        events.record("\(error?.errorCode ?? 0) \(cause ?? "-")")
    }
}

extension UnsupportedDelegate: NFCVASReaderSessionDelegate {
    func readerSession(_ session: NFCVASReaderSession, didInvalidateWithError error: any Error) { end(error) }
    func readerSession(_ session: NFCVASReaderSession, didReceive responses: [NFCVASResponse]) { stray() }
}

extension UnsupportedDelegate: NFCTagReaderSessionDelegate {
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) { stray() }
    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) { end(error) }
    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) { stray() }
}

// Deprecated names are used through a protocol, where they cause no warning.

private protocol Old {
    var modes: [NFCVASCommandConfiguration.Mode] { get }
    var codes: [NFCVASResponse.ErrorCode] { get }
}

private struct OldNames: Old {
    @available(*, deprecated)
    var modes: [NFCVASCommandConfiguration.Mode] {
        let modes: [VASMode] = [.VASModeURLOnly, .VASModeNormal]
        return modes
    }

    @available(*, deprecated)
    var codes: [NFCVASResponse.ErrorCode] {
        let codes: [VASErrorCode] = [
            .VASErrorCodeSuccess, .VASErrorCodeDataNotFound, .VASErrorCodeDataNotActivated,
            .VASErrorCodeWrongParameters, .VASErrorCodeWrongLCField, .VASErrorCodeUserIntervention,
            .VASErrorCodeIncorrectData, .VASErrorCodeUnsupportedApplicationVersion,
        ]
        return codes
    }
}
