// A tag's link on the desktop, by the rule of an iPhone — freedesktop.org xdg-utils, xdg-open; Docs/BackgroundReading.md

import Foundation
package import PhoneLint
import Subprocess
import Synchronization
import SystemPackage

/// Opens links as a double click would.
///
/// The link is one argument of `xdg-open`: no shell sees it. What it starts outlives the scan.
package struct LinkOpener {
    /// What became of a link.
    package enum Outcome: Equatable, Sendable {
        case opened
        /// It stays closed; a clause.
        case refused(String)
        /// There is no `xdg-open`.
        case noProgram
    }

    /// Schemes that an iPhone opens and for which Linux has no programs.
    private static let appleOnly: Set<String> = ["facetime", "facetime-audio", "x-hm"]
    /// Some desktops have `xdg-open` wait for the browser's end; it is taken for good then, and the scan goes on.
    private static let patience = Duration.seconds(3)

    package init() {}

    /// Opens a link, if it is of a kind that is opened.
    ///
    /// - Parameters:
    ///   - link: the link of a tag.
    ///   - onLateFailure: gets the reason, a clause, when `xdg-open` fails after this function has returned `opened`.
    /// - Returns: `opened` as soon as `xdg-open` succeeds or has not failed within the waiting time; `refused` with the
    ///   reason, a clause; `noProgram` when there is no `xdg-open`.
    package func open(_ link: BackgroundLink, onLateFailure: @escaping @Sendable (String) -> Void) async -> Outcome {
        if let reason = Self.reasonToRefuse(link) { return .refused(reason) }
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let isSettled = Atomic(false)
        // The first of the two has it.
        let settle: @Sendable (Outcome) -> Bool = { outcome in
            guard !isSettled.exchange(true, ordering: .relaxed) else { return false }
            continuation.yield(outcome)
            return true
        }
        // Of its own, also when the scan is cancelled: a browser that somebody reads in is not closed.
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

    /// Why a link stays closed, a clause; nil for one to open.
    package static func reasonToRefuse(_ link: BackgroundLink) -> String? {
        guard let scheme = link.scheme else { return "it has no scheme" }
        guard link.isOpened else { return "an iPhone would not open \(scheme): from a tag either" }
        guard !appleOnly.contains(scheme) else { return "no program on Linux opens \(scheme):" }
        let isPlain = link.uri.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isPlain ? nil : "there are control characters in it"
    }

    private static func run(_ uri: String) async -> Outcome {
        var options = PlatformOptions()
        // Ctrl-C is for the scan.
        options.createSession = true
        do {
            // Not to stdout: that is for results.
            let result = try await Subprocess.run(
                .name("xdg-open"), arguments: [uri], environment: .inherit.updating(["LIBNFC_LOG_LEVEL": nil]),
                platformOptions: options, input: .none, output: .currentStandardError, error: .currentStandardError)
            switch result.terminationStatus {
            case .exited(0): return .opened
            case .exited(let code): return .refused("xdg-open ended with \(code)\(meaning(of: code))")
            case .signaled(let number): return .refused("xdg-open was ended by signal \(number)")
            }
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .noProgram
        } catch {
            return .refused("xdg-open could not be started: \(error)")
        }
    }

    /// The exit codes of its manual page.
    private static func meaning(of code: Int32) -> String {
        switch code {
        case 3: ", no program for such links was found"
        case 4: ", the program for such links failed"
        default: ""
        }
    }
}
