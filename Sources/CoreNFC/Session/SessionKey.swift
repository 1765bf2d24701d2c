// What opens the protected tags of a session — NXP NTAG21x and MF0ULx1 (PWD_AUTH, AUTHLIM), MF0ICU2 (AUTHENTICATE)

import NFCReader
import Synchronization
package import TagTypes

/// A password or key, and the tags that refused it.
struct SessionKey {
    let credential: Type2Credential
    /// By identifier: what is refused once is not sent again, since wrong tries may close a tag for ever.
    var refusals: [[UInt8]: TagError] = [:]
}

extension NFCReaderSession {
    /// What opens the protected tags of this session; given to each tag at its first operation after each activation.
    ///
    /// A tag that asks for no password never sees it.
    package var credential: Type2Credential? {
        get { state.withLock { $0.key?.credential } }
        set { state.withLock { $0.key = newValue.map { SessionKey(credential: $0) } } }
    }

    /// Opens a tag that was activated just now.
    ///
    /// On the reader's queue.
    func open(_ tag: Type2Tag) throws(TagError) {
        guard let key = state.withLock({ $0.key }) else { return }
        let identifier = tag.channel.target.identifier
        if let refusal = key.refusals[identifier] { throw refusal }
        do throws(TagError) {
            try tag.open(with: key.credential)
        } catch {
            if case .wrongPassword = error { state.withLock { $0.key?.refusals[identifier] = error } }
            throw error
        }
    }
}
