// Counters, mirror and signature of a chip in JSON — Docs/JSON.md, Info

import Hexadecimal
package import SafeTag
package import TagTypes

/// A counter in JSON.
///
/// It has the number in READ_CNT, the value and, if the chip reports it, whether an increment was interrupted.
package struct CounterReport: Encodable {
    private let number: Int
    private let value: Int
    private let torn: Bool?

    package init(_ counter: MemoryMap.Counter) {
        number = Int(counter.number)
        value = counter.value
        torn = counter.isTorn
    }
}

/// The mirror in a chip's message, in JSON.
package struct MirrorReport: Encodable {
    private let content: String
    /// The position of the mirror.
    ///
    /// All values are null if nothing is shown. `offset` is the offset in the message.
    private let block: Int?
    private let byte: Int?
    private let offset: Int?

    package init(_ mirror: MemoryMap.Mirror) {
        content = mirror.content.map { "\($0)" } ?? "none"
        block = mirror.content.map { _ in Int(mirror.block) }
        byte = mirror.content.map { _ in Int(mirror.byte) }
        offset = mirror.messageOffset
    }
}

/// The SUN message of an NTAG 22x DNA, in JSON.
package struct SUNReport: Encodable {
    private let on: Bool
    /// The position of the SUN message.
    ///
    /// All values are null if it is not shown. `offset` is the offset in the message.
    private let block: Int?
    private let byte: Int?
    private let offset: Int?
    private let length: Int
    private let status: Bool
    private let keyLocked: Bool?
    private let auth0: Int
    private let from: Int?
    private let protectsReading: Bool

    package init(_ sun: MemoryMap.SUNMessage) {
        (on, length, status, keyLocked) = (sun.isOn, sun.length, sun.hasStatus, sun.isKeyLocked)
        (block, byte) = sun.isOn ? (Int(sun.block), Int(sun.byte)) : (nil, nil)
        (offset, auth0, from) = (sun.messageOffset, Int(sun.auth0), sun.firstProtected)
        protectsReading = sun.protectsReading
    }
}

/// The manufacturer's signature and the result of its verification, in JSON.
package struct SignatureReport: Encodable {
    private let hex: String?
    private let verdict: String?
    /// The name of the key that made the signature, or nil if no known key made it.
    private let key: String?

    package init(_ tag: TagInspection) {
        hex = tag.memory.signature?.hex
        switch tag.originality {
        case .genuine(let name)?: (verdict, key) = ("genuine", name)
        case .notGenuine?: (verdict, key) = ("notGenuine", nil)
        case .notSupported?: (verdict, key) = ("notSupported", nil)
        case .notRead?, .notInFile?, nil: (verdict, key) = (nil, nil)
        }
    }
}
