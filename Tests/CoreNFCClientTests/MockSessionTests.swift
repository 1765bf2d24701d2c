// Sessions and records that an app's tests subclass work like the originals

import CoreNFC
import Testing

extension ClientTests {
    @Suite struct MockSessionTests {
        final class Recorder: NSObject, NFCTagReaderSessionDelegate, NFCNDEFReaderSessionDelegate {
            var events = [String]()

            func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) { events.append("active") }
            func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {}
            func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
                events.append("\(tags.count) tags")
                session.invalidate(errorMessage: "Done")
            }
            func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {}
            func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
                events += messages.flatMap(\.records).map(\.description)
            }
        }

        @Test func aSubclassOfATagSessionIsMadeAsTheSessionIs() throws {
            let recorder = Recorder()
            let session = try #require(MockSession(pollingOption: .iso14443, delegate: recorder))
            #expect(MockSession(pollingOption: [], delegate: recorder, queue: nil) == nil)
            session.mockDelegate = recorder
            session.begin()
            #expect(recorder.events == ["active", "0 tags"])
            #expect(session.endings == ["Done"])
        }

        @Test func aSubclassOfAMessageSessionHasTheDelegateItWasGiven() {
            let recorder = Recorder()
            MockMessageSession(delegate: recorder, queue: nil, invalidateAfterFirstRead: true).begin()
            #expect(recorder.events == ["Ticket 7"])
        }

        @Test func aRecordMadeByItsSubclassIsOne() throws {
            let link: Link = try #require(Link.wellKnownTypeURIPayload(string: "https://example.com"))
            #expect(link.wellKnownTypeURIPayload() == URL(string: "https://example.com"))
            #expect(link.payload == Data([0x04]) + Data("example.com".utf8))
            let text: Ticket? = Ticket.wellKnownTypeTextPayload(string: "A", locale: Locale(identifier: "de"))
            #expect(text?.payload == Data([2] + "deA".utf8))
            #expect(Ticket(number: 8).description == "Ticket 8")
        }
    }
}
