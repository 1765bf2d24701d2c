// What a reader with a lamp and a buzzer tells the person in front of it

/// One sign of a reader to the person who lays tags on it.
public struct Signal: Hashable, Sendable {
    /// What it says.
    public enum Event: String, CaseIterable, Hashable, Sendable {
        /// The tag is done: green, one beep.
        case success
        /// Something went wrong with the tag: red, two beeps.
        case failure
        /// Nothing to say any more: no light, no sound.
        case idle
    }

    /// What it says.
    public var event: Event
    /// The lamp takes part; else it stays as it is.
    public var lights: Bool
    /// The buzzer takes part.
    public var sounds: Bool

    /// Makes a sign; without light and sound it is none.
    public init(_ event: Event, lights: Bool, sounds: Bool) {
        self.event = event
        self.lights = lights
        self.sounds = sounds
    }
}

/// A reader that has a lamp or a buzzer, or may have one.
public protocol SignallingReader: Reader {
    /// Shows a signal, and returns when the sound is over: at most half a second.
    ///
    /// Tags do not notice; what is selected stays selected.
    ///
    /// - Returns: false when this reader has neither lamp nor buzzer that could be reached, or did not obey.
    func signal(_ signal: Signal) -> Bool
}
