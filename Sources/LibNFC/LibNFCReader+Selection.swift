// Selecting a target, checking its presence and deselecting it — ISO/IEC 14443-3, libnfc 1.8 nfc.h

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

    /// Whether a type B card that was connected before is still present and selected.
    ///
    /// The card stays selected. A poll would find it again only after a field reset, which may change its PUPI
    /// (ISO/IEC 14443-3, ATQB).
    private func isStillSelected(_ target: Target) throws(ReaderError) -> Bool {
        guard target.technology == .nfcB, hasSelection, connected?.identifier == target.identifier else { return false }
        do throws(ReaderError) {
            return try isPresent()
        } catch .noAnswer {
            return false
        }
    }

    /// Checks with libnfc's method for the kind of target whether the selected target is present.
    private func isPresent() throws(ReaderError) -> Bool {
        // libnfc's method depends on the kind of target, so some targets may be halted afterwards.
        fieldUse = .several
        return try exchange("checking presence", { nfc_initiator_target_is_present($0, nil) }) { $0 != NFC_ETIMEOUT }
            == 0
    }

    /// Selects a target again after a field reset, without looking for other targets.
    public func powerUp(_ target: Target) throws(ReaderError) -> any TagChannel {
        (current, foundAlone) = (nil, nil)
        try cycleField()
        return try connect(to: target)
    }

    /// Checks the target's presence with libnfc's method for its kind.
    ///
    /// If that fails, searches for its identifier.
    ///
    /// A Type 2 Tag does not answer after a NAK, and libnfc always reports a FeliCa card as "released".
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
    /// Selects a target by its identifier, even if it is already selected.
    ///
    /// Returns false if the target does not answer, or if another target answers.
    func select(_ target: Target) throws(ReaderError) -> Bool {
        if try selectOnce(target) { return true }
        // Only NFC-A has a selection by identifier that reaches halted targets. Targets of other technologies need a
        // field reset.
        return target.technology == .nfcA ? false : try selectAfresh(target)
    }

    /// Selects a target again, so that it loses an authentication and applies changed settings.
    ///
    /// Returns false if the target does not answer. A FeliCa card has no selected state to leave: it keeps its state
    /// until the field is off.
    func reselect(_ target: Target) throws(ReaderError) -> Bool {
        target.technology == .nfcF ? try selectAfresh(target) : try select(target)
    }

    func selectAfresh(_ target: Target) throws(ReaderError) -> Bool {
        try cycleField()
        return try selectOnce(target)
    }

    func selectOnce(_ target: Target) throws(ReaderError) -> Bool {
        connected = nil
        try endSelection()
        var found = nfc_target()
        let count = try selectPassiveTarget(target.technology, target.selectionData, &found, "selecting")
        guard count > 0 else { return false }
        let selected = Target(found)
        fieldUse = fieldUse.selecting(selected)
        hasSelection = true
        guard let selected, selected.identifier == target.identifier else { return false }
        return try agreeOnBitRates(with: selected)
    }

    /// Runs InListPassiveTarget after the rest of a new field's guard time.
    ///
    /// If the chip was still busy after libnfc's 300 ms (100 ms with USB drivers) and has been resynchronised, runs it
    /// again.
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
    /// Deselects the selected target: HLTA for a Type 2 Tag, S(DESELECT) for ISO-DEP.
    func endSelection() throws(ReaderError) {
        try endJewelFrames()
        guard hasSelection else { return }
        (hasSelection, connected) = (false, nil)
        fieldUse = .several
        // The target may be gone, so only a chip that does not answer is an error here.
        do throws(ReaderError) {
            _ = try exchange("deselecting", { nfc_initiator_deselect_target($0) }, accept: { $0 != NFC_ETIMEOUT })
        } catch .noAnswer {}
    }

    /// Switches the field off and on.
    ///
    /// No target is selected afterwards, and halted targets answer a poll again.
    func cycleField() throws(ReaderError) {
        try endJewelFrames()
        (hasSelection, connected) = (false, nil)
        try set(NP_ACTIVATE_FIELD, false)
        usleep(Self.fieldResetTime)
        try set(NP_ACTIVATE_FIELD, true)
        (fieldUse, fieldStart) = (.fresh(), FieldStart())
    }

    /// The time without a field, in microseconds, after which a target has lost its state.
    ///
    /// NFC Forum Digital's tRESET is 5.1 ms. The transfer times of the two commands are added to it.
    private static let fieldResetTime: useconds_t = 5_200
}
