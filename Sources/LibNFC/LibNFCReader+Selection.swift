// Which target is selected: found again, asked whether it is there, let go — ISO/IEC 14443-3, libnfc 1.8 nfc.h

import Clibnfc
@preconcurrency import Glibc
public import ReaderInterface

extension LibNFCReader {
    /// Selects a target that ``poll(for:settled:)`` found.
    public func connect(to target: Target) throws(ReaderError) -> any TagChannel {
        current = nil
        let wasFoundAlone = foundAlone?.identifier == target.identifier
        foundAlone = nil
        if !wasFoundAlone, try !isStillSelected(target), try !select(target) { throw .tagLost }
        connected = target
        let channel = LibNFCChannel(target: target, reader: self)
        current = channel
        return channel
    }

    /// Whether a card of type B that was connected before is there, and selected.
    ///
    /// It stays so: it would be found again only after its field was off, and then may have made up another PUPI —
    /// ISO/IEC 14443-3, ATQB.
    private func isStillSelected(_ target: Target) throws(ReaderError) -> Bool {
        guard target.technology == .nfcB, hasSelection, connected?.identifier == target.identifier else { return false }
        do throws(ReaderError) {
            return try isPresent()
        } catch .noAnswer {
            return false
        }
    }

    /// Asks the selected target in the way of its kind whether it is there.
    private func isPresent() throws(ReaderError) -> Bool {
        // How libnfc finds out differs from kind to kind.
        fieldUse = .several
        return try exchange("checking presence", { nfc_initiator_target_is_present($0, nil) }) { $0 != NFC_ETIMEOUT }
            == 0
    }

    /// Selects a target anew when its field was off, without a look at what else is there.
    public func powerUp(_ target: Target) throws(ReaderError) -> any TagChannel {
        (current, foundAlone) = (nil, nil)
        try cycleField()
        return try connect(to: target)
    }

    /// Asks the target in the way of its kind, and if that fails seeks it by its identifier.
    ///
    /// A Type 2 Tag is mute after a NAK, and to libnfc a FeliCa card is "released" at all times.
    public func presence(of channel: any TagChannel) throws(ReaderError) -> Presence {
        guard let current, current === channel else { return .absent }
        try endJewelFrames()
        do throws(ReaderError) {
            if try isPresent() { return .continuous }
        } catch .noAnswer {}
        return try select(channel.target) ? .renewed : .absent
    }
}

extension LibNFCReader {
    /// Selects a target by its identifier, anew if it is selected; false when it does not answer, or another one does.
    func select(_ target: Target) throws(ReaderError) -> Bool {
        if try selectOnce(target) { return true }
        // Only NFC-A has a selection by identifier that halted targets hear; others need a fresh start.
        return target.technology == .nfcA ? false : try selectAfresh(target)
    }

    /// Selects a target so that it forgets an authentication and takes on what was set up.
    ///
    /// A FeliCa card has no state of being selected that it could leave: it keeps all of it until the field goes.
    func reselect(_ target: Target) throws(ReaderError) -> Bool {
        target.technology == .nfcF ? try selectAfresh(target) : try select(target)
    }

    private func selectAfresh(_ target: Target) throws(ReaderError) -> Bool {
        try cycleField()
        return try selectOnce(target)
    }

    private func selectOnce(_ target: Target) throws(ReaderError) -> Bool {
        connected = nil
        try endSelection()
        var found = nfc_target()
        let count = try selectPassiveTarget(target.technology, target.selectionData, &found, "selecting")
        guard count > 0 else { return false }
        let selected = Target(found)
        fieldUse = fieldUse.selecting(selected)
        hasSelection = true
        return selected?.identifier == target.identifier
    }

    /// InListPassiveTarget, after what remains of the guard time of a new field; twice when the chip was still at it after libnfc's 300 ms (of which USB drivers leave 100) and
    /// is in step again.
    func selectPassiveTarget(
        _ technology: Technology, _ data: [UInt8], _ target: inout nfc_target, _ operation: String
    ) throws(ReaderError) -> CInt {
        guard let modulation = technology.modulation else { return 0 }
        usleep(useconds_t(fieldStart.rest(of: technology) / .microseconds(1)))
        for _ in 0..<2 {
            do throws(ReaderError) {
                return try exchange(operation) {
                    nfc_initiator_select_passive_target($0, modulation, data, data.count, &target)
                }
            } catch .noAnswer {}
        }
        return 0
    }
}

extension LibNFCReader {
    /// Deselects what is selected: HLTA for a Type 2 Tag, S(DESELECT) for ISO-DEP.
    func endSelection() throws(ReaderError) {
        try endJewelFrames()
        guard hasSelection else { return }
        (hasSelection, connected) = (false, nil)
        fieldUse = .several
        // The target may be gone, so only a mute chip is an error here.
        do throws(ReaderError) {
            _ = try exchange("deselecting", { nfc_initiator_deselect_target($0) }, accept: { $0 != NFC_ETIMEOUT })
        } catch .noAnswer {}
    }

    /// Switches the field off and on: what was selected is not any more, and halted targets answer a poll again.
    func cycleField() throws(ReaderError) {
        try endJewelFrames()
        (hasSelection, connected) = (false, nil)
        try set(NP_ACTIVATE_FIELD, false)
        usleep(Self.fieldResetTime)
        try set(NP_ACTIVATE_FIELD, true)
        (fieldUse, fieldStart) = (.fresh(), FieldStart())
    }

    /// Microseconds without a field after which a target has forgotten its state: NFC Forum Digital's tRESET of 5.1 ms; the
    /// ways of the two commands come on top.
    private static let fieldResetTime: useconds_t = 5_200
}
