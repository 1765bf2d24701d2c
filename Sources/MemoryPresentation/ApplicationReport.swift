// Applications and files of a DESFire or an NTAG 424 DNA, for display and JSON — Docs/JSON.md, Info

import Hexadecimal
import TagTypes

struct ApplicationReport: Encodable {
    let identifier: String?
    let keySettings: String?
    let keyCount: Int?
    let keyType: String?
    let keyVersions: [UInt8]?
    let files: [NativeFileReport]?

    init(_ application: MemoryMap.Application) {
        identifier = application.identifier.map(ApplicationWords.identifier)
        keySettings = application.keySettings.map(\.hex)
        (keyCount, keyType) = (application.keyCount, application.keyType.map { "\($0)" })
        keyVersions = application.keyVersions.isEmpty ? nil : application.keyVersions
        files = application.files?.map { NativeFileReport($0.number, $0.settings) }
    }
}

/// A file in JSON, with its settings if the card reports them.
struct NativeFileReport: Encodable {
    let number: UInt8
    let kind: String?
    let size: Int?
    let communication: String?
    let read: String?
    let write: String?
    let readWrite: String?
    let change: String?
    let dynamic: [String]?

    init(_ number: UInt8, _ settings: NativeFileSettings?) {
        self.number = number
        (kind, size) = (settings.map { "\($0.kind)" }, settings?.size)
        communication = settings.map { "\($0.communication)" }
        (read, write) = (settings.map { Self.word($0.rights.read) }, settings.map { Self.word($0.rights.write) })
        readWrite = settings.map { Self.word($0.rights.readWrite) }
        change = settings.map { Self.word($0.rights.change) }
        dynamic = settings?.dynamic.map(FileWords.dynamic)
    }

    private static func word(_ access: FileAccess) -> String {
        switch access {
        case .key(let number): "key\(number)"
        case .free: "free"
        case .never: "never"
        }
    }
}

enum ApplicationWords {
    /// Returns the AID as text, high byte first.
    static func identifier(_ identifier: UInt32) -> String {
        [16, 8, 0].map { UInt8(truncatingIfNeeded: identifier >> $0) }.hex
    }

    /// Returns lines of text: one for the card, and one for each application, followed by one for each of its files.
    static func lines(_ applications: [MemoryMap.Application], freeMemory: Int?) -> [String] {
        applications.flatMap { application -> [String] in
            let name: String
            switch application.identifier {
            case 0?: name = "Card"
            case let identifier?: name = "Application \(Self.identifier(identifier))"
            case nil: name = "Application"
            }
            let free = application.identifier == 0 ? freeMemory.map { "\($0) bytes free" } : nil
            let facts = [free, keys(application)].compactMap(\.self) + settings(application)
            let head = "\(name): \(facts.joined(separator: ", "))"
            return [head] + (application.files ?? []).flatMap(lines)
        }
    }

    private static func lines(_ file: MemoryMap.Application.File) -> [String] {
        guard let settings = file.settings else { return ["  File \(file.number): shown only with its key"] }
        let dynamic = settings.dynamic.map(FileWords.dynamic) ?? []
        return ["  File \(file.number): \(FileWords.settings(settings))"] + dynamic.map { "    fills in \($0)" }
    }

    private static func keys(_ application: MemoryMap.Application) -> String? {
        guard let count = application.keyCount else { return nil }
        let type =
            switch application.keyType {
            case .des?: "DES or 2-key 3DES "
            case .tripleDES3K?: "3-key 3DES "
            case .aes?: "AES "
            case nil: ""
            }
        let versions = application.keyVersions.map(String.init).joined(separator: ", ")
        return "\(count) \(type)\(count == 1 ? "key" : "keys")" + (versions.isEmpty ? "" : " (versions \(versions))")
    }

    /// Returns descriptions of what the key settings allow.
    private static func settings(_ application: MemoryMap.Application) -> [String] {
        guard application.keySettings != nil else {
            return application.identifier == nil ? [] : ["key settings shown only with its key"]
        }
        let what = application.identifier == 0 ? "applications" : "files"
        func clause(_ isFree: Bool?, _ verb: String) -> String {
            "\(what) \(verb) \(isFree == true ? "without a key" : "with the master key")"
        }
        let words: [String?] = [
            clause(application.listsFreely, "listed"), clause(application.createsFreely, "created"),
            application.canChangeMasterKey == true ? nil : "master key frozen",
            application.canChangeSettings == true ? nil : "settings frozen",
        ]
        return words.compactMap(\.self)
    }
}
