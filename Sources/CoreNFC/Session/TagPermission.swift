// The applications and systems that a session may select, which an iPhone reads from the app's Info.plist

import Foundation
import Hexadecimal
import TagTypes

/// The application identifiers and FeliCa system codes of a tag session.
///
/// If one of the lists is nil, it was not given, and everything is allowed.
struct TagPermission: Hashable, Sendable {
    let identifiers: [[UInt8]]?
    let systemCodes: [[UInt8]]?

    /// A string that is neither an application identifier nor a system code.
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    static let all = TagPermission()

    private init() { (identifiers, systemCodes) = (nil, nil) }

    private static let identifiersKey = "com.apple.developer.nfc.readersession.iso7816.select-identifiers"
    private static let systemCodesKey = "com.apple.developer.nfc.readersession.felica.systemcodes"
    /// ISO/IEC 7816-4: an application identifier has at most 16 bytes, and a registered one at least 5.
    private static let identifierLengths = 1...16

    /// Creates the permission from the session's values or, without them, from the Info.plist next to the program.
    init(identifiers: [String]?, systemCodes: [String]?) throws(Malformed) {
        self.identifiers = try Self.parse(
            identifiers ?? Self.informationProperty(Self.identifiersKey), Self.identifierLengths,
            "an application identifier")
        self.systemCodes = try Self.parse(
            systemCodes ?? Self.informationProperty(Self.systemCodesKey), 2...2, "a FeliCa system code")
    }

    /// Whether a command may be sent.
    ///
    /// A SELECT by DF name (P1 04) is only allowed for a listed application. With secure messaging, the name is not
    /// readable, and the application with which the keys were agreed was allowed.
    func allows(_ command: CommandAPDU) -> Bool {
        guard let identifiers, command.ins == 0xA4, command.p1 == 0x04, !command.isProtected else { return true }
        // A longer name of a listed application, or the beginning of its name, also selects it.
        return identifiers.contains { $0.starts(with: command.data) || command.data.starts(with: $0) }
    }

    func allows(systemCode: [UInt8]) -> Bool { systemCodes?.contains(systemCode) ?? true }

    private static func informationProperty(_ key: String) -> [String]? {
        Bundle.main.object(forInfoDictionaryKey: key) as? [String]
    }

    private static func parse(
        _ texts: [String]?, _ lengths: ClosedRange<Int>, _ what: String
    ) throws(Malformed) -> [[UInt8]]? {
        guard let texts, !texts.isEmpty else { return nil }
        var list: [[UInt8]] = []
        for text in texts {
            guard let bytes = try? HexText.bytes(text.utf8, separators: ""), lengths ~= bytes.count else {
                throw Malformed(description: "“\(text)” is not \(what)")
            }
            list.append(bytes)
        }
        return list
    }
}
