// Messages as lines of text, so that nothing from a tag can act on the terminal

import CoreNFC

extension NFCNDEFMessage {
    /// One line for a list.
    var summary: String {
        records.isEmpty ? "no records" : records.map(\.summary).joined(separator: " · ")
    }

    /// The whole message.
    var detail: String {
        let head = "\(length) bytes, \(records.count) \(records.count == 1 ? "record" : "records")"
        return ([head] + zip(1..., records).map { "\($0). \($1.detail)" }).joined(separator: "\n")
    }
}

extension NFCNDEFPayload {
    fileprivate var summary: String {
        if let url = wellKnownTypeURIPayload() { return url.absoluteString.printable }
        if let text = wellKnownTypeTextPayload().0 { return text.printable }
        return "\(typeNameFormat) \(String(decoding: type, as: UTF8.self).printable), \(payload.count) bytes"
    }

    fileprivate var detail: String {
        var lines = ["\(typeNameFormat), type \(String(decoding: type, as: UTF8.self).printable)"]
        if !identifier.isEmpty { lines.append("id \(String(decoding: identifier, as: UTF8.self).printable)") }
        if let url = wellKnownTypeURIPayload() { lines.append("URI \(url.absoluteString.printable)") }
        if case (let text?, let locale?) = wellKnownTypeTextPayload() {
            lines.append("text (\(locale.identifier.printable)) \(text.printable)")
        }
        lines.append("payload " + payload.map { String(format: "%02X", $0) }.joined(separator: " "))
        return lines.joined(separator: "\n   ")
    }
}

extension String {
    /// The text with escapes for characters that move the cursor, or change colours or the writing direction.
    var printable: String {
        unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: String(scalar)
            }
        }.joined()
    }
}

/// Prints a line immediately; `print` keeps lines until later if the output is a file or a pipe.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
