// The tags within reach of the antenna

import Synchronization

/// The tags in a reader's field.
///
/// Any thread may place and remove tags while the reader polls.
///
/// A field contains either a set of tags that stay until they are removed, or a stream. A stream presents one tag at a
/// time and replaces it with the next one after it has been used. Only the chip calls the tags themselves.
public final class Field: Sendable {
    package typealias Instant = ContinuousClock.Instant

    private struct Entry {
        let tag: any VirtualTag
        let identifier: [UInt8]
        /// How long a lost tag stays out of reach; nil if the tag is within reach.
        var absence: Absence?
    }

    private enum Absence {
        case until(Instant)
        case forever
    }

    private struct State {
        var entries: [Entry]
        var stream: TagStream?
        var onChange: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// Creates a field that contains all these tags at once.
    public init(_ tags: [any VirtualTag] = []) {
        state = Mutex(State(entries: tags.map(Self.entry)))
    }

    /// Creates a field that presents one tag after the other.
    ///
    /// - Parameters:
    ///   - tags: the tags in order.
    ///   - dwell: how long a tag stays after it has been used. The tag leaves if it has received any command, no new
    ///     command arrives for this long, and the chip has searched for tags three times since. Repetitions of the preceding
    ///     command count as searches, not as new commands.
    ///   - gap: the time between one tag and the next.
    public init(stream tags: [any VirtualTag], dwell: Duration = .milliseconds(400), gap: Duration = .milliseconds(100))
    {
        state = Mutex(State(entries: [], stream: TagStream(tags, dwell: dwell, gap: gap)))
    }

    /// The identifiers of all tags that were placed and not removed, including lost ones.
    ///
    /// For a stream, they include the identifiers of the tags still to come.
    public var identifiers: [[UInt8]] {
        state.withLock { state in state.entries.map(\.identifier) + (state.stream?.waiting.map(\.identifier) ?? []) }
    }

    /// Whether the tag was placed and not removed.
    ///
    /// In a stream, tags still to come count too.
    package func holds(_ tag: any VirtualTag) -> Bool {
        state.withLock { state in
            state.entries.contains { $0.tag === tag } || state.stream?.waiting.contains { $0 === tag } ?? false
        }
    }

    /// Places a tag in the field, or at the end of the stream.
    public func place(_ tag: any VirtualTag) {
        change { state in
            if state.stream == nil {
                state.entries.append(Self.entry(tag))
            } else {
                state.stream?.waiting.append(tag)
            }
        }
    }

    /// Removes the tag with this identifier, or all tags if the identifier is nil.
    ///
    /// Returns false if no tag was removed.
    @discardableResult
    public func remove(identifier: [UInt8]? = nil) -> Bool {
        change { state in
            let count = state.entries.count
            state.entries.removeAll { identifier == nil || $0.identifier == identifier }
            if state.entries.count < count { state.stream?.currentWasRemoved() }
            return state.entries.count < count
        }
    }

    /// Removes all tags or ends the stream, and places these tags instead.
    public func replaceAll(with tags: [any VirtualTag]) {
        change { state in
            state.entries = tags.map(Self.entry)
            state.stream = nil
        }
    }

    private static func entry(_ tag: any VirtualTag) -> Entry { Entry(tag: tag, identifier: tag.identifier) }

    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, onChange) = state.withLock { state in (body(&state), state.onChange) }
        onChange?()
        return result
    }
}

// The chip's side, called only on the chip's thread.
extension Field {
    /// Sets an action to call after each change, on the thread that made the change.
    package func setOnChange(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onChange = action } }

    package func present(at now: Instant) -> [any VirtualTag] {
        state.withLock { state in
            if var stream = state.stream {
                let current = state.entries.isEmpty ? nil : state.entries[0].tag
                let next = stream.advance(current: current, to: now)
                if next !== current { state.entries = next.map { [Self.entry($0)] } ?? [] }
                state.stream = stream
            }
            return state.entries.indices.compactMap { index in
                switch state.entries[index].absence {
                case .forever: return nil
                case .until(let time) where time > now: return nil
                case .until, nil:
                    state.entries[index].absence = nil
                    return state.entries[index].tag
                }
            }
        }
    }

    /// The time at which a tag next arrives or leaves by itself; nil if none will.
    package var nextChange: Instant? {
        state.withLock { state in
            let returns = state.entries.compactMap { entry -> Instant? in
                if case .until(let time) = entry.absence { time } else { nil }
            }
            return (returns + [state.stream?.nextChange].compactMap { $0 }).min()
        }
    }

    /// Takes a lost tag out of reach for the duration `back`, or forever if `back` is nil.
    package func lose(_ tag: any VirtualTag, at now: Instant, back: Duration?) {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.tag === tag }) else { return }
            if let back {
                state.entries[index].absence = .until(now + back)
                state.stream?.currentWasRemoved()
            } else if state.stream == nil {
                state.entries[index].absence = .forever
            } else {
                state.entries = []
                state.stream?.currentWasLost(at: now)
            }
        }
    }

    /// Records that the tag in the field received a command.
    ///
    /// Only streams use this.
    package func noteUse(_ frame: [UInt8], at now: Instant) { state.withLock { $0.stream?.noteUse(frame, at: now) } }

    /// Records that the host looked for tags once.
    package func noteLook(at now: Instant) { state.withLock { $0.stream?.noteLook(at: now) } }

    /// Records that the host or the reader looks for tags without a break.
    package func noteWatch(at now: Instant) { state.withLock { $0.stream?.noteWatch(at: now) } }
}
