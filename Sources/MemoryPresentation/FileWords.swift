// The settings of files on a DESFire or an NTAG 424 DNA, in words

import TagTypes

enum FileWords {
    static func access(_ access: FileAccess) -> String {
        switch access {
        case .key(let number): "key \(number)"
        case .free: "no key"
        case .never: "never allowed"
        }
    }

    /// Describes briefly who has access with any of these rights: `free`, `key 0 or 3`, `never`.
    static func who(_ rights: FileAccess...) -> String {
        if rights.contains(.free) { return "free" }
        let keys = rights.compactMap { if case .key(let number) = $0 { number } else { nil } }
        return keys.isEmpty ? "never" : "key " + Set(keys).sorted().map(String.init).joined(separator: " or ")
    }

    static func settings(_ settings: NativeFileSettings) -> String {
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

    static func kind(_ kind: NativeFileSettings.Kind) -> String {
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
    static func dynamic(_ settings: DynamicSettings) -> [String] {
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
            // A MAC that covers no part of the file still covers the UID and the counter.
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
