// The state of an NTAG 424 DNA for display and JSON, and reports of changes — Docs/JSON.md, sdm

import Hexadecimal
package import SafeTag
import SecureDynamicMessaging
import TagTypes

package struct DynamicPresentation: Encodable {
    private static let names: [UInt8: String] = [1: "capability container", 2: "NDEF", 3: "proprietary"]

    private let status: DynamicStatus

    package init(_ status: DynamicStatus) { self.status = status }

    package var text: String {
        var lines = ["NTAG 424 DNA \(status.uid.hex)"]
        for file in status.files {
            lines.append("File \(file.number)  \(Self.names[file.number] ?? ""): \(FileWords.settings(file.settings))")
            guard let dynamic = file.settings.dynamic else { continue }
            lines += FileWords.dynamic(dynamic).map { "        fills in \($0)" }
            lines.append("        reading the counter with a command: \(FileWords.access(dynamic.counterRetrieval))")
        }
        for (number, version) in status.keyVersions.enumerated() {
            let known = status.isKeyRight[number].map { $0 ? ", as in the file" : ", different from the file" } ?? ""
            lines.append("Key \(number)   version \(version)\(known)")
        }
        if let counter = status.counter { lines.append("Taps    \(counter)") }
        return lines.joined(separator: "\n")
    }

    private enum Key: CodingKey {
        case schema, uid, files, keys, counter
    }

    private struct KeyReport: Encodable {
        let number: Int
        let version: UInt8
        let isRight: Bool?
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode(status.uid.hex, forKey: .uid)
        try container.encode(status.files.map { NativeFileReport($0.number, $0.settings) }, forKey: .files)
        let keys = status.keyVersions.enumerated().map {
            KeyReport(number: $0, version: $1, isRight: status.isKeyRight[$0])
        }
        try container.encode(keys, forKey: .keys)
        try container.encodeIfPresent(status.counter, forKey: .counter)
    }
}

package struct SDMSetupReport: Encodable {
    private let schema = 1
    private let uid: String
    private let url: String
    private let counter: Int?
    private let changed: Bool

    package init(_ proof: SDMProof) {
        (uid, url, counter, changed) = (proof.reading.uid, proof.address, proof.tap.counter, !proof.wasDone)
    }
}

package struct KeyChangeReport: Encodable {
    private let schema = 1
    private let uid: String
    private let changed: [Int]
    private let unchanged: [Int]
    private let version: UInt8

    package init(_ draft: KeyChangeDraft) {
        (uid, changed, unchanged, version) = (draft.uid.hex, draft.pending, draft.done, draft.version)
    }
}

package struct DynamicResetReport: Encodable {
    private let schema = 1
    private let uid: String
    private let changedFiles: [UInt8]
    private let changedKeys: [Int]

    package init(_ draft: DynamicResetDraft) {
        (uid, changedFiles, changedKeys) = (draft.keys.uid.hex, draft.files.keys.sorted(), draft.keys.pending)
    }
}
