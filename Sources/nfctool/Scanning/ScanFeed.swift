// Passes the tags of a scan on to other programs: a table, a growing file, a keyboard — Docs/CommandLine.md, scan

import SafeTag
import Synchronization
import SystemPackage
import TagFeed
import Terminal

final class ScanFeed: Sendable {
    let printsTable: Bool
    private let file: (lines: AppendedLines, path: String, isTable: Bool)?
    private let template: KeyTemplate?
    /// The keyboard that types text.
    ///
    /// Nil without `--keyboard`, and in a dry run.
    private let keyboard: VirtualKeyboard?
    private let count = Mutex(0)

    /// Opens the file and the keyboard.
    ///
    /// Call this before the reader is opened.
    ///
    /// - Throws: ``UnwritableFile``; ``NoKeyboard``.
    init(_ feed: FeedOptions, _ output: OutputOptions) async throws {
        printsTable = feed.format == .csv
        template = try feed.template()
        if let path = feed.output, let isTable = feed.isTable(output) {
            do throws(AppendedLines.Refusal) {
                let lines =
                    isTable
                    ? try AppendedLines(path: path, header: TagTable.header)
                    : try AppendedLines(path: path, beginning: "{\"")
                file = (lines, path, isTable)
            } catch {
                throw error.failure(of: path)
            }
        } else {
            file = nil
        }
        do {
            keyboard = template == nil || feed.dryRun ? nil : try await VirtualKeyboard.plugIn()
        } catch let error as VirtualKeyboard.Unavailable {
            throw NoKeyboard(path: error.path, code: error.code)
        }
        if printsTable { StandardOutput.write(Array(TagTable.header.utf8)) }
    }

    func add(_ event: TimedEvent<TagReading>) throws {
        if printsTable { StandardOutput.write(Array(Self.line(of: event).utf8)) }
        guard let (lines, path, isTable) = file else { return }
        do {
            try lines.append(isTable ? Self.line(of: event) : JSONLine.string(event) + "\n")
        } catch let error as Errno {
            throw UnwritableFile(path: path, reason: "\(error)")
        }
    }

    /// Types the text for a readable tag, except in a dry run.
    ///
    /// Returns the text, or nil if there is nothing to type.
    ///
    /// - Throws: `KeyTemplate.Problem` if the tag lacks a value of the template, or has text that no key can type.
    func type(_ reading: TagReading) async throws -> (text: String, isTyped: Bool)? {
        guard let template, reading.failure == nil else { return nil }
        let number = count.withLock { count in
            count += 1
            return count
        }
        let text = try template.text(for: TagSummary(reading), number: number)
        do {
            try await keyboard?.type(KeyboardLayout.strokes(for: text))
        } catch let code as Errno {
            throw NoKeyboard(path: VirtualKeyboard.device, code: code)
        }
        return (text, keyboard != nil)
    }

    private static func line(of event: TimedEvent<TagReading>) -> String {
        let failure = event.event.failure.flatMap { TagFailure($0) }
        return TagTable.line(
            event.event, at: event.time, failure: failure.map { ($0.name.rawValue, $0.message) })
    }
}

extension AppendedLines.Refusal {
    fileprivate func failure(of path: String) -> any Failure {
        switch self {
        case .system(let code): UnwritableFile(path: path, reason: "\(code)")
        case .notAFile: UnwritableFile(path: path, reason: "it is not a regular file")
        case .otherContent: NotAScan(path: path)
        }
    }
}

/// The file contains something else, so no scan can be appended.
private struct NotAScan: Failure {
    let path: String
    var name: ErrorName { .badFile }
    var message: String { "\(path) does not contain a scan in this format. Choose another file." }
}

struct NoKeyboard: Failure, AdvisedError {
    let path: String
    let code: Errno

    var name: ErrorName { isForbidden ? .noPermission : .noKeyboard }
    var message: String { "\(path), the kernel's virtual keyboard, cannot be used: \(code)." }
    private var isForbidden: Bool { code == .permissionDenied || code == .notPermitted }

    var advice: String? {
        guard isForbidden else { return "Load the kernel module:  sudo modprobe uinput" }
        return """
            Let the group input use it, join the group, and log out and in again:
            echo 'KERNEL=="uinput", GROUP="input", MODE="0660", OPTIONS+="static_node=uinput"' | sudo tee /etc/udev/rules.d/70-uinput.rules
            sudo usermod -aG input "$USER" && sudo udevadm control --reload && sudo udevadm trigger /dev/uinput
            """
    }
}
