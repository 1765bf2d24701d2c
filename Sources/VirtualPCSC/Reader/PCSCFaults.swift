// What goes wrong with a PC/SC reader, and when

import Synchronization
package import VirtualPN532

/// Faults of a virtual PC/SC reader; all counts begin with 1 when the faults are set.
package struct PCSCFaults: Hashable, Sendable {
    /// How a driver reports that the card was pulled while an APDU was under way.
    package enum PullReport: String, CaseIterable, Hashable, Sendable {
        /// IFD_ICC_NOT_PRESENT: the client gets SCARD_E_NO_SMARTCARD.
        case notPresent
        /// IFD_COMMUNICATION_ERROR: the client gets SCARD_E_NOT_TRANSACTED.
        case communicationError
        /// Success with no bytes at all, as vsmartcard's driver does.
        case empty
    }

    /// Faults by the number of the tag command; of `nak` only that the command goes unanswered once.
    ///
    /// Tag commands of ISO 15693 are all requests but Inventory and Stay quiet. With `coupling.bitErrorRate` and
    /// `coupling.seed` frames are lost at random.
    package var tag = Faults()
    /// Power fails during the tag's Nth write, and the tag leaves; ISO 15693 only.
    package var tearAtWrite: Int?
    /// The card is pulled during the Nth SCardTransmit: the APDU does not reach it.
    package var pull: Int?
    /// How that is reported.
    package var pullReport = PullReport.notPresent
    /// The reader never answers from the Nth SCardTransmit on, until the faults are set again.
    package var hang: Int?

    /// No faults.
    package init() {}
}

/// The faults in force and their counts: set from any thread, consulted by the reader.
final class PCSCFaultCounter: Sendable {
    private struct State {
        var faults = PCSCFaults()
        var transmits = 0
        var writes = 0
        var isHung = false
    }
    private let state = Mutex(State())
    /// Counts tag commands; shared with the PN532 of readers that have one.
    let tag = FaultCounter(Faults())

    var faults: PCSCFaults {
        get { state.withLock(\.faults) }
        set {
            state.withLock { $0 = State(faults: newValue) }
            tag.restart(with: newValue.tag)
        }
    }

    var isHung: Bool { state.withLock(\.isHung) }

    /// Counts a transmit; whether the reader hangs from now on.
    func countTransmit() -> Bool {
        state.withLock { state in
            state.transmits += 1
            if let hang = state.faults.hang, state.transmits >= hang { state.isHung = true }
            return state.isHung
        }
    }

    /// Whether the card is pulled during the transmit that was counted last.
    var pullsNow: PCSCFaults.PullReport? {
        state.withLock { $0.faults.pull == $0.transmits ? $0.faults.pullReport : nil }
    }

    /// Counts a write of the tag; whether it is torn.
    func countWrite() -> Bool {
        state.withLock { state in
            state.writes += 1
            return state.faults.tearAtWrite == state.writes
        }
    }
}
