// The signals that tell the operator about a tag, given by the reader's buzzer and lamp or by the terminal's bell

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Terminal

/// Which events are signalled by a sound, and whether a light is used as well.
struct SignalStyle: Hashable, Sendable {
    let beep: Beep
    let lamp: Lamp

    func signal(_ event: Signal.Event) -> Signal {
        let sounds =
            switch event {
            case .success: beep.contains(.ok)
            case .failure: beep.contains(.fail)
            case .idle: false
            }
        return Signal(event, lights: lamp == .on, sounds: sounds)
    }
}

/// `--beep`, for commands that process one tag.
struct BeepOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When to beep: ok, fail, ok,fail or off.",
            discussion: "An ACR122U beeps by itself. With other readers, the terminal beeps.", valueName: "when"))
    var beep: Beep = []

    /// The signals that the option selects.
    ///
    /// The lamp is used unless all sounds are off.
    var signals: SignalStyle { SignalStyle(beep: beep, lamp: beep.isEmpty ? .off : .on) }
}

extension TagSession {
    /// Shows an event on the reader when the reader's earlier work is done.
    ///
    /// If the reader has no buzzer, the terminal's bell rings.
    func show(_ event: Signal.Event, _ style: SignalStyle) {
        show(style.signal(event)) {}
    }

    /// Shows an event, and returns when it has been shown.
    func shown(_ event: Signal.Event, _ style: SignalStyle) async {
        await withCheckedContinuation { continuation in
            show(style.signal(event)) { continuation.resume() }
        }
    }

    /// Returns when all earlier signals have ended.
    func signalsEnd() async {
        await withCheckedContinuation { continuation in
            session.signal(Signal(.idle, lights: false, sounds: false)) { _ in continuation.resume() }
        }
    }

    private func show(_ signal: Signal, _ completion: @escaping @Sendable () -> Void) {
        guard signal.lights || signal.sounds, !isInterrupted else { return completion() }
        session.signal(signal) { isShown in
            if signal.sounds, !isShown { TerminalBell.ring() }
            completion()
        }
    }

    /// Runs the work of a command that changes nothing, and signals the result on the reader if the style requires
    /// this.
    ///
    /// An error is signalled as a failure. Otherwise, `isGood` says whether the result counts as a success.
    static func runForReading<Value: Sendable>(
        _ options: TagOptions, showing style: SignalStyle, isGood: @escaping @Sendable (Value) -> Bool,
        refusal: (Value) -> (any Error)? = { _ in nil },
        _ work: @escaping @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        try await runForReading(options, refusal: refusal, signalling(style, isGood, work))
    }

    /// Runs the work of a command that changes a tag, and signals the result on the reader.
    static func run<Value: Sendable>(
        _ options: TagOptions, showing style: SignalStyle,
        _ work: @escaping @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        try await run(options, signalling(style, { _ in true }, work))
    }

    /// Returns work whose result the reader signals.
    private static func signalling<Value: Sendable>(
        _ style: SignalStyle, _ isGood: @escaping @Sendable (Value) -> Bool,
        _ work: @escaping @Sendable (TagSession) async throws -> Value
    ) -> @Sendable (TagSession) async throws -> Value {
        { session in
            do {
                let value = try await work(session)
                await session.shown(isGood(value) ? .success : .failure, style)
                return value
            } catch {
                await session.shown(.failure, style)
                throw error
            }
        }
    }
}
