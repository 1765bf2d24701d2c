// What apps subclass for their tests: a session that finds what it is given, and a record with a meaning
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.

import CoreNFC

class MockSession: NFCTagReaderSession, @unchecked Sendable {
    var found = [NFCTag]()
    weak var mockDelegate: NFCTagReaderSessionDelegate?
    private(set) var endings = [String]()

    override func begin() {
        mockDelegate?.tagReaderSessionDidBecomeActive(self)
        mockDelegate?.tagReaderSession(self, didDetect: found)
    }

    override func invalidate() { endings.append("") }

    override func invalidate(errorMessage: String) { endings.append(errorMessage) }
}

class MockMessageSession: NFCNDEFReaderSession, @unchecked Sendable {
    override func begin() {
        (delegate as? NFCNDEFReaderSessionDelegate)?
            .readerSession(self, didDetectNDEFs: [NFCNDEFMessage(records: [Ticket(number: 7)])])
    }
}

class Ticket: NFCNDEFPayload, @unchecked Sendable {
    init(number: Int) {
        super.init(
            format: .nfcExternal, type: Data("example.com:ticket".utf8), identifier: Data(),
            payload: Data("\(number)".utf8))
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    override var description: String { "Ticket \(String(data: payload, encoding: .utf8) ?? "")" }
}

/// A record class that adds nothing but its name.
class Link: NFCNDEFPayload, @unchecked Sendable {}
