// The record options of `write`, `ndef encode` and `provision` — Docs/CommandLine.md, Records

import ArgumentParser
import Composing
import NDEF

/// The record options of a command, in the order of the command line.
struct RecordOptions: ParsableArguments {
    @Option(.text, "Text, in the language of --lang.", value: "text")
    var text: [String] = []

    @Option(
        name: .customLong("lang"),
        help: ArgumentHelp(
            "The language of the texts and titles that follow; if given once, of all of them. Default: en.",
            valueName: "tag"))
    private var languages: [String] = []

    /// The language of texts and titles before the first `--lang`.
    var language: String { languages.first ?? "en" }

    /// Whether `--lang` is given more than once.
    var hasSeveralLanguages: Bool { languages.count > 1 }

    @Option(.uri, "A URI, such as https://example.com.", value: "uri")
    var uri: [String] = []

    @Option(.smartPoster, "A URI with a title.", value: "uri")
    var smartPoster: [String] = []

    @Option(.title, "The title of the smart poster before it.", value: "text")
    var title: [String] = []

    @Option(
        .mime,
        "Data of a media type: text/plain=Hello. DATA, here and below, is text, @FILE, @- for stdin, or hex:0A0B.",
        value: "type=data")
    var mime: [String] = []

    @Option(.external, "Data of a type of your domain: example.com:badge=hex:0A0B.", value: "domain:type=data")
    var external: [String] = []

    @Option(.app, "An Android app to open, by its package name.", value: "package")
    var app: [String] = []

    @Option(
        .wifi,
        """
        A Wi-Fi network: 'ssid=Guests;password=secret 42', or @FILE or @- with the same text. Optional: auth (open, wpa, \
        wpa2, wpa-wpa2), encryption (none, tkip, aes) and hidden (accepted, but not stored in the record). In a value, \
        write ; as \\; and \\ as \\\\, and a comma before a name and = as \\,. Also accepts the text of a Wi-Fi QR code \
        (WIFI:...).
        """, value: "network")
    var wifi: [String] = []

    @Option(
        .bluetooth, "A Bluetooth device to pair with: '00:0D:3C:01:02:03;name=Headset'. Also adds a handover record.",
        value: "address")
    var bluetooth: [String] = []

    @Option(
        .vcard,
        """
        A business card (text/vcard): 'name=Ada Lovelace;tel=+44 20 1234;mail=ada@example.com'. Also accepts org, title, url, \
        address and note, or a complete vCard as DATA.
        """, value: "data")
    var vcard: [String] = []

    @Option(.calendar, "A calendar entry (text/calendar), such as @event.ics.", value: "data")
    var calendar: [String] = []

    @Option(.tel, "A number to call.", value: "number")
    var tel: [String] = []

    @Option(.mail, "An email to send: 'info@example.com;subject=Hello;body=Dear all'.", value: "address")
    var mail: [String] = []

    @Option(.sms, "A short message to send: '+49 30 1234=On my way'.", value: "number=body")
    var sms: [String] = []

    @Option(.geo, "A place in degrees: 52.5163,13.3777; south and west are negative.", value: "lat,lon")
    var geo: [String] = []

    @Flag(help: "An empty record.")
    var empty: Int

    @Option(
        .ndef, "The records of a whole message. DATA, here and above, is text, @FILE, @- for stdin, or hex:0A0B.",
        value: "data")
    var ndef: [String] = []

    /// Returns the options in the order of the command line.
    ///
    /// - Parameter arguments: the words of the command line, as they were parsed.
    /// - Returns: each option with its value. An option that is given twice is returned twice.
    /// - Throws: ``RecordOptionError/orderLost`` if the words and the parsed options differ, because the order is never
    ///   guessed; ``RecordOptionError/noValue(_:)`` for an option without its value.
    func inOrder(arguments: [String] = CommandLine.arguments) throws(RecordOptionError) -> [RecordOption] {
        let options = try RecordOption.all(in: arguments)
        let found = Dictionary(grouping: options, by: \.name).mapValues { $0.map(\.value) }
        guard found == values.filter({ !$0.value.isEmpty }) else { throw .orderLost }
        return options
    }

    /// Returns the message that the options describe.
    ///
    /// Reads the files that the options name, and standard input if an option names it.
    ///
    /// - Throws: ``RecordOptionError``, also for a placeholder that only a chip could fill in.
    func message(arguments: [String] = CommandLine.arguments) throws(RecordOptionError) -> NDEFMessage {
        let options = try inOrder(arguments: arguments)
        if try MirrorPlaceholder.content(of: options) != nil { throw .placeholderWithoutTag }
        return try RecordComposer.message(of: options, language: language)
    }

    /// Returns the records for a tag whose chip may show values in them.
    func mirrored() throws(RecordOptionError) -> MirroredRecords {
        try MirroredRecords(inOrder(), language: language)
    }

    /// Shows notices about values that are used unchanged but were probably meant differently.
    ///
    /// Set `areTemplates` for a plan, because its placeholders are filled in for each row.
    func showNotices(_ output: OutputOptions, areTemplates: Bool = false) throws {
        try showNotices(Warning(output), areTemplates: areTemplates)
    }

    /// Shows notices about values that are used unchanged but were probably meant differently.
    func showNotices(_ warning: Warning, areTemplates: Bool = false) throws {
        for notice in RecordNotice.all(on: try inOrder(), areTemplates: areTemplates) {
            warning.show(notice.message)
        }
    }

    /// The values that the parser collected, by option.
    private var values: [RecordOption.Name: [String]] {
        [
            .text: text, .uri: uri, .smartPoster: smartPoster, .title: title, .mime: mime, .external: external,
            .app: app,
            .wifi: wifi, .bluetooth: bluetooth, .vcard: vcard, .calendar: calendar, .tel: tel, .mail: mail, .sms: sms,
            .geo: geo, .ndef: ndef,
            .empty: Array(repeating: "", count: empty),
        ]
    }
}

extension Option where Value == [String] {
    /// Creates a record option that can be repeated.
    ///
    /// Its value is always the next word, even a word that begins with a hyphen, as in `--geo -33.9,151.2`.
    fileprivate init(wrappedValue: [String], _ name: RecordOption.Name, _ abstract: String, value: String) {
        self.init(
            wrappedValue: wrappedValue, name: .customLong(name.rawValue), parsing: .unconditionalSingleValue,
            help: ArgumentHelp(abstract, valueName: value))
    }
}
