// Signals that a reader gives with an LED and a buzzer

/// A signal from a reader to the person who places tags on it.
public struct Signal: Hashable, Sendable {
    /// The meaning of the signal.
    public enum Event: String, CaseIterable, Hashable, Sendable {
        /// The tag is finished, which is signalled by a green light and one beep.
        case success
        /// An operation on the tag failed, which is signalled by a red light and two beeps.
        case failure
        /// There is nothing left to signal, so light and sound are off.
        case idle
    }

    /// The meaning of the signal.
    public var event: Event
    /// Whether to use the LED.
    ///
    /// If false, the LED stays unchanged.
    public var lights: Bool
    /// Whether to use the buzzer.
    public var sounds: Bool

    /// Creates a signal.
    ///
    /// Without light or sound, the signal has no effect.
    public init(_ event: Event, lights: Bool, sounds: Bool) {
        self.event = event
        self.lights = lights
        self.sounds = sounds
    }
}

/// A reader that has, or may have, an LED or a buzzer.
public protocol SignallingReader: Reader {
    /// Shows a signal.
    ///
    /// The call returns when the sound is over, after at most half a second.
    ///
    /// Tags are not affected: a selected tag stays selected.
    ///
    /// - Returns: false if the reader has no accessible LED or buzzer, or did not execute the signal.
    func signal(_ signal: Signal) -> Bool
}
