// Which tag is connected, and whether it is still there — on the reader's queue but for `look`

import Dispatch
package import ReaderInterface

extension SessionCore {
    /// Seconds that a look for a tag may keep the thread that asks for it, when the reader is busy.
    private static let longestLook = 0.3

    /// Connects to a tag of this round; for the connected tag it is a check that the tag is still there.
    ///
    /// - Throws: `ReaderError.tagLost` when it is gone or of an earlier round.
    package func activate(_ tag: DetectedTag) throws {
        guard let reader = reader?.reader, tag.round == round else { throw ReaderError.tagLost }
        if connected === tag, let channel = tag.channel {
            switch try reader.presence(of: channel) {
            case .continuous: break
            case .renewed:
                connected = nil
                try tag.connected(on: channel)
                connected = tag
            case .absent:
                connected = nil
                throw ReaderError.tagLost
            }
        } else {
            connected = nil
            try tag.connected(on: reader.connect(to: tag.target))
            connected = tag
        }
    }

    /// Connects to a tag of this round after its field was off.
    ///
    /// - Throws: `ReaderError.tagLost` when it is gone or of an earlier round.
    package func activateAfterPowerUp(_ tag: DetectedTag) throws {
        guard let reader = reader?.reader, tag.round == round else { throw ReaderError.tagLost }
        connected = nil
        try tag.connected(on: reader.powerUp(tag.target))
        connected = tag
    }

    /// Activates a target that was just found, to see what kind of tag it is; no tag is connected by it.
    package func channel(to target: Target) throws(ReaderError) -> any TagChannel {
        guard let reader = reader?.reader else { throw .tagLost }
        connected = nil
        return try reader.connect(to: target)
    }

    /// Looks whether a tag that is connected is still there, and notes it; from any thread.
    ///
    /// Returns without a result when the reader is busy with something else.
    func look(for tag: DetectedTag) {
        guard let queue = reader?.queue else { return }
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            defer { isDone.signal() }
            guard self.isRunning, self.isConnected(tag) else { return }
            do {
                try self.activate(tag)
                tag.note(nil)
            } catch {
                if let failure = ReaderError(failureIn: error) { self.readerFailed(with: failure) }
            }
            self.tellConnected()
        }
        _ = isDone.wait(timeout: .now() + Self.longestLook)
    }

    /// Forgets the connected tag, which left.
    package func disconnect() { connected = nil }

    /// Whether operations of this tag may run now.
    package func isConnected(_ tag: DetectedTag) -> Bool { connected === tag }

    /// Whether no tag is connected, so that one may be without taking it from another.
    package var isUnconnected: Bool { connected == nil }
}
