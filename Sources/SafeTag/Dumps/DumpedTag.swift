// A dump as the tag it was made of: what it is, what it holds — no reader is needed

import Hexadecimal
import NDEF
package import PhoneLint
import ReaderInterface
public import TagImage
import TagTypes

/// The tag that a dump was made of.
///
/// ```swift
/// let tag = DumpedTag(try DumpFile(path: "tag.nfc").read(), file: "tag.nfc")
/// print(try tag.reading().message.records)
/// ```
public struct DumpedTag {
    private let image: TagImage
    private let file: String

    /// Takes an image for the tag.
    ///
    /// - Parameters:
    ///   - image: the memory.
    ///   - file: where it is from, as the user named it.
    public init(_ image: TagImage, file: String) {
        self.image = image
        self.file = file
    }

    private var tag: any ForumTag {
        let tag = TagDetection.tag(
            on: ImageChannel(image), patience: Patience(attempts: 3, time: .zero, pause: .zero))
        (tag as? ClassicTag)?.offer(image.keys.mapValues { SectorKeys(a: $0.a, b: $0.b) })
        return tag
    }

    /// What the tag is, and its memory.
    ///
    /// - Throws: `TagError` for a memory that cannot be made out at all.
    public func inspection() throws -> TagInspection {
        let tag = tag
        var inspection = try TagInspection(of: tag, on: "")
        inspection.file = file
        inspection.memory.sectors = inspection.memory.sectors.map { sector in
            sector.knowing(image.keys[sector.number].map { SectorKeys(a: $0.a, b: $0.b) })
        }
        return inspection
    }

    /// What the tag holds.
    ///
    /// - Throws: ``BrokenMessage``; `TagError`.
    public func reading() throws -> TagReading {
        let tag = tag
        var reading = try TagReading(of: tag, on: "")
        reading.file = file
        return try reading.whole()
    }

    /// What phones make of the tag.
    ///
    /// - Throws: `NDEFError`; `TagError`.
    package func check(by lint: PhoneLint) throws -> Check {
        let tag = tag
        return try Check(try CheckedTag(tag), of: tag.channel.target, on: "", by: lint)
    }
}
