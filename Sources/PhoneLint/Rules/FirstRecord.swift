// Android uses the first record — Android, NFC basics, "How NFC tags are mapped to MIME types and URIs"

import NDEF

/// A first record for which Android opens nothing, or for which it needs a suitable app.
struct FirstRecord: Rule {
    let name = "firstRecord"
    let evidence = "https://developer.android.com/develop/connectivity/nfc/nfc"

    /// The media types that Android opens without an additional app.
    ///
    /// Wi-Fi settings are not listed, because they are decoded as another kind of content.
    private static let systemTypes: Set<String> = ["text/vcard", "text/x-vcard"]

    /// The schemes for scripts and for data on the phone itself.
    ///
    /// No app registers them for tags (from memory).
    private static let localSchemes: Set<String> = ["about", "content", "data", "file", "javascript"]

    func findings(in subject: Subject) -> [Finding] {
        [openedFirst(in: subject), laterDevice(in: subject)].compactMap(\.self)
    }

    /// Returns a finding for a Bluetooth record that is not the first record: Android does not offer to connect the
    /// device.
    ///
    /// Source: AOSP, HandoverDataParser (from memory).
    private func laterDevice(in subject: Subject) -> Finding? {
        let hasDevice = subject.records.contains { if case .bluetooth = $0.content { true } else { false } }
        guard
            let device = subject.records.first(where: {
                switch $0.content {
                case .handover(let handover): handover.role == .select && hasDevice
                case .bluetooth: true
                default: false
                }
            }), device.number > 1
        else { return nil }
        return finding(
            .warning, [.android],
            "Android uses only the first record, so it does not offer the Bluetooth device in record \(device.number).",
            advice: "Put the device first.", record: device.number)
    }

    /// Returns a finding for the first record, if Android opens nothing for it or needs an app to open it.
    private func openedFirst(in subject: Subject) -> Finding? {
        guard let first = subject.records.first else { return nil }
        if let link = subject.links.first, link.number > 1, subject.apps.isEmpty, first.content != .empty {
            return finding(
                .warning, [.android],
                "Android uses only the first record, so it does not open the URI in record \(link.number).",
                advice: "Put the URI first.", record: link.number)
        }
        guard subject.apps.isEmpty else { return nil }
        if let link = subject.links.first, link.number == 1, let scheme = URIScheme(of: link.uri),
            Self.localSchemes.contains(scheme.name)
        {
            return finding(
                .error, [.android], "Android does not open \(scheme.name): from tags.",
                advice: "Put the content on the web, and write its https:// address.", record: 1)
        }
        switch first.content {
        case .text:
            return finding(
                .hint, [.android],
                "Android opens nothing for a Text record; at most it shows the text in its tag viewer.",
                advice: "To open something, put a URI first.", record: 1)
        case .mime(let media) where !Self.systemTypes.contains(media.mimeType.lowercased()):
            return needsApp(media.mimeType)
        case .external(let external): return needsApp("\(external.domain):\(external.type)")
        default: return nil
        }
    }

    private func needsApp(_ type: String) -> Finding {
        finding(
            .hint, [.android], "Android opens \(type) only if an app on the phone handles it.",
            advice: "Name the app, so that Android offers to install it: --app PACKAGE, as the last record.", record: 1)
    }
}
