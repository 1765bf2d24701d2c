// Advice about the name of a reader that is not there — Docs/CommandLine.md, How a reader is named

import Composing
import Doctor
import Foundation
import Terminal
import USBReaders
import VirtualPN532

/// Advice about a name that belongs to no reader and no virtual tag.
enum ReaderNameAdvice {
    /// The advice for a reader that is not there.
    static func text(forMissing connection: String) -> String? {
        if isTagFile(connection) {
            return "For the virtual tag in this file:  --reader \(ShellLine.quoted("virtual:" + connection))"
        }
        let names = ["virtual", "auto"] + ReaderLabels.current.entries.map(\.label)
        if ReaderLabels.current.target(of: connection) == nil, !names.contains(connection),
            let near = Spelling(connection).nearest(in: names)
        {
            return "Did you mean  --reader \(near) ?\n`nfctool readers` lists the connected readers."
        }
        if let colon = connection.firstIndex(of: ":"), connection[..<colon] != "virtual",
            Spelling(String(connection[..<colon])).nearest(in: ["virtual"]) != nil
        {
            return "Did you mean  --reader \(ShellLine.quoted("virtual" + connection[colon...])) ?"
        }
        if connection.lowercased().hasPrefix("virtual") {
            return
                "A virtual reader is named  virtual , virtual:KIND or virtual:FILE.nfc ; add faults after a question "
                + "mark:  virtual:?tear=3"
        }
        if connection.hasPrefix("/dev/") { return "For a PN532 on a serial port:  --reader pn532_uart:\(connection)" }
        if connection.hasPrefix("serial:") || ReaderLabels.current.target(of: connection) != nil {
            return "It is not plugged in, or has another name; `nfctool readers` lists the connected readers."
        }
        let path = ReaderConnection.plain(connection).split(separator: ":").dropFirst().first.map(String.init) ?? ""
        guard path.hasPrefix("/dev/") else {
            return """
                A reader is named  usb:1-2  or  pn532_uart:/dev/ttyUSB0 ; `nfctool readers` lists the connected readers.
                To name a reader yourself, add a line to \(ReaderLabels.currentFileName):  desk = usb:1-2
                To try without a reader:  --reader virtual
                """
        }
        return """
            Check the cable and the name:  ls -l \(path)
            `nfctool readers` lists the connected readers; to try without a reader:  --reader virtual
            """
    }

    /// The advice for a word that names no kind of virtual tag.
    static func text(forUnknownKind word: String, among known: [String]) -> String {
        if let near = TagFileName(word).withOtherExtension ?? Spelling(word).nearest(in: known) {
            return "Did you mean  virtual:\(TerminalText.escaped(near)) ?"
        }
        if let dot = word.lastIndex(of: "."), dot != word.startIndex {
            let name = ShellLine.quoted("virtual:\(word[..<dot]).nfc")
            return "A tag in a file:  --reader \(name)\nVirtualReader.md in the documentation lists the kinds."
        }
        let similar = known.filter { $0.hasPrefix(word.prefix(3).lowercased()) }
        let named = similar.isEmpty ? usualKinds.filter(known.contains) : similar
        let shown = "Known tags: " + (named.isEmpty ? known : named).prefix(namedKinds).joined(separator: ", ")
        return known.count > namedKinds
            ? "\(shown), …\nVirtualReader.md in the documentation lists all of them." : "\(shown)."
    }

    private static let usualKinds = ["ntag213", "ntag215", "ntag216", "ultralight-c", "classic1k", "desfire"]
    /// The number of kinds to name, which fit a line.
    private static let namedKinds = 6

    /// Whether the name of a reader is that of an existing file with a virtual tag.
    private static func isTagFile(_ name: String) -> Bool {
        TagFile.isName(name) && FileManager.default.fileExists(atPath: name)
    }
}
