// Text and URI records — CoreNFC, NFCNDEFPayload convenience methods; NFC Forum RTD Text, RTD URI

public import Foundation
import NDEF

extension NFCNDEFPayload {
    /// Creates a URI record from text, which may contain characters that `URL` refuses.
    ///
    /// Returns nil if the text is empty.
    public class func wellKnownTypeURIPayload(string uri: String) -> Self? {
        guard !uri.isEmpty else { return nil }
        return wellKnown(URIRecord(uri: uri).record())
    }

    /// Creates a URI record.
    ///
    /// Known prefixes such as `https://www.` take one byte. Returns nil if the URL is empty.
    public class func wellKnownTypeURIPayload(url: URL) -> Self? {
        wellKnownTypeURIPayload(string: url.absoluteString)
    }

    /// Creates a text record in UTF-8, in the locale's language (English if the locale has none).
    ///
    /// Returns nil if the record cannot be created. iOS writes UTF-16 here, which many readers do not support.
    public class func wellKnownTypeTextPayload(string text: String, locale: Locale) -> Self? {
        let language = locale.language.languageCode?.identifier ?? "en"
        guard let record = try? TextRecord(text: text, language: language).record() else { return nil }
        return wellKnown(record)
    }

    /// The misspelt name of ``wellKnownTypeTextPayload(string:locale:)`` from Apple's first SDK.
    @available(*, deprecated, renamed: "wellKnownTypeTextPayload(string:locale:)")
    public class func wellKnowTypeTextPayload(string text: String, locale: Locale) -> Self? {
        wellKnownTypeTextPayload(string: text, locale: locale)
    }

    /// Returns the URI of a URI record.
    ///
    /// Nil for any other record, or if the text is not a URL.
    public func wellKnownTypeURIPayload() -> URL? {
        guard case .uri(let content) = record.content, !content.uri.isEmpty else { return nil }
        return URL(string: content.uri)
    }

    /// Returns the text and language of a text record.
    ///
    /// `(nil, nil)` for any other record, or if the record cannot be decoded.
    public func wellKnownTypeTextPayload() -> (String?, Locale?) {
        guard case .text(let content) = record.content else { return (nil, nil) }
        return (content.text, Locale(identifier: content.language))
    }

    private class func wellKnown(_ record: NDEFRecord) -> Self? { self.init(coder: RecordCoder(record)) }
}
