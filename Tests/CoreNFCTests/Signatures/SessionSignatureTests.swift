// The signatures of the sessions and their delegates — CoreNFC NFCReaderSession, NFCNDEFReaderSession

import CoreNFC
import Testing

@Suite struct SessionSignatureTests {
    private class LeastDelegate: NSObject, NFCNDEFReaderSessionDelegate {
        var calls: [String] = []

        func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
            calls.append("didInvalidate \((error as? NFCReaderError)?.errorCode ?? 0)")
        }

        func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
            calls.append("didDetectNDEFs \(messages.count)")
        }
    }

    private final class MockSession: NSObject, NFCReaderSessionProtocol {
        var isReady = false
        var alertMessage = ""
        func begin() { isReady = true }
        func invalidate() { isReady = false }
        func invalidate(errorMessage: String) {
            alertMessage = errorMessage
            invalidate()
        }
    }

    private let delegate = LeastDelegate()
    private let queue = DispatchQueue(label: "signatures")

    private func makeSession() -> NFCNDEFReaderSession {
        NFCNDEFReaderSession(delegate: delegate, queue: queue, invalidateAfterFirstRead: true)
    }

    @Test func everySessionHasTheMembersOfTheBase() {
        pin({ NFCReaderSession.readingAvailable }, as: (() -> Bool).self)
        pin({ NFCNDEFReaderSession.readingAvailable }, as: (() -> Bool).self)
        pin(\.delegate, as: KeyPath<NFCReaderSession, AnyObject?>.self)
        pin(\.sessionQueue, as: KeyPath<NFCReaderSession, DispatchQueue>.self)
        pin(\.isReady, as: KeyPath<NFCReaderSession, Bool>.self)
        pin(\.alertMessage, as: ReferenceWritableKeyPath<NFCReaderSession, String>.self)
        pin(NFCReaderSession.begin, as: ((NFCReaderSession) -> () -> Void).self)
        pin(
            NFCReaderSession.invalidate as (NFCReaderSession) -> () -> Void, as: ((NFCReaderSession) -> () -> Void).self
        )
        pin(NFCReaderSession.invalidate(errorMessage:), as: ((NFCReaderSession) -> (String) -> Void).self)
        let session: NFCReaderSession = makeSession()
        #expect(session.delegate === delegate)
        #expect(session.sessionQueue === queue)
        #expect(session.alertMessage == "")
        #expect(!session.isReady)
    }

    @Test func aSessionIsItsProtocol() {
        for session: any NFCReaderSessionProtocol in [makeSession(), MockSession()] {
            session.alertMessage = "Hold"
            #expect(session.alertMessage == "Hold")
            #expect(!session.isReady)
            session.invalidate()
        }
        let mock: any NFCReaderSessionProtocol = MockSession()
        mock.begin()
        #expect(mock.isReady)
        mock.invalidate(errorMessage: "Over")
        #expect(mock.alertMessage == "Over")
    }

    @Test func anNDEFSessionIsMadeWithADelegateAQueueAndOneFlag() {
        pin(
            NFCNDEFReaderSession.init(delegate:queue:invalidateAfterFirstRead:),
            as: ((any NFCNDEFReaderSessionDelegate, DispatchQueue?, Bool) -> NFCNDEFReaderSession).self)
        pin(NFCNDEFReaderSession.restartPolling, as: ((NFCNDEFReaderSession) -> () -> Void).self)
        pin(
            NFCNDEFReaderSession.connect(to:completionHandler:),
            as: ((NFCNDEFReaderSession) -> (any NFCNDEFTag, @escaping Handler) -> Void).self)
        pin(
            NFCNDEFReaderSession.connect(to:),
            as: ((NFCNDEFReaderSession) -> (any NFCNDEFTag) async throws -> Void).self)
        let own = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false)
        #expect(own.sessionQueue !== queue)
        #expect(own.sessionQueue !== DispatchQueue.main)
    }

    @Test func twoOfTheDelegatesMethodsMayBeMissing() {
        let session = makeSession()
        let delegate: any NFCNDEFReaderSessionDelegate = delegate
        delegate.readerSessionDidBecomeActive(session)
        delegate.readerSession(session, didDetect: [any NFCNDEFTag]())
        delegate.readerSession(session, didDetectNDEFs: [])
        delegate.readerSession(session, didInvalidateWithError: NFCReaderError(.readerErrorRadioDisabled))
        #expect(self.delegate.calls == ["didDetectNDEFs 0", "didInvalidate 6"])
    }

    @Test func theSessionDoesNotKeepItsDelegate() {
        var delegate: LeastDelegate? = LeastDelegate()
        let session = delegate.map { NFCNDEFReaderSession(delegate: $0, queue: nil, invalidateAfterFirstRead: true) }
        #expect(session?.delegate != nil)
        delegate = nil
        #expect(session?.delegate == nil)
    }
}
