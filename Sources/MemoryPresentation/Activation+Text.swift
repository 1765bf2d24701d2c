// The activation data of a tag in one line — Docs/CommandLine.md, info

import Hexadecimal
package import ReaderInterface
import TagTypes

extension Target {
    /// The activation data in one line, or nil if the tag sends only its identifier.
    package var activationText: String? {
        let parts = activation.map { "\($0.field.label) \($0.bytes.hex)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The activation data for JSON, with the names of ``ActivationField``.
    package var activationObject: [String: String] {
        Dictionary(uniqueKeysWithValues: activation.map { ($0.field.rawValue, $0.bytes.hex) })
    }
}

extension ActivationField {
    fileprivate var label: String {
        switch self {
        case .atqa: "ATQA"
        case .sak: "SAK"
        case .ats: "ATS"
        case .historicalBytes: "historical bytes"
        case .atqb: "ATQB"
        case .pmm: "PMm"
        case .systemCode: "system code"
        }
    }
}
