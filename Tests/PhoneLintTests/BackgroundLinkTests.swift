// The link in a message that an iPhone opens — Apple, Adding support for background tag reading

import NDEF
import PhoneLint
import Testing

@Suite struct BackgroundLinkTests {
    static let opened = [
        "https://example.com", "http://example.com", "HTTPS://EXAMPLE.COM", "mailto:a@example.com", "sms:+491234",
        "tel:+491234", "facetime://a@example.com", "facetime-audio://a@example.com", "X-HM://0023ISYWY",
    ]
    static let closed = [
        "myapp://open", "geo:52.5,13.3", "shortcuts://run", "file:///etc/passwd", "javascript:alert(1)", "ftp://x", "",
        "example.com", "example.com:8080/x", ":", "-n", "httpsx://example.com",
    ]

    @Test(arguments: opened) func documentedSchemesAreOpened(_ uri: String) {
        let link = BackgroundLink(in: NDEFMessage(records: [.uri(uri)]))
        #expect(link?.uri == uri)
        #expect(link?.isOpened == true)
    }

    @Test(arguments: closed) func othersAreNot(_ uri: String) {
        #expect(BackgroundLink(in: NDEFMessage(records: [.uri(uri)]))?.isOpened == false)
    }

    @Test func theFirstURIRecordCountsWhereverItIs() {
        let message = NDEFMessage(records: [.text("Hello"), .uri("tel:+491234"), .page])
        #expect(BackgroundLink(in: message)?.uri == "tel:+491234")
    }

    @Test func aSecondURIRecordIsNoWayOut() {
        #expect(BackgroundLink(in: NDEFMessage(records: [.uri("myapp://open"), .page]))?.isOpened == false)
    }

    @Test func nothingElseIsAURIRecord() {
        let message = NDEFMessage(records: [.text("https://example.com"), .empty, .app("com.example.app")])
        #expect(BackgroundLink(in: message) == nil)
        #expect(BackgroundLink(in: NDEFMessage(records: [])) == nil)
    }
}
