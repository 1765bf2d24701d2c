// A Markdown report about a system's readers, for an issue

import Foundation
import ReaderSession
import Terminal
import USBReaders

/// A bug report that contains no names of people, tags or devices.
public struct BugReport: Sendable {
    /// A program or library and its version.
    public typealias Version = (name: String, value: String)
    /// A heading and its text.
    public typealias Section = (title: String, text: String)
    /// libnfc's output while it opened a reader, with the reader's connection string.
    public typealias Log = (connection: String, text: String)

    /// The versions, in the order in which they are printed.
    public let versions: [Version]
    /// The diagnosis.
    public let diagnosis: Diagnosis
    /// The diagnosis in words, as the program prints it.
    public let sections: [Section]
    /// libnfc's output while it opened readers.
    public let logs: [Log]
    /// The mask for the whole text.
    public let mask: Mask

    /// Creates a report from the given data only.
    public init(versions: [Version], diagnosis: Diagnosis, sections: [Section] = [], logs: [Log], mask: Mask) {
        self.versions = versions
        self.diagnosis = diagnosis
        self.sections = sections
        self.logs = logs
        self.mask = mask
    }

    /// The text of the file.
    public var text: String {
        var parts = ["# nfctool doctor", versions.map { "- \($0.name): \($0.value)" }.joined(separator: "\n")]
        parts += sections.map { "## \($0.title)\n\n" + Self.fenced($0.text) }
        parts.append("## Facts\n\n" + Self.fenced(facts.joined(separator: "\n")))
        for log in logs { parts.append("## libnfc's log of opening \(log.connection)\n\n" + Self.fenced(log.text)) }
        parts.append("Serial numbers, UIDs, and names of users and machines are masked.")
        return mask.masked(parts.joined(separator: "\n\n")) + "\n"
    }

    private var facts: [String] {
        let survey = diagnosis.survey
        let system = survey.system
        var lines = survey.readers.map { surveyed in
            let reader = surveyed.reader
            let drivers = reader.interfaces.map { "\($0.number):\($0.kernelDriver ?? "-")" }.joined(separator: " ")
            let ownership = surveyed.access.ownership.map { $0.text + ($0.hasACL ? "+" : "") } ?? "-"
            return
                "usb:\(reader.port) \(reader.model.vendor.hexDigits):\(reader.model.product.hexDigits) \(reader.model.name), "
                + "says \(reader.manufacturer ?? "-") / \(reader.product ?? "-"), interfaces \(drivers), "
                + "\(surveyed.access.path) \(ownership) \(surveyed.access.verdict), "
                + "\(surveyed.holders.visible.count) holders, \(surveyed.holders.hidden) processes hidden"
        }
        lines += survey.readers.flatMap(\.rules).map { "udev: \($0.file):\($0.line) group \($0.group ?? "-")" }
        lines += survey.serialPorts.map { port in
            "\(port.node) \(port.adapter?.model.name ?? "-") driver \(port.driver ?? "-") \(port.access.verdict)"
        }
        lines.append("modules: " + system.modules.loaded.map(\.name).joined(separator: " "))
        lines += system.modules.blacklisted.filter { KernelModules.inTheWay.contains($0.module) }.map {
            "modprobe: \($0.means.rawValue) \($0.module) in \($0.file):\($0.line)"
        }
        let daemon = system.smartCardDaemon
        lines.append(
            "pcscd: \(daemon.process == nil ? "no process" : "runs"), socket \(daemon.socketUnit.rawValue), service \(daemon.serviceUnit.rawValue)"
        )
        let settings = system.configuration
        lines.append(
            "libnfc: files \(settings.files.joined(separator: " ")), autoscan \(settings.allowsAutoscan), intrusive \(settings.allowsIntrusiveScan)"
        )
        lines += settings.devices.map { "libnfc device: \($0.connection) from \($0.source)" }
        lines.append("groups: " + system.user.groups.map { $0.name ?? String($0.number) }.joined(separator: " "))
        return lines
    }

    /// Returns a text as a Markdown code block.
    ///
    /// No line of the text can end the block early.
    private static func fenced(_ text: String) -> String {
        let lines = text.replacing("\t", with: "  ").split(separator: "\n", omittingEmptySubsequences: false)
            .map { TerminalText.escaped($0) }
        return "~~~~~~\n" + lines.map { $0.hasPrefix("~~~") ? " " + $0 : $0 }.joined(separator: "\n") + "\n~~~~~~"
    }
}

extension BugReport {
    /// Creates a report about this system, with libnfc's log for each reader that the diagnosis opened.
    ///
    /// - Parameters:
    ///   - diagnosis: the diagnosis.
    ///   - program: the program that creates the report.
    ///   - sections: the diagnosis in words, as printed by that program.
    ///   - log: opens a reader once more, and returns libnfc's output.
    /// - Returns: the report, with a mask for the names of the host and of people, serial numbers, and data from tags.
    public static func current(
        _ diagnosis: Diagnosis, by program: Version, sections: [Section], log: (Subject) async -> String
    ) async -> BugReport {
        var logs: [Log] = []
        for subject in diagnosis.subjects where diagnosis.opening(of: subject) != nil {
            logs.append((subject.connection, await log(subject)))
        }
        let mask = Mask(diagnosis.survey, host: hostName, home: ProcessInfo.processInfo.environment["HOME"] ?? "")
        return BugReport(
            versions: versions(program), diagnosis: diagnosis, sections: sections, logs: logs, mask: mask)
    }

    private static func versions(_ program: Version) -> [Version] {
        var system = utsname()
        uname(&system)
        let kernel = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let machine = withUnsafeBytes(of: system.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12)
        return [
            program,
            ("libnfc", LibNFCHost.version),
            ("system", (name.map(String.init) ?? "Linux").replacing("\"", with: "")),
            ("kernel", "\(kernel) \(machine)"),
        ]
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
