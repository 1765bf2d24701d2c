// The blocks of a virtual Type 2 Tag that never read back as stored: passwords and keys

@testable import VirtualPN532

extension VirtualType2Tag {
    var hiddenBlocks: [Range<Int>] { chip.hiddenBlocks }
}
