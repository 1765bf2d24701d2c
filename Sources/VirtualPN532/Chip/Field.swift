// The tags in reach of the antenna

import Synchronization

/// The tags in the reader's field, changed from any thread while the reader polls.
///
/// Either a set of tags that stay until they are removed, or a stream: one tag at a time, each replaced by the next
/// after it was used. The tags themselves are called only by the chip.
public final class Field: Sendable {
    /// A moment on the reader's clock.
    package typealias Instant = ContinuousClock.Instant

    private struct Entry {
        let tag: any VirtualTag
        let identifier: [UInt8]
        /// Set while the tag is lost.
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

    /// Makes a field that holds these tags at once.
    public init(_ tags: [any VirtualTag] = []) {
        state = Mutex(State(entries: tags.map(Self.entry)))
    }

    /// Makes a field that shows one tag after the other.
    ///
    /// - Parameters:
    ///   - tags: the tags in their order.
    ///   - dwell: a tag leaves when it was used (any command) and then no new command came for this time; polls and
    ///     repetitions of the preceding command do not count.
    ///   - gap: the time between a tag and the next.
    public init(stream tags: [any VirtualTag], dwell: Duration = .milliseconds(400), gap: Duration = .milliseconds(100))
    {
        state = Mutex(State(entries: [], stream: TagStream(tags, dwell: dwell, gap: gap)))
    }

    /// The identifiers of the tags that were placed and not removed, lost ones included; of a stream, those still to come
    /// too.
    public var identifiers: [[UInt8]] {
        state.withLock { state in state.entries.map(\.identifier) + (state.stream?.waiting.map(\.identifier) ?? []) }
    }

    /// Whether a tag was placed and not removed; of a stream, also one still to come.
    package func holds(_ tag: any VirtualTag) -> Bool {
        state.withLock { state in
            state.entries.contains { $0.tag === tag } || state.stream?.waiting.contains { $0 === tag } ?? false
        }
    }

    /// Brings a tag into the field, or to the end of the stream.
    public func place(_ tag: any VirtualTag) {
        change { state in
            if state.stream == nil {
                state.entries.append(Self.entry(tag))
            } else {
                state.stream?.waiting.append(tag)
            }
        }
    }

    /// Takes the tag with this identifier away, or all tags when it is nil; false when there was none.
    @discardableResult
    public func remove(identifier: [UInt8]? = nil) -> Bool {
        change { state in
            let count = state.entries.count
            state.entries.removeAll { identifier == nil || $0.identifier == identifier }
            if state.entries.count < count { state.stream?.currentWasRemoved() }
            return state.entries.count < count
        }
    }

    /// Takes all tags away and brings these; ends a stream.
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

// The chip's side; called on its thread only.
extension Field {
    /// Sets what is called, on the changing thread, after each change made from outside.
    package func setOnChange(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onChange = action } }

    /// The tags in reach at this moment.
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

    /// When a tag comes or goes by itself, if one does.
    package var nextChange: Instant? {
        state.withLock { state in
            let returns = state.entries.compactMap { entry -> Instant? in
                if case .until(let time) = entry.absence { time } else { nil }
            }
            return (returns + [state.stream?.nextChange].compactMap { $0 }).min()
        }
    }

    /// A tag is lost: out of reach until `back` has passed, or forever.
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

    /// A tag got a command.
    package func noteUse(_ frame: [UInt8], at now: Instant) { state.withLock { $0.stream?.noteUse(frame, at: now) } }
}
