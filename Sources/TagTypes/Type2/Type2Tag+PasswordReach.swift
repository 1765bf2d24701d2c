// How far the password of a Type 2 Tag protects its memory — NXP NTAG21x, AUTH0 and ACCESS

import Chips

extension Type2Tag {
    /// The first block that a password protects, as far as the configuration can be read.
    ///
    /// The value is `nil` if no block is protected, or once the password was accepted.
    var firstProtectedBlock: Int? {
        if memory.sunLayout != nil { return memory.credential == nil ? sunMessage?.firstProtected : nil }
        guard let chip = memory.chip, let protection = chip.protection, memory.credential == nil else { return nil }
        let auth0 = memory.cached(protection.auth0Address / 4).map { Int($0[protection.auth0Address % 4]) }
        // The key of an Ultralight C can never be read, so its blocks do not show where the protection begins.
        let end = min(chip.protectableEnd, protection.secretBlocks.upperBound + 1)
        let unreadable = memory.firstUnreadable.flatMap { protection == .tripleDES && $0 >= 44 ? nil : $0 }
        return [auth0, unreadable].compactMap(\.self).filter { $0 < end }.min()
    }

    /// Whether the password also protects reading, as far as the configuration was read.
    var protectsReading: Bool {
        guard let protection = memory.chip?.protection,
            let access = memory.cached(protection.accessAddress / Self.blockSize)
        else { return false }
        return protection.protectsReading(access)
    }

    /// The length of the shortest message, which is one empty record — NDEF, record layout.
    private static let shortestMessage = 3

    /// Whether a message with this length, its TLV and the Terminator TLV lie before the blocks that a password
    /// protects.
    func fitsBeforePassword(_ length: Int, in room: TLVLayout.NDEFTLV) -> Bool {
        guard let guarded = firstProtectedBlock else { return true }
        // A mirror whose settings cannot be read might change the message after it is written.
        if let chip = memory.chip, chip.features.contains(.uidMirror), memory.credential == nil,
            let protection = chip.protection, memory.cached(protection.auth0Address / Self.blockSize) == nil
        {
            return false
        }
        let open = room.addresses.count { $0 < guarded * Self.blockSize }
        return max(length, Self.shortestMessage) <= TLVLayout.capacity(of: open - 1)
    }
}
