// Changes to an NTAG 424 DNA, shown to people before they agree, and reported to programs afterwards

import Hexadecimal
package import SafeTag
package import TagTypes
import Terminal

/// Descriptions of changes to an NTAG 424 DNA.
///
/// Lines are escaped.
package enum DynamicFacts {
    /// Describes the effect of a set-up.
    package static func text(_ draft: SDMSetupDraft) -> String {
        let wanted = draft.wanted
        let writing = wanted.rights.write == .free ? "anyone can write it" : "writing it needs key 0"
        return [
            draft.replacesMessage
                ? "The message becomes  \(TerminalText.escaped(draft.address))" : "The message stays the same.",
            wanted.dynamic.map { "The tag fills in: \(FileWords.dynamic($0).joined(separator: "; "))." },
            "Anyone can read the message; \(writing); changing these settings needs \(FileWords.access(wanted.rights.change)).",
            draft.restartsCounter
                ? "The tap counter starts at 0 again. Inform everyone who compares counters." : nil,
            draft.changes ? nil : "Each tap gives the same URL, which can be copied: use {picc} or {counter}.",
            draft.hasFactoryKeys
                ? "A factory key is still in use, so anyone can forge these URLs. To change the keys: nfctool sdm keys"
                : nil,
            sharedKeys(draft.alsoChanging),
        ].compactMap(\.self).joined(separator: "\n")
    }

    /// Describes the effect of a change of keys.
    package static func text(_ draft: KeyChangeDraft) -> String {
        let further = [
            draft.done.isEmpty ? nil : "The tag already has: \(list(draft.done)).",
            draft.staying.isEmpty ? nil : "These keys stay as they are: \(list(draft.staying)).",
            sharedKeys(draft.alsoChanging),
        ]
        return
            ([
                "These keys will be changed, in this order: \(list(draft.pending)). Their version becomes "
                    + "\(draft.version).",
                "A tag whose keys are lost can no longer be changed. Keep the file, and keep the old one until all keys are changed.",
            ] + further.compactMap(\.self)).joined(separator: "\n")
    }

    /// Describes the effect of a reset.
    package static func text(_ draft: DynamicResetDraft) -> String {
        let files = draft.files.keys.sorted().map { "file \($0)" }
        let changes = files + (draft.keys.pending.isEmpty ? [] : ["keys \(list(draft.keys.pending)), to zeros"])
        return """
            These will be changed, in this order: \(changes.joined(separator: ", ")).
            After that, the tag fills in nothing, and anyone can write it and change its keys. The content of its files stays the same.
            """
    }

    /// Describes the result of a change of keys.
    package static func outcome(_ draft: KeyChangeDraft) -> String {
        let tag = "NTAG 424 DNA \(draft.uid.hex)"
        guard !draft.pending.isEmpty else { return "\(tag) already has these keys; nothing was changed." }
        return "Changed keys \(list(draft.pending)) of \(tag) to version \(draft.version), each verified."
    }

    /// Describes the risk if these keys, which verify URLs, are the same as key 0.
    ///
    /// Returns nil if there are none.
    package static func sharedKeys(_ numbers: [Int]) -> String? {
        guard !numbers.isEmpty else { return nil }
        let keys = numbers.count == 1 ? "Key \(numbers[0]) is" : "Keys \(list(numbers, last: " and ")) are"
        return "\(keys) the same as key 0, so everyone who can verify URLs can also change the tag. "
            + "Use another key 0."
    }

    private static func list(_ numbers: [Int], last separator: String = ", ") -> String {
        let words = numbers.map(String.init)
        return [words.dropLast().joined(separator: ", "), words.last ?? ""].filter { !$0.isEmpty }
            .joined(separator: separator)
    }
}

/// Descriptions of the settings of a file.
package enum FileWords {
    /// Describes who has access.
    package static func access(_ access: FileAccess) -> String {
        switch access {
        case .key(let number): "key \(number)"
        case .free: "no key"
        case .never: "never allowed"
        }
    }

    /// Describes briefly who has access through any of these rights: `free`, `key 0 or 3`, `never`.
    static func who(_ rights: FileAccess...) -> String {
        if rights.contains(.free) { return "free" }
        let keys = rights.compactMap { if case .key(let number) = $0 { number } else { nil } }
        return keys.isEmpty ? "never" : "key " + Set(keys).sorted().map(String.init).joined(separator: " or ")
    }

    /// Describes what the settings of a file allow.
    package static func settings(_ settings: NativeFileSettings) -> String {
        let rights = settings.rights
        let size = settings.size.map { "\($0) bytes, " } ?? ""
        let communication =
            switch settings.communication {
            case .plain: "plain"
            case .mac: "authenticated"
            case .full: "encrypted"
            }
        return
            "\(kind(settings.kind)), \(size)\(communication); read: \(access(rights.read)), write: \(access(rights.write)), "
            + "both: \(access(rights.readWrite)), settings: \(access(rights.change))"
    }

    /// Describes the kind of a file.
    package static func kind(_ kind: NativeFileSettings.Kind) -> String {
        switch kind {
        case .standardData: "data"
        case .backupData: "data with backup"
        case .value: "value"
        case .linearRecord: "records"
        case .cyclicRecord: "cyclic records"
        case .transactionMAC: "transaction MAC"
        }
    }

    /// Describes the data that the tag fills in, and its position.
    package static func dynamic(_ settings: DynamicSettings) -> [String] {
        func place(_ offset: Int?) -> String { offset.map { " at byte \($0)" } ?? "" }
        var words: [String] = []
        if settings.metaRead.isKey {
            let what = [settings.hasUID ? "UID" : nil, settings.hasCounter ? "counter" : nil].compactMap(\.self)
            words.append(
                "\(what.joined(separator: " and ")) encrypted with \(access(settings.metaRead))\(place(settings.piccOffset))"
            )
        }
        if let offset = settings.uidOffset { words.append("the UID\(place(offset))") }
        if let offset = settings.counterOffset { words.append("the counter\(place(offset))") }
        if let data = settings.fileData {
            words.append(
                "\(data.count / 2) characters encrypted with \(access(settings.fileRead))\(place(data.lowerBound))")
        }
        if settings.macOffset != nil {
            // If it covers no part of the file, it covers only UID and counter.
            let start =
                settings.macInputOffset.flatMap {
                    $0 == settings.macOffset ? nil : " over the data from byte \($0)"
                } ?? ""
            words.append("a MAC with \(access(settings.fileRead))\(place(settings.macOffset))\(start)")
        }
        if let limit = settings.limit { words.append("nothing after tap \(limit)") }
        return words
    }
}
