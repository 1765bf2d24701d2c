// A Type 2 Tag that is slow to answer one command, like a tag that extends its waiting time

import Synchronization
import VirtualPN532

/// An NTAG213 whose READ of one block takes long.
///
/// The radio waits as long as necessary.
final class SlowTag: TypeATag {
    private let tag: any TypeATag
    private let block: UInt8
    private let delay: Duration

    init(block: UInt8, delay: Duration) throws {
        guard let tag = VirtualTagKind.ntag213.make(serial: 1) as? any TypeATag else { throw CancellationError() }
        (self.tag, self.block, self.delay) = (tag, block, delay)
    }

    func receive(_ frame: [UInt8]) -> TagReply {
        var reply = tag.receive(frame)
        if frame == [0x30, block] { reply.delay = delay }
        return reply
    }

    var sensRes: [UInt8] { tag.sensRes }
    var nfcID1: [UInt8] { tag.nfcID1 }
    var selRes: UInt8 { tag.selRes }
    var generation: Int { tag.generation }
    func fieldOff() { tag.fieldOff() }
    func receiveTorn(_ frame: [UInt8]) { tag.receiveTorn(frame) }
    func poll(wakeUp: Bool) -> Bool { tag.poll(wakeUp: wakeUp) }
    func deselect() { tag.deselect() }
    func select() { tag.select() }
    func halt() { tag.halt() }
}
