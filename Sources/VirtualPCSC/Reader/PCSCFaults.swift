// Faults of a PC/SC reader

import Synchronization
package import VirtualPN532

/// The faults of a virtual PC/SC reader.
///
/// When the faults are set, all counts start again at 1. A fault that is nil does not occur.
package struct PCSCFaults: Hashable, Sendable {
    /// How a driver reports that the card was removed during an APDU.
    package enum PullReport: String, CaseIterable, Hashable, Sendable {
        /// IFD_ICC_NOT_PRESENT: the client gets SCARD_E_NO_SMARTCARD.
        case notPresent
        /// IFD_COMMUNICATION_ERROR: the client gets SCARD_E_NOT_TRANSACTED.
        case communicationError
        /// Success without any data, as vsmartcard's driver reports it.
        case empty
    }

    /// The faults that depend on the number of the tag command.
    ///
    /// `nak` leaves one command unanswered, and has no other effect. In ISO 15693, all requests except Inventory and
    /// Stay Quiet are tag commands. With `coupling.bitErrorRate` and `coupling.seed`, frames are lost at random.
    package var tag = Faults()
    /// The number of the write during which power fails.
    ///
    /// The tag then leaves the field (ISO 15693 only).
    package var tearAtWrite: Int?
    /// The number of the SCardTransmit during which the card is removed.
    ///
    /// The APDU does not reach the card.
    package var pull: Int?
    package var pullReport = PullReport.notPresent
    /// The number of the first SCardTransmit that the reader never answers.
    ///
    /// It hangs until the faults are set again.
    package var hang: Int?
    /// The number of power-ups, from the first on, during which the card does not answer.
    package var failedPowerUps = 0

    package init() {}
}

/// The current faults and their counts.
///
/// Any thread may set the faults, and the reader reads them.
final class PCSCFaultCounter: Sendable {
    private struct State {
        var faults = PCSCFaults()
        var transmits = 0
        var writes = 0
        var powerUps = 0
        var isHung = false
    }
    private let state = Mutex(State())
    /// The faults and the count for tag commands, which the reader's PN532 shares.
    let tag = FaultCounter(Faults())

    var faults: PCSCFaults {
        get { state.withLock(\.faults) }
        set {
            state.withLock { $0 = State(faults: newValue) }
            tag.restart(with: newValue.tag)
        }
    }

    var isHung: Bool { state.withLock(\.isHung) }

    /// Counts a transmit, and returns whether the reader hangs from now on.
    func countTransmit() -> Bool {
        state.withLock { state in
            state.transmits += 1
            if let hang = state.faults.hang, state.transmits >= hang { state.isHung = true }
            return state.isHung
        }
    }

    /// How the driver reports that the card is removed during the last counted transmit; nil if it is not removed.
    var pullsNow: PCSCFaults.PullReport? {
        state.withLock { $0.faults.pull == $0.transmits ? $0.faults.pullReport : nil }
    }

    /// Counts a power-up, and returns whether it fails.
    func countPowerUp() -> Bool {
        state.withLock { state in
            state.powerUps += 1
            return state.powerUps <= state.faults.failedPowerUps
        }
    }

    func countWrite() -> Bool {
        state.withLock { state in
            state.writes += 1
            return state.faults.tearAtWrite == state.writes
        }
    }
}
