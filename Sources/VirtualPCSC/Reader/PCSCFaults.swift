// Faults of a PC/SC reader

import Synchronization
package import VirtualPN532

/// The faults of a virtual PC/SC reader.
///
/// Setting the faults restarts all counts at 1. A fault that is nil does not occur.
package struct PCSCFaults: Hashable, Sendable {
    /// How a driver reports that the card was pulled during an APDU.
    package enum PullReport: String, CaseIterable, Hashable, Sendable {
        /// IFD_ICC_NOT_PRESENT: the client gets SCARD_E_NO_SMARTCARD.
        case notPresent
        /// IFD_COMMUNICATION_ERROR: the client gets SCARD_E_NOT_TRANSACTED.
        case communicationError
        /// Success without any bytes, as vsmartcard's driver reports it.
        case empty
    }

    /// The faults that depend on the number of the tag command.
    ///
    /// `nak` leaves one command unanswered, and has no other effect.
    ///
    /// Tag commands of ISO 15693 are all requests except Inventory and Stay quiet. With `coupling.bitErrorRate` and
    /// `coupling.seed`, frames are lost at random.
    package var tag = Faults()
    /// Power fails during the Nth write to the tag, and the tag leaves the field (ISO 15693 only).
    package var tearAtWrite: Int?
    /// The card is pulled during the Nth SCardTransmit.
    ///
    /// The APDU does not reach the card.
    package var pull: Int?
    /// How the driver reports that the card was pulled.
    package var pullReport = PullReport.notPresent
    /// From the Nth SCardTransmit on, the reader never answers, until the faults are set again.
    package var hang: Int?

    /// Creates a set without faults.
    package init() {}
}

/// The faults in force and their counts.
///
/// They can be set from any thread; the reader reads them.
final class PCSCFaultCounter: Sendable {
    private struct State {
        var faults = PCSCFaults()
        var transmits = 0
        var writes = 0
        var isHung = false
    }
    private let state = Mutex(State())
    /// The count of tag commands, shared with the PN532 of readers that have one.
    let tag = FaultCounter(Faults())

    var faults: PCSCFaults {
        get { state.withLock(\.faults) }
        set {
            state.withLock { $0 = State(faults: newValue) }
            tag.restart(with: newValue.tag)
        }
    }

    var isHung: Bool { state.withLock(\.isHung) }

    /// Counts a transmit.
    ///
    /// Returns whether the reader hangs from now on.
    func countTransmit() -> Bool {
        state.withLock { state in
            state.transmits += 1
            if let hang = state.faults.hang, state.transmits >= hang { state.isHung = true }
            return state.isHung
        }
    }

    /// How the driver reports that the card is pulled during the transmit that was counted last.
    ///
    /// It is nil if the card is not pulled.
    var pullsNow: PCSCFaults.PullReport? {
        state.withLock { $0.faults.pull == $0.transmits ? $0.faults.pullReport : nil }
    }

    /// Counts a write to the tag.
    ///
    /// Returns whether the write is torn.
    func countWrite() -> Bool {
        state.withLock { state in
            state.writes += 1
            return state.faults.tearAtWrite == state.writes
        }
    }
}
