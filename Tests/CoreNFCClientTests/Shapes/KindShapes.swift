// How a plugin for web views describes the tag of an NDEF session: by the protocols that the tag conforms to

import CoreNFC

struct TagDescription: Equatable {
    var kind: String
    var identifier: Data?

    init(_ tag: NFCNDEFTag) {
        if tag.isKind(of: NFCFeliCaTag.self) {
            (kind, identifier) = ("FeliCa", nil)
        } else if let tag = tag as? NFCMiFareTag {
            (kind, identifier) = ("MiFare", tag.identifier)
        } else if let tag = tag as? NFCISO15693Tag {
            (kind, identifier) = ("ISO15693", tag.identifier)
        } else if let tag = tag as? NFCISO7816Tag {
            (kind, identifier) = ("ISO7816", tag.identifier)
        } else {
            (kind, identifier) = ("unknown", nil)
        }
    }
}

final class TagDescriber: NSObject, NFCNDEFReaderSessionDelegate {
    private let completion: (TagDescription?) -> Void
    private var found: TagDescription?

    init(completion: @escaping (TagDescription?) -> Void) { self.completion = completion }

    func scan() { NFCNDEFReaderSession(delegate: self, queue: .main, invalidateAfterFirstRead: false).begin() }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag]) {
        guard let tag = tags.first else { return }
        session.connect(to: tag) { [self] error in
            if error == nil { found = TagDescription(tag) }
            session.invalidate()
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        completion(found)
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}
