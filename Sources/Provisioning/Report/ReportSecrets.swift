// The values of a row that no report shows: passwords of tags and networks — Docs/Provisioning.md, Passwords in reports

import Composing
import Foundation
import NDEF
import TextBytes

/// Determines which cells of a plan contain secrets, and hides them.
///
/// The following cells are hidden: the column `password`; columns whose names look like those of a password, a key
/// or a PIN, unless a template uses them; and columns used in the password of a `--wifi` template. The password of a
/// network that any cell describes is hidden wherever it occurs in the row.
struct ReportSecrets: Sendable {
    static let mask = "•••"

    /// The names of the columns that templates use.
    ///
    /// Such a name does not by itself make its column secret.
    private let used: Set<String>
    /// The names of the columns used in a network's password.
    private let ofPasswords: Set<String>
    private let networks: [Network]

    /// A source that describes a network for each row.
    private struct Network {
        /// The template that describes the network, or nil if the column `wifi` does.
        let template: Template?
        /// The columns whose cells may contain the name of a part of the description, such as `password=`.
        ///
        /// The list is empty if the template itself names all parts.
        let columns: [String]
    }

    init(of plan: PlanIdentity) {
        let templates = plan.recipe.compactMap(Self.template)
        used = Set(templates.flatMap(\.columns))
        let networks = templates.filter(\.describesNetwork).map { (template: $0, columns: $0.networkColumns) }
        ofPasswords = Set(networks.flatMap(\.columns.ofPassword))
        let wifi = RecordOption.Name.wifi.rawValue
        self.networks =
            templates.isEmpty
            ? [Network(template: nil, columns: [wifi])]
            : networks.map { Network(template: $0.template, columns: $0.columns.open) }
    }

    func hide(in row: PlanRow) -> PlanRow {
        var fields = row.fields
        // An empty cell stays empty: it shows which rows have no secret.
        for index in fields.indices where !fields[index].value.isEmpty && isSecret(fields[index].name) {
            fields[index] = PlanField(name: fields[index].name, value: Self.mask)
        }
        var keys: Set<String> = []
        for network in networks {
            hide(network, of: row, in: &fields)
            if let template = network.template { keys.formUnion(Self.keys(in: Self.text(template, of: row))) }
        }
        for index in fields.indices {
            let cell = row.fields[index].value
            keys.formUnion(Self.keys(in: cell))
            guard fields[index].value == cell, Self.isLikeNetwork(cell) else { continue }
            fields[index] = PlanField(name: fields[index].name, value: Self.hide(passwordIn: cell))
        }
        for index in fields.indices where fields[index].value != Self.mask {
            fields[index] = PlanField(name: fields[index].name, value: Self.hide(keys, in: fields[index].value))
        }
        return PlanRow(number: row.number, line: row.line, fields: fields)
    }

    static func hide(inRecipe line: String) -> String {
        guard let template = template(line), template.describesNetwork else { return line }
        let option = RecordOption.Name.wifi.option + " "
        return option + hide(passwordIn: String(line.dropFirst(option.count)))
    }

    private func hide(_ network: Network, of row: PlanRow, in fields: inout [PlanField]) {
        let places = fields.indices.filter { network.columns.contains(fields[$0].name) && !isSecret(fields[$0].name) }
        guard let first = places.first else { return }
        let cells = places.map { row.fields[$0].value }
        let hidden: [String]
        if let template = network.template {
            hidden = Self.hide(passwordOf: Self.text(template, of: row), in: cells)
        } else {
            hidden = [cells[0].isEmpty ? "" : Self.hide(passwordIn: cells[0])]
        }
        for (place, value) in zip(network.template == nil ? [first] : places, hidden) {
            fields[place] = PlanField(name: fields[place].name, value: value)
        }
    }

    private static func hide(passwordIn text: String) -> String { hide(passwordOf: text, in: [text])[0] }

    /// Hides a network's password in all cells that contain it.
    ///
    /// If no cell contains the password, all cells are hidden.
    private static func hide(passwordOf text: String, in cells: [String]) -> [String] {
        let everything = cells.map { _ in mask }
        guard let network = try? WiFiCredential(argument: text) else { return everything }
        guard let key = network.networkKey, !key.isEmpty else { return cells }
        let plain = String(decoding: key, as: UTF8.self)
        let hidden = cells.map { hide([plain], in: $0) }
        return hidden == cells ? everything : hidden
    }

    private static func hide(_ keys: Set<String>, in cell: String) -> String {
        // Replace the longest form first, because a shorter one may be part of it.
        let forms = keys.flatMap(written).sorted { $0.count > $1.count }
        return forms.reduce(cell) { $0.replacingBytes(of: $1, with: mask) }
    }

    /// Returns the passwords of the networks that a text may describe.
    private static func keys(in text: String) -> [String] {
        guard text.utf8.contains(UInt8(ascii: "=")) || WiFiCredential.isCode(text) else { return [] }
        return [false, true].compactMap { isOfFile in
            (try? WiFiCredential(argument: text, isOfFile: isOfFile))?.networkKey
        }.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a cell describes a network with a password, or was probably meant to do so.
    private static func isLikeNetwork(_ cell: String) -> Bool {
        let text = cell.lowercased()
        return text.contains(/\bssid\s*=/) && text.contains(/\bpassword\s*=/) || text.contains(/\bwifi:/)
    }

    /// Returns the value of `--wifi` for a row, or an empty string if the row has no such value.
    private static func text(_ template: Template, of row: PlanRow) -> String {
        (try? template.option(for: row, uid: [0, 0, 0, 0, 0, 0, 0], filler: UInt8(ascii: "0")).value) ?? ""
    }

    /// Returns the forms in which a password may occur in a cell, longest first —
    /// ``WiFiCredential/init(argument:isOfFile:)``.
    private static func written(_ password: String) -> [String] {
        let forms = [";\\", ";,\\", ";,=\\", ";,:\"\\"].map { signs in
            password.reduce(into: "") { $0 += (signs.contains($1) ? "\\" : "") + String($1) }
        }
        return forms.reversed() + [password]
    }

    private static func template(_ line: String) -> Template? {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if words.count == 2, words[0] == DynamicRecipe.option {
            return try? Template(words[1], of: .uri, isDynamic: true)
        }
        guard words.count == 2, let name = RecordOption.Name.allCases.first(where: { $0.option == words[0] }) else {
            return nil
        }
        return try? Template(words[1], of: name)
    }

    // MARK: Names

    func isSecret(_ column: String) -> Bool {
        ofPasswords.contains(column) || Self.isPassword(column)
            || !used.contains(column) && RecordOption.Name(rawValue: column) == nil && Self.isLikeSecret(column)
    }

    private static func isPassword(_ column: String) -> Bool {
        column.lowercased().split(whereSeparator: \.isWhitespace) == ["password"]
    }

    private static let parts = ["passw", "passphrase", "passcode", "kennwort", "pwd", "secret", "geheim"]
    private static let words: Set<Substring> = ["pass", "pw", "psk", "key", "pin", "puk"]

    /// Whether a column's name looks like that of a password, a key or a PIN, for example `wifi_pw`, `Passwort` or
    /// `doorPIN`.
    private static func isLikeSecret(_ column: String) -> Bool {
        let name = column.lowercased()
        if parts.contains(where: name.contains) { return true }
        // An upper-case letter after a lower-case one begins a new word.
        var separated = ""
        var last: Character = " "
        for letter in column {
            if letter.isUppercase, last.isLowercase { separated.append(" ") }
            separated.append(letter)
            last = letter
        }
        return separated.lowercased().split { !$0.isLetter }.contains(where: words.contains)
    }
}

extension Template {
    /// Whether the option's value describes a network itself, instead of naming a file that does.
    fileprivate var describesNetwork: Bool { name == .wifi && !isOfFile }

    /// The columns that the password uses, and the columns whose cells may contain `password=`.
    fileprivate var networkColumns: (ofPassword: [String], open: [String]) {
        var (ofPassword, open): ([String], [String]) = ([], [])
        var part = ""
        var isEscaped = false
        for piece in pieces {
            switch piece {
            case .literal(let text):
                for letter in text {
                    if letter == ";", !isEscaped { part = "" } else { part.append(letter) }
                    isEscaped = letter == "\\" && !isEscaped
                }
            case .column(let column, _):
                let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if words.count > 1, words[0].lowercased() == "password" {
                    ofPassword.append(column)
                } else if words.count < 2 || words[0].isEmpty {
                    // The name before the equals sign may itself come from another column.
                    open.append(column)
                }
            case .uid, .number, .random, .mirror, .dynamic: break
            }
        }
        return (ofPassword, open)
    }
}

/// A record whose rows are passed on with their secrets hidden.
struct RecordWithoutSecrets: ProvisioningRecord {
    let record: any ProvisioningRecord
    private let secrets: ReportSecrets

    init(_ record: any ProvisioningRecord) {
        self.record = record
        secrets = ReportSecrets(of: record.plan)
    }

    /// Whether the cells of a column are hidden because of its name.
    func hides(_ column: String) -> Bool { secrets.isSecret(column) }

    var plan: PlanIdentity { record.plan }
    var begun: Date { record.begun }
    var hasStations: Bool { record.hasStations }
    func counts() throws -> [RowState: Int] { try record.counts() }
    func hasColumn(_ name: String) throws -> Bool { try record.hasColumn(name) }
    func forEachRefusedTag(_ body: (RefusedTag) throws -> Void) throws { try record.forEachRefusedTag(body) }

    func forEachRow(in states: Set<RowState>, _ body: (JournalRow) throws -> Void) throws {
        try record.forEachRow(in: states) { row in
            var shown = JournalRow(
                row: secrets.hide(in: row.row), state: row.state, tag: row.tag, proof: row.proof,
                reason: row.reason, changed: row.changed, station: row.station)
            shown.seal = row.seal
            try body(shown)
        }
    }
}
