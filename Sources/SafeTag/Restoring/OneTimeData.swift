// One-time bits for data that a restore must not set: they would form a mixture of tag and dump, or a capability
// container that is impossible for the chip

import Composing
import Hexadecimal
public import ReaderInterface
package import TagImage
package import TagTypes

/// The error for one-time bits of a dump that a tag cannot get, because other bits are permanently set on the tag.
public struct MixedOneTimeBits: ClassifiedError, Hashable {
    /// The number of the block.
    public let block: Int
    /// The block's bytes on the tag.
    public let held: [UInt8]
    /// The block's bytes in the dump.
    public let wanted: [UInt8]

    /// The kind of failure.
    public var kind: FailureKind { .readOnly }

    /// A description in sentences.
    public var description: String {
        "The one-time bits in block \(block) of the tag are \(held.hex), but the dump has \(wanted.hex). Bits that are set "
            + "can never be cleared, so the tag cannot get the bytes of the dump. Nothing was changed."
    }
}

extension RestorePlan {
    /// Checks that the one-time bits for data can become those of the dump.
    ///
    /// One-time bits can only be added. If the tag has bits that the dump does not have, a write would permanently
    /// leave a mixture of both.
    package func requireOneTimeData(of dump: TagImage, on memory: MemoryMap) throws(MixedOneTimeBits) {
        for write in writes where oneTime.contains(write.number) {
            guard let block = memory.blocks.first(where: { $0.number == write.number }),
                let wanted = dump[block: write.number],
                BlockRule(block, in: dump).mixesOneTimeData(wanted, written: write.bytes)
            else { continue }
            throw MixedOneTimeBits(block: block.number, held: block.bytes ?? [], wanted: wanted)
        }
    }

    /// Checks that the chip can have the capability container that will be written, if any.
    ///
    /// - Parameters:
    ///   - dump: the dump to restore.
    ///   - path: the path of the dump.
    /// - Throws: ``UnsoundDump`` if the chip cannot have it.
    package func requirePossibleContainer(of dump: TagImage, from path: String) throws(UnsoundDump) {
        guard case .type2 = dump.kind, oneTime.contains(TagImage.type2ContainerBlock) else { return }
        do throws(TagImageError) {
            try dump.checkType2Container()
        } catch {
            throw UnsoundDump(source: InputFile(path: path).source, error: error)
        }
    }
}
