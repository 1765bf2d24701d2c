// doctor --bundle: one Markdown file to attach to an issue

import ArgumentParser
import Doctor
import Foundation
import ReaderInterface
import ReaderSession
import Subprocess
import SystemPackage
import Terminal
import USBReaders

/// What helps to find a bug, in one text without the names of people, tags and devices.
struct BugReport: Sendable {
    /// Versions, in the order they are printed.
    let versions: [(name: String, value: String)]
    let diagnosis: Diagnosis
    /// What libnfc printed while a reader was opened, by connection string.
    let logs: [(connection: String, text: String)]
    let mask: Mask

    /// The file's text.
    var text: String {
        let report = DiagnosisPresentation(
            diagnosis, style: .plain, marks: .ascii, shell: ShellLine(program: "nfctool", isRoot: false))
        var parts = [
            "# nfctool doctor",
            versions.map { "- \($0.name): \($0.value)" }.joined(separator: "\n"),
            "## Checks\n\n" + Self.fenced(report.lines),
        ]
        if !report.remedies.isEmpty {
            parts.append("## What the doctor says\n\n" + Self.fenced(report.remedies.joined(separator: "\n\n")))
        }
        parts.append("## Facts\n\n" + Self.fenced(facts.joined(separator: "\n")))
        for log in logs { parts.append("## libnfc opens \(log.connection)\n\n" + Self.fenced(log.text)) }
        parts.append("Serial numbers, UIDs, and names of users and machines are masked.")
        return mask.masked(parts.joined(separator: "\n\n")) + "\n"
    }

    /// The survey, a line each.
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

    /// A block of code that its text cannot end.
    private static func fenced(_ text: String) -> String {
        let lines = text.replacing("\t", with: "  ").split(separator: "\n", omittingEmptySubsequences: false)
            .map { TerminalText.escaped($0) }
        return "~~~~~~\n" + lines.map { $0.hasPrefix("~~~") ? " " + $0 : $0 }.joined(separator: "\n") + "\n~~~~~~"
    }
}

extension BugReport {
    /// What this system says, with libnfc's log of opening the readers of a diagnosis that were opened.
    static func current(_ diagnosis: Diagnosis) async -> BugReport {
        var logs: [(String, String)] = []
        for subject in diagnosis.subjects where diagnosis.opening(of: subject) != nil {
            logs.append((subject.connection, await log(of: subject)))
        }
        let mask = Mask(diagnosis.survey, host: hostName, home: ProcessInfo.processInfo.environment["HOME"] ?? "")
        return BugReport(versions: versions, diagnosis: diagnosis, logs: logs, mask: mask)
    }

    /// The versions of this system.
    private static var versions: [(name: String, value: String)] {
        var system = utsname()
        uname(&system)
        let kernel = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let machine = withUnsafeBytes(of: system.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12)
        return [
            ("nfctool", ProgramVersion.text),
            ("libnfc", LibNFCHost.version),
            ("system", (name.map(String.init) ?? "Linux").replacing("\"", with: "")),
            ("kernel", "\(kernel) \(machine)"),
        ]
    }

    /// What libnfc says while this program opens a reader once more, in a process of its own, since libnfc logs to stderr only.
    private static func log(of subject: Subject) async -> String {
        let limit = 1 << 20
        do {
            let connection = subject.connection
            return try await Interruption.cancelling {
                try await Subprocess.run(
                    .path("/proc/self/exe"),
                    arguments: ["doctor", "--trace", "--json", "--reader", connection],
                    environment: .inherit.updating(["LIBNFC_LOG_LEVEL": nil]), platformOptions: .endedGracefully,
                    output: .discarded, error: .string(limit: limit)
                ).standardError
            }
        } catch {
            return "(no log: \(error))"
        }
    }

    /// The name of this machine.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
