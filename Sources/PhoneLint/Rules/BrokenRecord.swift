// Records whose content violates the definition of their type — NFC Forum record type definitions

import NDEF

struct BrokenRecord: Rule {
    let name = "brokenRecord"
    let evidence = "NFC Forum record type definitions (Text, URI, Smart Poster)"

    func findings(in subject: Subject) -> [Finding] {
        subject.records.flatMap { part -> [Finding] in
            switch part.content {
            case .malformed(let reason):
                return [
                    finding(
                        .error, Phone.allCases, "The record is broken: \(reason)",
                        advice: "Create it again; `nfctool ndef decode` shows its bytes.", record: part.number)
                ]
            case .smartPoster(let poster):
                return poster.others.compactMap { other in
                    guard case .malformed(let reason) = other.content else { return nil }
                    return finding(
                        .warning, Phone.allCases, "A record inside the smart poster is broken: \(reason)",
                        advice: "Create the poster again: --smart-poster URI --title TEXT.", record: part.number)
                }
            default: return []
            }
        }
    }
}
