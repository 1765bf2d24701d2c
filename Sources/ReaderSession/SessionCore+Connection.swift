// The connected tag, and whether it is still present. Everything here runs on the reader's queue, except for `look`

import Dispatch
package import ReaderInterface

extension SessionCore {
    /// The maximum time for which a presence check may block its caller while the reader is busy, in seconds.
    private static let longestLook = 0.3

    /// Connects to a tag of this round.
    ///
    /// If the tag is already connected, checks that it is still present.
    ///
    /// - Throws: `ReaderError.tagLost` if the tag is gone or belongs to an earlier round.
    package func activate(_ tag: DetectedTag) throws {
        guard let reader = reader?.reader, tag.round == round else { throw ReaderError.tagLost }
        if connected === tag, let channel = tag.channel {
            switch try reader.presence(of: channel) {
            case .continuous:
                // The tag may have been away during an operation that failed.
                tag.connectionChanged(isConnected: true)
                return
            case .renewed:
                connected = nil
                try tag.connected(on: channel)
                connected = tag
                return
            // A tag that is back needs a new channel if the reader has given up the old one.
            case .absent: break
            }
        }
        connected = nil
        try tag.connected(on: reader.connect(to: tag.target))
        connected = tag
    }

    /// Connects to a tag of this round after turning the reader's field off and on.
    ///
    /// - Throws: `ReaderError.tagLost` if the tag is gone or belongs to an earlier round.
    package func activateAfterPowerUp(_ tag: DetectedTag) throws {
        guard let reader = reader?.reader, tag.round == round else { throw ReaderError.tagLost }
        connected = nil
        try tag.connected(on: reader.powerUp(tag.target))
        connected = tag
    }

    /// Activates a target that was just found, to determine its kind, without connecting to a tag.
    package func channel(to target: Target) throws(ReaderError) -> any TagChannel {
        guard let reader = reader?.reader else { throw .tagLost }
        connected = nil
        return try reader.connect(to: target)
    }

    /// Checks whether a connected tag is still present, and records the result.
    ///
    /// May be called from any thread. If the reader is busy, the call returns without a result.
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

    /// Forgets the connected tag after it has left.
    package func disconnect() { connected = nil }

    package func isConnected(_ tag: DetectedTag) -> Bool { connected === tag }

    /// Whether no tag is connected, so that a new connection does not replace another.
    package var isUnconnected: Bool { connected == nil }
}
