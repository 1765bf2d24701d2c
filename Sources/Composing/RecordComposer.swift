// Creates a message from record options — Docs/CommandLine.md, Records

public import NDEF

/// Creates records from options, one after the other.
public struct RecordComposer {
    private let language: String
    private var records: [NDEFRecord] = []
    /// The last smart poster and its index, because a title may follow, or nil if there is no smart poster yet.
    private var poster: (index: Int, content: SmartPosterRecord)?
    /// The Handover Select record for the devices so far, and its index, or nil if there are no devices yet.
    private var handover: (index: Int, content: HandoverRecord)?
    private var data = DataArgument()

    private init(language: String) { self.language = language }

    /// Returns the message that the options describe.
    ///
    /// Reads the files that the options name, and standard input if an option names it.
    public static func message(of options: [RecordOption], language: String) throws(RecordOptionError) -> NDEFMessage {
        guard !options.isEmpty else { throw .noRecords }
        var composer = RecordComposer(language: language)
        for option in options { try composer.add(option) }
        let message = NDEFMessage(records: composer.records)
        do throws(NDEFError) {
            _ = try message.encoded()
        } catch {
            throw .input(.notMessage(source: "The result of these options", error))
        }
        return message
    }

    private mutating func add(_ option: RecordOption) throws(RecordOptionError) {
        let (name, value, language) = (option.name, option.value, option.language ?? language)
        if let reason = LikelySlip(option)?.reason { throw .badValue(name, reason: reason) }
        switch name {
        case .text: try add(name, try TextRecord(text: value, language: language).record())
        case .uri: try add(name, try URIRecord(uri: Self.uri(value)).record())
        case .smartPoster: try addPoster(value)
        case .title: try addTitle(value, language)
        case .mime: try addMedia(option)
        case .external: try addExternal(option)
        case .app: try add(name, try Self.app(value).record())
        case .wifi:
            let text = try data.text(value, of: option)
            let isOfFile = DataArgument.namesFile(value, of: option)
            try add(name, try WiFiRecord(networks: [WiFiCredential(argument: text, isOfFile: isOfFile)]).record())
        case .bluetooth: try addDevice(value)
        case .vcard: try addCard(option)
        case .calendar:
            let data = try textBytes(of: option)
            try add(name, try MIMERecord(mimeType: "text/calendar", data: data).record())
        case .tel: try add(name, try URIRecord(tel: value).record())
        case .mail: try add(name, try URIRecord(mail: value).record())
        case .sms: try addShortMessage(value)
        case .geo: try addPlace(value)
        case .empty: records.append(NDEFRecord(tnf: .empty, type: [], payload: []))
        case .ndef: try addMessage(option)
        }
    }

    private mutating func add(
        _ name: RecordOption.Name, _ record: @autoclosure () throws(ContentError) -> NDEFRecord
    ) throws(RecordOptionError) {
        do throws(ContentError) {
            records.append(try record())
        } catch {
            throw .badValue(name, reason: error.reason)
        }
    }

    private static func uri(_ value: String) throws(ContentError) -> String {
        // A URI contains no braces, so the user probably meant a placeholder — RFC 3986, section 2.
        guard !value.contains(where: { $0 == "{" || $0 == "}" }) else {
            let near = MirrorPlaceholder.nearMiss(in: value)
            throw ContentError(
                near.map { "\($0.text) is not a placeholder; a chip fills in \($0.meant.rawValue)." }
                    ?? "A URI has no braces: write %7B and %7D. A chip shows {uid:mirror} and {counter:mirror}.")
        }
        return value
    }

    private static func app(_ value: String) throws(ContentError) -> AndroidApplicationRecord {
        let app = AndroidApplicationRecord(package: value)
        guard value.isEmpty || app.isPackageName else {
            throw ContentError(
                "“\(value)” is not a package name. Use the ID in the app's Play Store address, such as com.example.app."
            )
        }
        return app
    }

    private mutating func addPoster(_ value: String) throws(RecordOptionError) {
        try add(.smartPoster, try SmartPosterRecord(uri: Self.uri(value)).record())
        poster = (records.count - 1, SmartPosterRecord(uri: value))
    }

    private mutating func addTitle(_ value: String, _ language: String) throws(RecordOptionError) {
        guard let (index, untitled) = poster else { throw .titleWithoutPoster }
        let isNamed = untitled.titles.contains { $0.language.lowercased() == language.lowercased() }
        guard !isNamed else { throw .secondTitle(language: language) }
        var content = untitled
        content.titles.append(TextRecord(text: value, language: language))
        try add(.title, try content.record())
        records[index] = records.removeLast()
        poster = (index, content)
    }

    private mutating func addMedia(_ option: RecordOption) throws(RecordOptionError) {
        guard let (type, argument) = Self.mediaType(of: option.value) else {
            throw .badForm(.mime, form: "TYPE=DATA", example: "text/plain=Hello")
        }
        let data = try data.bytes(argument, of: option)
        try add(.mime, try MIMERecord(mimeType: type, data: data).record())
    }

    private mutating func addExternal(_ option: RecordOption) throws(RecordOptionError) {
        guard let (type, argument) = Self.assignment(option.value), let colon = type.firstIndex(of: ":") else {
            throw .badForm(.external, form: "DOMAIN:TYPE=DATA", example: "example.com:badge=hex:0A0B")
        }
        let data = try data.bytes(argument, of: option)
        let (domain, name) = (String(type[..<colon]), String(type[type.index(after: colon)...]))
        try add(.external, try ExternalRecord(domain: domain, type: name, data: data).record())
    }

    private mutating func addShortMessage(_ value: String) throws(RecordOptionError) {
        guard let (number, body) = Self.assignment(value) else {
            throw .badForm(.sms, form: "NUMBER=BODY", example: "'+49 30 1234=On my way'")
        }
        try add(.sms, try URIRecord(sms: number, body: body).record())
    }

    private mutating func addPlace(_ value: String) throws(RecordOptionError) {
        let parts = value.filter { $0 != " " }.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw .badForm(.geo, form: "LAT,LON", example: "52.5163,13.3777") }
        try add(.geo, try URIRecord(latitude: parts[0], longitude: parts[1]).record())
    }

    /// Returns the bytes of text, without the byte order mark that programs on Windows add to files — RFC 3629, section
    /// 6.
    private mutating func textBytes(of option: RecordOption) throws(RecordOptionError) -> [UInt8] {
        let bytes = try data.bytes(option.value, of: option)
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    private mutating func addCard(_ option: RecordOption) throws(RecordOptionError) {
        let bytes: [UInt8]
        if BusinessCard.isFields(option.value) {
            do throws(ContentError) {
                bytes = Array(try BusinessCard(fields: option.value).text.utf8)
            } catch {
                throw .badValue(.vcard, reason: error.reason)
            }
        } else {
            bytes = try textBytes(of: option)
        }
        try add(.vcard, try MIMERecord(mimeType: "text/vcard", data: bytes).record())
    }

    /// Adds a device.
    ///
    /// All devices are carriers of one Handover Select record — NFC Forum Connection Handover 1.5, section 6.
    private mutating func addDevice(_ value: String) throws(RecordOptionError) {
        let taken = Set(records.map(\.identifier))
        let reference = (0...records.count).lazy.map { Array("\($0)".utf8) }.first { !taken.contains($0) } ?? []
        do throws(ContentError) {
            var device = try BluetoothRecord(argument: value).record()
            device.identifier = reference
            var content = handover?.content ?? HandoverRecord(role: .select, version: 0x12, carriers: [])
            content.carriers.append(.init(reference: reference))
            let index = handover?.index ?? records.count
            let select = try content.record()
            if handover == nil { records.append(select) } else { records[index] = select }
            records.append(device)
            handover = (index, content)
        } catch {
            throw .badValue(.bluetooth, reason: error.reason)
        }
    }

    private mutating func addMessage(_ option: RecordOption) throws(RecordOptionError) {
        let bytes = try data.bytes(option.value, of: option)
        do throws(NDEFError) {
            records += try NDEFMessage(bytes: bytes).records
        } catch {
            throw .input(.notMessage(source: DataArgument.source(option.value, of: option), error))
        }
    }

    /// Returns the DATA in an option's value, even if the value is incomplete.
    ///
    /// Nil if the option has no DATA, or if the value ends before DATA.
    public static func data(in value: String, of name: RecordOption.Name) -> String? {
        switch name {
        case .mime: mediaType(of: value)?.data
        case .external: assignment(value)?.value
        case .vcard, .calendar, .ndef, .wifi: value
        default: nil
        }
    }

    /// Splits `KEY=VALUE` at the first `=` byte, or returns nil if there is none.
    private static func assignment(_ value: String) -> (key: String, value: String)? {
        value.utf8.firstIndex(of: UInt8(ascii: "=")).map { split(value, at: $0) }
    }

    /// Splits `TYPE=DATA`, or returns nil for any other value.
    ///
    /// The parameters of TYPE may contain `=`: `text/plain;charset=utf-8` (RFC 2045, section 5.1).
    private static func mediaType(of value: String) -> (type: String, data: String)? {
        var rest = value.utf8[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "=")) {
            guard rest[..<end].contains(UInt8(ascii: ";")) else { return split(value, at: end) }
            rest = rest[end...].dropFirst()
            let quote = UInt8(ascii: "\"")
            if rest.first == quote, let close = rest.dropFirst().firstIndex(of: quote) {
                rest = rest[close...].dropFirst()
            }
        }
        return nil
    }

    private static func split(_ value: String, at index: String.Index) -> (String, String) {
        (String(value.utf8[..<index]) ?? "", String(value.utf8[index...].dropFirst()) ?? "")
    }
}
