// Opening a tag's link on the desktop, if an iPhone would open it — freedesktop.org xdg-utils, xdg-open;
// Docs/BackgroundReading.md

import Foundation
package import PhoneLint
import Subprocess
import Synchronization
import SystemPackage

/// Opens links with the program that the desktop uses for them.
///
/// The link is passed to `xdg-open` as a single argument, without a shell. The program that opens the link continues
/// when the scan ends.
package struct LinkOpener {
    package enum Outcome: Equatable, Sendable {
        case opened
        /// The link was not opened.
        ///
        /// The reason is a clause.
        case refused(String)
        /// `xdg-open` is not installed.
        case noProgram
    }

    /// Schemes that an iPhone opens, but for which Linux has no programs.
    private static let appleOnly: Set<String> = ["facetime", "facetime-audio", "x-hm"]
    /// The time after which a link counts as opened, so that the scan continues.
    ///
    /// On some desktops, `xdg-open` does not end before the browser ends.
    private static let patience = Duration.seconds(3)

    package init() {}

    /// Opens a link if its scheme is allowed.
    ///
    /// - Parameters:
    ///   - link: the link of a tag.
    ///   - onLateFailure: receives the reason, as a clause, if `xdg-open` fails after this function has returned
    ///     `opened`.
    /// - Returns: `opened` when `xdg-open` has succeeded, or has not failed after a few seconds; `refused` with the
    ///   reason as a clause; `noProgram` if `xdg-open` is not installed.
    package func open(_ link: BackgroundLink, onLateFailure: @escaping @Sendable (String) -> Void) async -> Outcome {
        if let reason = Self.reasonToRefuse(link) { return .refused(reason) }
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let isSettled = Atomic(false)
        // Only the first of two events counts: the result of `xdg-open`, and the end of the waiting time.
        let settle: @Sendable (Outcome) -> Bool = { outcome in
            guard !isSettled.exchange(true, ordering: .relaxed) else { return false }
            continuation.yield(outcome)
            return true
        }
        // Use a separate task, which continues if the scan is cancelled: the browser that the user is reading must not
        // be closed.
        Task {
            let outcome = await Self.run(link.uri)
            guard !settle(outcome), case .refused(let reason) = outcome else { return }
            onLateFailure(reason)
        }
        let timer = Task {
            try await Task.sleep(for: Self.patience)
            _ = settle(.opened)
        }
        defer { timer.cancel() }
        for await outcome in outcomes { return outcome }
        return .opened
    }

    /// Returns the reason why a link must not be opened, as a clause, or nil if it may be opened.
    private static func reasonToRefuse(_ link: BackgroundLink) -> String? {
        guard let scheme = link.scheme else { return "it has no scheme" }
        guard link.isOpened else { return "an iPhone would not open \(scheme): from a tag either" }
        guard !appleOnly.contains(scheme) else { return "no program on Linux opens \(scheme):" }
        let isPlain = link.uri.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isPlain ? nil : "there are control characters in it"
    }

    private static func run(_ uri: String) async -> Outcome {
        var options = PlatformOptions()
        // Use a separate session, because Ctrl-C must end only the scan.
        options.createSession = true
        do {
            // The output of `xdg-open` goes to stderr, because stdout is for results.
            let result = try await Subprocess.run(
                .name("xdg-open"), arguments: [uri], environment: .inherit.updating(["LIBNFC_LOG_LEVEL": nil]),
                platformOptions: options, input: .none, output: .currentStandardError, error: .currentStandardError)
            switch result.terminationStatus {
            case .exited(0): return .opened
            case .exited(let code): return .refused("xdg-open ended with exit code \(code)\(meaning(of: code))")
            case .signaled(let number): return .refused("xdg-open was ended by signal \(number)")
            }
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .noProgram
        } catch {
            return .refused("xdg-open could not be started: \(error)")
        }
    }

    /// Returns the meaning of an exit code according to the manual page of xdg-open.
    private static func meaning(of code: Int32) -> String {
        switch code {
        case 3: ": no program for such links was found"
        case 4: ": the program for such links failed"
        default: ""
        }
    }
}
