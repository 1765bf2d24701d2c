// Opens a tag's link on the desktop, as an iPhone would — freedesktop.org xdg-utils, xdg-open;
// Docs/BackgroundReading.md

import Foundation
package import PhoneLint
import Subprocess
import Synchronization
import SystemPackage

/// Opens links as a double-click would.
///
/// The link is passed as one argument of `xdg-open`, without a shell. The program that opens it outlives the scan.
package struct LinkOpener {
    /// The outcome for a link.
    package enum Outcome: Equatable, Sendable {
        case opened
        /// The link was not opened; the reason is a clause.
        case refused(String)
        /// `xdg-open` is not installed.
        case noProgram
    }

    /// Schemes that an iPhone opens, but for which Linux has no programs.
    private static let appleOnly: Set<String> = ["facetime", "facetime-audio", "x-hm"]
    /// On some desktops, `xdg-open` waits until the browser ends; after this time the link counts as opened, and the
    /// scan continues.
    private static let patience = Duration.seconds(3)

    package init() {}

    /// Opens a link if its scheme is allowed.
    ///
    /// - Parameters:
    ///   - link: the link of a tag.
    ///   - onLateFailure: receives the reason, as a clause, if `xdg-open` fails after this function has returned
    ///     `opened`.
    /// - Returns: `opened` once `xdg-open` succeeds, or if it has not failed within the waiting time; `refused` with
    ///   the reason as a clause; `noProgram` if `xdg-open` is not installed.
    package func open(_ link: BackgroundLink, onLateFailure: @escaping @Sendable (String) -> Void) async -> Outcome {
        if let reason = Self.reasonToRefuse(link) { return .refused(reason) }
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let isSettled = Atomic(false)
        // The first of the two outcomes counts.
        let settle: @Sendable (Outcome) -> Bool = { outcome in
            guard !isSettled.exchange(true, ordering: .relaxed) else { return false }
            continuation.yield(outcome)
            return true
        }
        // A separate task continues if the scan is cancelled: the browser that the user is reading must not be closed.
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

    /// The reason why a link must not be opened, as a clause; nil if it may be opened.
    private static func reasonToRefuse(_ link: BackgroundLink) -> String? {
        guard let scheme = link.scheme else { return "it has no scheme" }
        guard link.isOpened else { return "an iPhone would not open \(scheme): from a tag either" }
        guard !appleOnly.contains(scheme) else { return "no program on Linux opens \(scheme):" }
        let isPlain = link.uri.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isPlain ? nil : "there are control characters in it"
    }

    private static func run(_ uri: String) async -> Outcome {
        var options = PlatformOptions()
        // A separate session, because Ctrl-C is only for the scan.
        options.createSession = true
        do {
            // Its output goes to stderr, because stdout is for results.
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

    /// The meaning of an exit code, from the manual page of xdg-open.
    private static func meaning(of code: Int32) -> String {
        switch code {
        case 3: ": no program for such links was found"
        case 4: ": the program for such links failed"
        default: ""
        }
    }
}
